"""The data of hand records that result rows lack: the number of a hand, its dealer and its pot.

The league has no tables: the app that stores the hands registers how they are read (`games/apps.py`).
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from typing import Any, Protocol

from django.db import connection

from ..models import HouseRules, Season


class RecordedHands(Protocol):
    """The port. `JOIN` joins the record to a row `hand` with `source` and `posting_id`; the others are its columns.
    `AT_TABLE` is a query of the postings of the hands of the season `%(season)s` at its tables `%(table)s`."""

    JOIN: str
    TABLE: str
    NUMBER: str
    DEALER: str
    POT: str
    AT_TABLE: str

    def table_numbers(self, season: Season) -> list[int]:
        """Return the numbers of the tables at which this season was played. One query."""
        ...

    def places(self, hands: Collection[uuid.UUID]) -> dict[uuid.UUID, tuple[int, int]]:
        """Return table and number of those of these ids that are hands. One query."""
        ...

    def ante_minor(self, rules: HouseRules) -> int:
        """Return the ante of house rules, in Rappen."""
        ...

    def in_antes(self, amount_minor: int, rules: HouseRules) -> str:
        """Format an amount as a number of antes, for readers who see no amounts."""
        ...


_registered: list[RecordedHands] = []


def register(hands: RecordedHands) -> None:
    """Register the reader of hand records."""
    _registered[:] = [hands]


def recorded() -> RecordedHands:
    """Return the registered reader."""
    return _registered[0]


def rows(query: str, values: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
    """Return the rows of a query."""
    with connection.cursor() as cursor:
        cursor.execute(query, values or {})
        records: list[tuple[Any, ...]] = cursor.fetchall()
    return records
