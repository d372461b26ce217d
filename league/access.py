"""Who may do what in a club. The table is in `docs/permissions.md` and read from there; the permission test crosses
it with every route."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from copy import copy
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce
from django.http import Http404

from .models import ApiToken, Club, Membership, Player, Role, Season
from .names import Names

TABLE = Path(__file__).resolve().parent.parent / "docs" / "permissions.md"
VISITOR = "visitor"


class Right(StrEnum):
    """What a person may want to do in a club."""

    READ = "read"
    SEE_RULES = "see_rules"
    DISPUTE = "dispute"
    RECORD = "record"
    ROSTER = "roster"
    SEE_MONEY = "see_money"
    SEE_LEDGER = "see_ledger"
    MANAGE = "manage"
    PEOPLE = "people"
    SEE_LOG = "see_log"


@dataclass(frozen=True)
class Table:
    """Who may do what, by role (a visitor's is `visitor`): without more, and for one's own players alone."""

    may: Mapping[str, frozenset[Right]]
    own: Mapping[str, frozenset[Right]]


def read_table(lines: Iterable[str]) -> Table:
    """The table as the document has it: a line a right, a column a role, each cell `yes`, `own` or `–`.

    Raises:
        ImproperlyConfigured: a right or role is missing, unknown or there twice, or a cell says something else.
    """
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines if line.startswith("|")]
    head = next((row for row in rows if row[0] == "right"), None)
    told = {row[0].strip("`"): row for row in rows if re.fullmatch(r"`\w+`", row[0])}
    roles = [VISITOR, *Role.values]
    if head is None or sorted(head[2:]) != sorted(roles):
        raise ImproperlyConfigured(f"the table of rights needs the columns {', '.join(roles)}")
    if set(told) != {right.value for right in Right} or len(told) != sum(row[0].startswith("`") for row in rows):
        raise ImproperlyConfigured("the table of rights needs each right once")
    cells = {(right, role): told[right][head.index(role)] for right in Right for role in roles}
    if not set(cells.values()) <= {"yes", "own", "–"}:
        raise ImproperlyConfigured("a cell of the table of rights is yes, own or –")
    return Table(*({r: frozenset(x for x in Right if cells[x, r] == word) for r in roles} for word in ("yes", "own")))


RIGHTS = read_table(TABLE.read_text(encoding="utf-8").splitlines())


def rights_of(role: str | None) -> frozenset[Right]:
    """What a role may do in its club without more; None is a visitor, who may do it in a club that is public."""
    return RIGHTS.may[role or VISITOR]


@dataclass(frozen=True)
class ClubAccess:
    """A club as one person sees it. `role` is None for a visitor, who may only read, and only a public club.

    `scopes`: what a program's key leaves of the rights; None where no key is used. `points_only`: what is read is of a
    season without amounts (`within`).
    """

    club: Club
    role: str | None
    player_ids: frozenset[int]
    scopes: frozenset[str] | None = None
    points_only: bool = False

    @cached_property
    def names(self) -> Names:
        """What this person calls the players of the club."""
        return Names(self.club, inside=self.role is not None)

    def within(self, season: Season) -> ClubAccess:
        """The same in a season: where that is kept in points only, nobody sees an amount, and what lies in the pots
        are plain counters, without a currency."""
        if not season.points_only:
            return self
        club = copy(self.club)
        club.currency = ""
        return replace(self, club=club, points_only=True)

    def counts_plainly(self, season: Season) -> None:
        """For the screens of a table, where coins lie whatever the season: in points alone they have no currency."""
        if season.points_only:
            self.club.currency = ""

    def may(self, right: Right) -> bool:
        """Whether the person has the right in this club."""
        if self.role is None and not self.club.public:
            return False
        return right in rights_of(self.role) and self._in_scope(right)

    def may_own(self, right: Right, player_id: int | None) -> bool:
        """Whether the person has the right for this player: for everybody, or because the player is their own."""
        own = player_id in self.player_ids and right in RIGHTS.own[self.role or VISITOR]
        return self.may(right) or (own and self._in_scope(right))

    def sees_money(self, player_id: int | None = None) -> bool:
        """Whether amounts may be shown: all of them, or those of one player. In a season of points alone, to nobody."""
        if self.points_only:
            return False
        return self.club.publishes_money or self.may_own(Right.SEE_MONEY, player_id)

    def _in_scope(self, right: Right) -> bool:
        return self.scopes is None or SCOPE_OF[right] in self.scopes


SCOPE_OF: dict[Right, str] = {
    Right.READ: "read",
    Right.SEE_RULES: "read",
    Right.DISPUTE: "record",
    Right.RECORD: "record",
    Right.ROSTER: "manage",
    Right.SEE_MONEY: "money",
    Right.SEE_LEDGER: "money",
    Right.MANAGE: "manage",
    Right.PEOPLE: "manage",
    Right.SEE_LOG: "manage",
}
"""Which scope of a program's key covers a right. `read` is in every key."""


Visitor = AbstractBaseUser | AnonymousUser


shown_club: ContextVar[Club | None] = ContextVar("shown_club", default=None)
"""The club that the answer to this request shows, as the gate let it through. `league.privacy.headers` reads it."""


def club_for(user: Visitor, slug: str, right: Right = Right.READ, key: ApiToken | None = None) -> ClubAccess:
    """The gate of every page of a club.

    Raises:
        Http404: no such club, or none that this person may know of.
        PermissionDenied: the person may read the club, but lacks the right.
    """
    return admit(user, Club.objects.filter(slug=slug).first(), right, key)


def admit(user: Visitor, club: Club | None, right: Right = Right.READ, key: ApiToken | None = None) -> ClubAccess:
    """The same gate for a club that was read together with something of it. Raises as `club_for` does."""
    if club is None:
        raise Http404("no such club")
    access = access_to(user, club, key)
    if not access.may(Right.READ):
        raise Http404("no such club")
    # Not before: the headers of a club that somebody may not know of would tell it from one that there is not.
    shown_club.set(club)
    if not access.may(right):
        raise PermissionDenied
    return access


def access_to(user: Visitor, club: Club, key: ApiToken | None = None) -> ClubAccess:
    """What this person may do in this club, read anew from the database: a role taken away works at once.

    `key`: what the person's program showed. One for another club makes its owner a visitor here.
    """
    scopes = None if key is None else frozenset(key.scopes)
    if not user.is_authenticated or (key is not None and key.club_id not in (None, club.pk)):
        return ClubAccess(club=club, role=None, player_ids=frozenset(), scopes=scopes)
    role = Membership.objects.filter(club=club, user_id=user.pk).values_list("role", flat=True).first()
    own = own_players(user).filter(club=club).values_list("pk", flat=True) if role else ()
    return ClubAccess(club=club, role=role, player_ids=frozenset(own), scopes=scopes)


def own_players(user: Visitor) -> QuerySet[Player]:
    """The players that this person is, of every club: those tied to the account, and who is taken for one person with
    them."""
    roots = Player.objects.filter(user_id=user.pk or 0).values(root=Coalesce("main_id", "pk"))
    return Player.objects.filter(Q(pk__in=roots) | Q(main__in=roots))
