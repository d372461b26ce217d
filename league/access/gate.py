"""The gate of every page and API operation of a club: the role of the reader, and the names and amounts that the answer
may show."""

from __future__ import annotations

from contextvars import ContextVar
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce
from django.http import Http404

from ..features import gate as features
from ..models import ApiToken, Club, Player, Role, Season
from ..money import show_chips
from .names import Names
from .rights import RIGHTS, SCOPE_OF, VISITOR, Right, rights_of
from .suspended import check_not_suspended


@dataclass(frozen=True)
class ClubAccess:
    """The rights of one reader in a club. `role` is None for a visitor, who may only read, and only a public club.

    `scopes`: the scopes of the API key that was used, else None. `points_only`: the reader reads a season without
    amounts (`within`). `in_chips`: the reader reads rounds of a tournament, whose chips everybody sees.
    """

    club: Club
    role: str | None
    player_ids: frozenset[int]
    scopes: frozenset[str] | None = None
    points_only: bool = False
    in_chips: bool = False

    @cached_property
    def names(self) -> Names:
        """The names of the club's players as this reader sees them."""
        return Names(self.club, member=self.role is not None)

    def within(self, season: Season) -> ClubAccess:
        """Return the access to a season. In a season of points only nobody sees an amount, and coins in a pot have no
        currency. Chips have none either, but everybody sees them."""
        if not season.points_only:
            return self
        if season.in_chips:
            show_chips()
        club = copy(self.club)
        club.currency = ""
        return replace(self, club=club, points_only=not season.in_chips, in_chips=season.in_chips)

    def drop_currency_if_points_only(self, season: Season) -> None:
        """For the pages of a table, which show coins in every season: in a season of points only without a currency."""
        if season.points_only:
            self.club.currency = ""
        if season.in_chips:
            show_chips()

    def may(self, right: Right) -> bool:
        """Return True if the person has the right in this club."""
        if self.role is None and not self.club.public:
            return False
        return right in rights_of(self.role) and self._in_scope(right)

    def may_own(self, right: Right, player_id: int | None) -> bool:
        """Return True if the person has the right for this player: for all players, or for their own ones."""
        own = player_id in self.player_ids and right in RIGHTS.own[self.role or VISITOR]
        return self.may(right) or (own and self._in_scope(right))

    def sees_money(self, player_id: int | None = None) -> bool:
        """Return True if amounts may be shown: all, or those of one player. Never in a season of points only; chips are
        no money."""
        if self.points_only or self.in_chips:
            return self.in_chips
        return self.club.publishes_money or self.may_own(Right.SEE_MONEY, player_id)

    def sees_rules(self) -> bool:
        """Return True if the house rules may be shown: to people of the club, to visitors if it publishes them."""
        return self.may(Right.SEE_RULES) or (self.club.publishes_rules and self.may(Right.READ))

    def _in_scope(self, right: Right) -> bool:
        return self.scopes is None or SCOPE_OF[right] in self.scopes


RequestUser = AbstractBaseUser | AnonymousUser


acting_card: ContextVar[tuple[int, int] | None] = ContextVar("acting_card", default=None)
"""The user of the table card that sends this request, and the card's club (`league.access.table_cards`). The user has
no role in any club."""
CARD_SCOPES = frozenset({"read", "record"})

shown_club: ContextVar[Club | None] = ContextVar("shown_club", default=None)
"""The club that the answer to this request shows. The gate sets it, `league.privacy.cache_headers` reads it."""
shown_access: ContextVar[ClubAccess | None] = ContextVar("shown_access", default=None)
"""The rights of the reader of this request's page in that club. The gate sets it, the bar of the page reads it."""


def club_for(user: RequestUser, slug: str, right: Right = Right.READ, key: ApiToken | None = None) -> ClubAccess:
    """Find a club and check the right: the gate of every page of a club. `key`: the API key of the request.

    Raises:
        Http404: there is no such club, or the person may not know of it.
        PermissionDenied: the person may read the club, but lacks the right.
        Suspended: the request would write, and the club is suspended.
        SwitchedOff: the club does not use the feature of the page.
    """
    of_key = key.club if key is not None else None
    # The club of a key was read with it.
    club = of_key if of_key is not None and of_key.slug == slug else Club.objects.filter(slug=slug).first()
    return admit(user, club, right, key)


def admit(user: RequestUser, club: Club | None, right: Right = Right.READ, key: ApiToken | None = None) -> ClubAccess:
    """Check the right in a club that is already read. Raises as `club_for` does."""
    if club is None:
        raise Http404("no such club")
    access = access_to(user, club, key)
    if not access.may(Right.READ):
        raise Http404("no such club")
    # Not earlier: the headers of a hidden club would differ from those of a club that does not exist.
    shown_club.set(club)
    shown_access.set(access)
    if not access.may(right):
        raise PermissionDenied
    check_not_suspended(club)
    features.check_on(club, may_switch=access.may(Right.MANAGE))
    return access


def access_to(user: RequestUser, club: Club, key: ApiToken | None = None) -> ClubAccess:
    """Read the person's role in this club from the database, so that a role that was taken away ends at once.

    `key`: the API key of the request. With a key for another club its owner is a visitor here.
    """
    scopes = None if key is None else frozenset(key.scopes)
    if not user.is_authenticated or (key is not None and key.club_id not in (None, club.pk)):
        return ClubAccess(club=club, role=None, player_ids=frozenset(), scopes=scopes)
    if acting_card.get() == (user.pk, club.pk):
        return ClubAccess(club=club, role=Role.RECORDER, player_ids=frozenset(), scopes=CARD_SCOPES)
    with connection.cursor() as cursor:
        cursor.execute(_ROLE_AND_PLAYERS, [user.pk, club.pk, user.pk])
        rows = cursor.fetchall()
    role = rows[0][0] if rows else None
    own = frozenset(player for _role, player in rows if player is not None)
    return ClubAccess(club=club, role=role, player_ids=own, scopes=scopes)


# As text, because every page and API operation of a club runs it: the role, and a row for each player as `own_players`.
_ROLE_AND_PLAYERS = """WITH roots AS (SELECT COALESCE(main_id, id) AS id FROM league_player WHERE user_id = %s)
SELECT membership.role, player.id FROM league_membership AS membership
LEFT JOIN league_player AS player ON player.club_id = membership.club_id
    AND (player.id IN (SELECT id FROM roots) OR player.main_id IN (SELECT id FROM roots))
WHERE membership.club_id = %s AND membership.user_id = %s"""


def own_players(user: RequestUser) -> QuerySet[Player]:
    """Return the players of this person in every club: those tied to the account, and those merged with them."""
    roots = Player.objects.filter(user_id=user.pk or 0).values(root=Coalesce("main_id", "pk"))
    return Player.objects.filter(Q(pk__in=roots) | Q(main__in=roots))
