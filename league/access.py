"""Who may do what in a club. `docs/permissions.md` says the same in words; the permission test crosses both
with every route."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404

from .models import Club, Membership, Player, Role


class Right(StrEnum):
    """What a person may want to do in a club."""

    READ = "read"
    SEE_RULES = "see_rules"
    RECORD = "record"
    SEE_MONEY = "see_money"
    SEE_LEDGER = "see_ledger"
    MANAGE = "manage"


RIGHTS: dict[str, frozenset[Right]] = {
    Role.OWNER: frozenset(Right),
    Role.TREASURER: frozenset({Right.READ, Right.SEE_RULES, Right.RECORD, Right.SEE_MONEY, Right.SEE_LEDGER}),
    Role.RECORDER: frozenset({Right.READ, Right.SEE_RULES, Right.RECORD}),
    Role.MEMBER: frozenset({Right.READ, Right.SEE_RULES}),
}


@dataclass(frozen=True)
class ClubAccess:
    """A club as one person sees it. `role` is None for a visitor, who may only read, and only a listed club."""

    club: Club
    role: str | None
    player_ids: frozenset[int]

    def may(self, right: Right) -> bool:
        """Whether the person has the right in this club."""
        if self.role is None:
            return right is Right.READ and self.club.listed
        return right in RIGHTS[self.role]

    def sees_money(self, player_id: int | None = None) -> bool:
        """Whether amounts may be shown: all of them, or those of one player."""
        return self.club.publishes_money or self.may(Right.SEE_MONEY) or player_id in self.player_ids


def club_for(user: AbstractBaseUser | AnonymousUser, slug: str, right: Right = Right.READ) -> ClubAccess:
    """The gate of every page of a club.

    Raises:
        Http404: no such club, or none that this person may know of.
        PermissionDenied: the person may read the club, but lacks the right.
    """
    return admit(user, Club.objects.filter(slug=slug).first(), right)


def admit(user: AbstractBaseUser | AnonymousUser, club: Club | None, right: Right = Right.READ) -> ClubAccess:
    """The same gate for a club that was read together with something of it. Raises as `club_for` does."""
    if club is None:
        raise Http404("no such club")
    access = access_to(user, club)
    if not access.may(Right.READ):
        raise Http404("no such club")
    if not access.may(right):
        raise PermissionDenied
    return access


def access_to(user: AbstractBaseUser | AnonymousUser, club: Club) -> ClubAccess:
    """What this person may do in this club, read anew from the database: a role taken away works at once."""
    if not user.is_authenticated:
        return ClubAccess(club=club, role=None, player_ids=frozenset())
    role = Membership.objects.filter(club=club, user_id=user.pk).values_list("role", flat=True).first()
    own = Player.objects.filter(club=club, user_id=user.pk).values_list("pk", flat=True) if role else ()
    return ClubAccess(club=club, role=role, player_ids=frozenset(own))
