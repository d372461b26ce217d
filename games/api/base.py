"""The base of all views of the games' API, and the seat that a refusal of a hand means."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.http import Http404
from rest_framework.response import Response
from rest_framework.views import APIView

from league.access import ClubAccess
from league.api import idempotency
from league.api.problems import Problem
from league.api.refusals import is_clause, of_refused
from league.api.views import ClubView, ClubViewSet
from league.models import Evening, Season, User
from league.standings.selectors import backdated

from .. import engine_bridge
from ..cards import steps
from ..errors import Refused
from ..hands import selectors
from ..hands.rounds import check_shown
from ..models import Table
from .visibility import Visibility, visibility_at_table, visibility_of_evening


def hand_problem(refused: Refused, record: Mapping[str, Any]) -> Problem:
    """Return the problem for a refused hand; `seat` is added if its place in the record belongs to one seat."""
    problem = of_refused(refused)
    seat = seat_of(record, refused.at) if is_clause(refused.code) else None
    if seat is not None:
        problem.more["seat"] = seat
    return problem


def seat_of(record: Mapping[str, Any], path: str) -> int | None:
    """Return the seat to which a place in a record (`play[0][1]`) belongs; None if there is no such seat."""
    name, _, rest = path.replace("[", ".").replace("]", "").partition(".")
    where = rest.split(".") if rest else []
    try:
        seat = _seat_of(record, name, where)
    except (KeyError, IndexError, TypeError, ValueError, engine_bridge.Fault):
        return None
    return seat if type(seat) is int and 0 <= seat < engine_bridge.MAX_SEATS else None


def _seat_of(record: Mapping[str, Any], name: str, where: list[str]) -> Any:
    value = record.get(name)
    if name in ("declarer", "last_word", "dealer", "seven_lost"):
        return value
    if name == "rob" and value is not None:
        return value["seat"]
    if name == "tricks":
        return int(where[0])
    if name == "deal" and where[:1] == ["hands"]:
        return int(where[1])
    if name in ("joiners", "made", "players") and value is not None:
        return value[int(where[0])]
    if name in ("calls", "answers") and value is not None:
        return value[int(where[0])][0]
    if name == "exchanges" and value is not None:
        return value[int(where[0])]["seat"]
    if name == "play":
        # The record does not name the player of each card: it follows from the cards before it.
        so_far = steps.valid_part(dict(record))
        question = steps.walk(so_far).question if so_far is not None else None
        return question.seat if question is not None else None
    return None


class GamesMixin(APIView):
    """The evening, table or season that the address names, and what a reader may see of it."""

    access: ClubAccess
    visibility: Visibility
    """What the client may see of the table or evening; the handler sets it for the fields of the answer."""

    @property
    def author(self) -> User | None:
        """The user who writes; None if nobody is signed in."""
        return self.request.user if isinstance(self.request.user, User) else None

    @property
    def key(self) -> uuid.UUID:
        """The idempotency key of the request. Raises Problem (400) if there is none."""
        return idempotency.key_sent(self.request)

    def evening(self, evening: int) -> Evening:
        """Return an evening of this club, `backdated` or not, with its season and house rules. Raises Http404."""
        evenings = Evening.objects.select_related("season", "club", "house_rules")
        night = evenings.filter(club=self.access.club, pk=evening).annotate(backdated=backdated()).first()
        if night is None:
            raise Http404("no such evening")
        check_shown(self.access, night)
        return night

    def table(self, table: int) -> Table:
        """Return a table of this club. Raises Http404."""
        card_table = selectors.table_of(club=self.access.club, table_id=table)
        if card_table is None:
            raise Http404("no such table")
        check_shown(self.access, card_table.evening)
        return card_table

    def season(self, slug: str) -> Season:
        """Return a season of this club by its short name. Raises Http404."""
        season = Season.objects.filter(club=self.access.club, slug=slug).first()
        if season is None:
            raise Http404("no such season")
        return season

    def visibility_at(self, table: Table) -> Visibility:
        """Return the visibility of a table for the client."""
        return visibility_at_table(self.access, table.evening)

    def visibility_of(self, evening: Evening) -> Visibility:
        """Return the visibility of an evening for the client."""
        return visibility_of_evening(self.access, evening)

    def as_replayed(self, response: Response) -> Response:
        """Mark an answer as repeated: the idempotency key was used before, here or on a page."""
        response[idempotency.REPLAYED] = "true"
        return response


class GamesView(GamesMixin, ClubView):
    """Base of the API views of a club's evenings, tables and house rules."""


class GamesViewSet(GamesMixin, ClubViewSet):
    """A viewset of a club's evenings, tables or house rules."""
