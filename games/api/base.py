"""The frame of the games' addresses: evenings and tables of a club, and refusals of services as problems."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.http import Http404
from rest_framework.response import Response

from league.api import keeping
from league.api.base import ClubView
from league.api.problems import Problem
from league.api.refusals import is_clause, of_refused
from league.models import Evening, Season, User

from .. import recording, selectors, steps
from ..errors import Refused
from ..models import Table
from .seeing import Eyes, at_table, of_evening


def hand_problem(refused: Refused, record: Mapping[str, Any]) -> Problem:
    """The refusal of a hand, with the seat that its place means."""
    told = of_refused(refused)
    seat = seat_of(record, refused.at) if is_clause(refused.code) else None
    if seat is not None:
        told.more["seat"] = seat
    return told


def seat_of(record: Mapping[str, Any], at: str) -> int | None:
    """Whose doing a place in a record is; None where it is nobody's, or cannot be told."""
    name, _, rest = at.replace("[", ".").replace("]", "").partition(".")
    where = rest.split(".") if rest else []
    try:
        found = _seat_of(record, name, where)
    except (KeyError, IndexError, TypeError, ValueError, recording.Fault):
        return None
    return found if type(found) is int and 0 <= found < recording.MAX_SEATS else None


def _seat_of(record: Mapping[str, Any], name: str, where: list[str]) -> Any:
    value = record.get(name)
    if name in ("declarer", "last_word", "dealer"):
        return value
    if name == "rob" and value is not None:
        return value["seat"]
    if name == "tricks":
        return int(where[0])
    if name == "deal" and where[:1] == ["hands"]:
        return int(where[1])
    if name in ("joiners", "made") and value is not None:
        return value[int(where[0])]
    if name in ("calls", "answers") and value is not None:
        return value[int(where[0])][0]
    if name == "exchanges" and value is not None:
        return value[int(where[0])]["seat"]
    if name == "play":
        # Whose card it is follows from what was played up to there.
        so_far = steps.sound(dict(record))
        ask = steps.walk(so_far).ask if so_far is not None else None
        return ask.seat if ask is not None else None
    return None


class NightView(ClubView):
    """An address of a club's evenings and tables."""

    @property
    def author(self) -> User | None:
        """Who writes."""
        return self.request.user if isinstance(self.request.user, User) else None

    @property
    def key(self) -> uuid.UUID:
        """The key of the write. Raises Problem (400)."""
        return keeping.key_sent(self.request)

    def evening(self, evening: int) -> Evening:
        """The evening that the address names, with its season and house rules, if it is this club's."""
        evenings = Evening.objects.select_related("season", "club", "house_rules")
        found = evenings.filter(club=self.access.club, pk=evening).first()
        if found is None:
            raise Http404("no such evening")
        return found

    def table(self, table: int) -> Table:
        """The same for a table."""
        found = selectors.table_of(club_id=self.access.club.pk, table_id=table)
        if found is None:
            raise Http404("no such table")
        return found

    def season(self, slug: str) -> Season:
        """The same for a season by its short name."""
        found = Season.objects.filter(club=self.access.club, slug=slug).first()
        if found is None:
            raise Http404("no such season")
        return found

    def at(self, table: Table) -> Eyes:
        """What the asker may see at a table."""
        return at_table(self.access, table.evening)

    def of(self, evening: Evening) -> Eyes:
        """What the asker may see of an evening."""
        return of_evening(self.access, evening)

    def again(self, response: Response) -> Response:
        """The answer, marked as one that was given before by another way, such as a page."""
        response[keeping.REPLAYED] = "true"
        return response
