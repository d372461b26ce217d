"""The gate of a tournament: the rights to read it and to run it."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.http import Http404

from ..access.gate import ClubAccess, RequestUser, club_for
from ..access.rights import Right
from ..models import ApiToken, Club, DeskMember, Role, Tournament


@dataclass(frozen=True)
class TournamentAccess:
    """A tournament, its reader's rights in the club, and whether the reader runs it."""

    access: ClubAccess
    tournament: Tournament
    runs: bool

    @property
    def club(self) -> Club:
        return self.access.club


def runs(access: ClubAccess, tournament: Tournament, user: RequestUser) -> bool:
    """Return True if the person is at the desk: an owner, or a recorder whom an owner named."""
    if not access.may(Right.RECORD):
        return False
    if access.role == Role.OWNER:
        return True
    return DeskMember.objects.filter(tournament=tournament, user_id=user.pk or 0).exists()


def tournament_for(user: RequestUser, club: str, tournament: str, key: ApiToken | None = None) -> TournamentAccess:
    """Find a tournament that the person may read. One in preparation is shown to its desk alone.

    Raises:
        Http404: there is no such tournament, or the person may not know of it.
    """
    return in_club(club_for(user, club, Right.READ, key), user, tournament)


def in_club(access: ClubAccess, user: RequestUser, tournament: str) -> TournamentAccess:
    """As `tournament_for`, in a club whose gate the person has passed."""
    chosen_tournament = (
        Tournament.objects.filter(club=access.club, slug=tournament).select_related("season", "house_rules").first()
    )
    if chosen_tournament is None:
        raise Http404("no such tournament")
    chosen_tournament.club = access.club
    at_desk = runs(access, chosen_tournament, user)
    if chosen_tournament.state == Tournament.State.DRAFT and not at_desk:
        raise Http404("no such tournament")
    return TournamentAccess(access, chosen_tournament, at_desk)


def desk_for(user: RequestUser, club: str, tournament: str, key: ApiToken | None = None) -> TournamentAccess:
    """Find a tournament that the person runs.

    Raises:
        Http404: as `tournament_for`.
        PermissionDenied: the person may read the tournament and is not at its desk.
    """
    access = tournament_for(user, club, tournament, key)
    if not access.runs:
        raise PermissionDenied
    return access
