"""The base of the API views of a tournament: the rights of its reader and of its desk."""

from __future__ import annotations

import uuid

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404

from league.models import Draw, Entrant, Round, Tournament
from league.tournaments import gate
from league.tournaments.formats import Format
from league.tournaments.gate import TournamentAccess

from .. import idempotency
from ..base import ClubView
from .representations import People


class TournamentView(ClubView):
    """An address of a tournament (`<slug:tournament>` in its path)."""

    def tournament(self) -> TournamentAccess:
        """Return the tournament that the address names, for a reader. Raises Http404."""
        return gate.in_club(self.access, self.request.user, self.kwargs["tournament"])

    def desk(self) -> TournamentAccess:
        """Return the tournament that the address names, for somebody at its desk.

        Raises:
            Http404: there is no such tournament, or the person may not know of it.
            PermissionDenied: the person is not at its desk.
        """
        found = self.tournament()
        if not found.runs:
            raise PermissionDenied
        return found

    @property
    def key(self) -> uuid.UUID:
        """The idempotency key of the request. Raises Problem (400) if there is none."""
        return idempotency.key_sent(self.request)

    def people(self, found: TournamentAccess) -> People:
        """Return the entrants of a tournament with the names that the reader may see."""
        return People(found)


def with_players(entrants: QuerySet[Entrant]) -> QuerySet[Entrant]:
    """Return the entrants with their players and substitutions. Three queries."""
    return entrants.select_related("player").prefetch_related("substitutions__left", "substitutions__came")


def entrant_of(tournament: Tournament, number: int) -> Entrant:
    """Return an entrant by the start number. Raises Http404."""
    found = with_players(tournament.entrants.filter(number=number)).first()
    if found is None:
        raise Http404("no such entrant")
    return found


def draw_of(found: TournamentAccess, draw: int) -> Draw:
    """Return a draw by its id. Only the desk sees a draw that is not published. Raises Http404."""
    drawn = found.tournament.draws.filter(pk=draw).select_related("round_of").first()
    if drawn is None or not (found.runs or hasattr(drawn, "round_of")):
        raise Http404("no such draw")
    return drawn


def round_of(tournament: Tournament, number: int) -> Round:
    """Return a round by its number. Raises Http404."""
    found = tournament.rounds.filter(number=number).select_related("draw", "evening").first()
    if found is None:
        raise Http404("no such round")
    found.tournament = tournament
    return found


def is_hidden(found: TournamentAccess, number: int) -> bool:
    """Return True if the results of a round are not shown to this reader before the prize giving."""
    tournament = found.tournament
    if found.runs or tournament.state in (Tournament.State.FINISHED, Tournament.State.ARCHIVED):
        return False
    format = Format.read(tournament.format)
    return format.hide_last and number >= format.all_rounds
