"""The gate of a cup: who reads it under the address of which club."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404

from ..access.gate import ClubAccess, RequestUser, club_for
from ..access.rights import Right
from ..models import ApiToken, Club, Cup, CupClub


@dataclass(frozen=True)
class CupAccess:
    """A cup, and the reader's rights in the club under whose address it is read."""

    access: ClubAccess
    cup: Cup

    @property
    def club(self) -> Club:
        return self.access.club

    @property
    def owns(self) -> bool:
        """True if the club runs the cup."""
        return self.cup.owner_id == self.club.pk


def cup_for(
    user: RequestUser, club: str, cup: str, right: Right = Right.READ, key: ApiToken | None = None
) -> CupAccess:
    """Find a cup in which the club takes part. Visitors of the club read only a public one.

    Raises:
        Http404: there is none, or the person may not know of it.
        PermissionDenied: the person may read the club, and lacks the right.
    """
    return in_club(club_for(user, club, right, key), cup)


def in_club(access: ClubAccess, cup: str) -> CupAccess:
    """As `cup_for`, in a club whose gate the person has passed."""
    part = CupClub.objects.filter(club=access.club, cup__slug=cup, left_at=None).select_related("cup__owner").first()
    if part is None or not (part.cup.public or access.role is not None):
        raise Http404("no such cup")
    return CupAccess(access, part.cup)


def run_for(user: RequestUser, club: str, cup: str, key: ApiToken | None = None) -> CupAccess:
    """Find a cup that the club runs, for whoever manages it.

    Raises:
        Http404: as `cup_for`, and for a cup that another club runs.
        PermissionDenied: as `cup_for`.
    """
    access = cup_for(user, club, cup, Right.MANAGE, key)
    if not access.owns:
        raise Http404("another club runs this cup")
    return access
