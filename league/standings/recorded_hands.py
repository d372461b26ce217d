"""What the records of hands say beyond the result rows: the number of a hand, its dealer and its pot.

The league knows no tables: the app that stores the hands registers how they are read (`games/apps.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from django.db import connection

from ..models import HouseRules, Season


class RecordedHands(Protocol):
    """The port. `JOIN` joins the record to a row `hand` with `source` and `posting_id`; the others are its columns."""

    JOIN: str
    TABLE: str
    NUMBER: str
    DEALER: str
    POT: str

    def ante_minor(self, rules: HouseRules) -> int:
        """Return the ante of house rules, in Rappen."""
        ...

    def in_antes(self, amount_minor: int, rules: HouseRules) -> str:
        """Format an amount as a number of antes, for readers who see no amounts."""
        ...


_registered: list[RecordedHands] = []


def register(hands: RecordedHands) -> None:
    """Let `hands` say what the records hold."""
    _registered[:] = [hands]


def recorded() -> RecordedHands:
    """Return what was registered."""
    return _registered[0]


# The hands of some seasons, each once, without those of a game that does not count in its season.
HANDS = """hand AS (
    SELECT r.source, r.posting_id, r.evening_id, COUNT(*) AS seats,
           COUNT(*) FILTER (WHERE r.role = 'joiner') AS joiners,
           MAX(CASE WHEN r.role = 'declarer' THEN r.seat END) AS declarer, SUM(r.pot_won_minor) AS won_minor
    FROM league_resultrow r
    JOIN league_evening counted ON counted.id = r.evening_id
    JOIN league_season season ON season.id = r.season_id
    WHERE r.season_id IN ({seasons}) AND r.role <> 'share' AND (season.games = '' OR season.games = counted.game)
    GROUP BY r.source, r.posting_id, r.evening_id
)"""


def hands_of(seasons: Sequence[Season]) -> str:
    """Return the hands of these seasons as a part of a WITH."""
    return HANDS.format(seasons=", ".join(str(season.pk) for season in seasons) or "NULL")


def rules_of(seasons: Sequence[Season]) -> dict[int, HouseRules]:
    """Return the house rules of the evenings of these seasons. One query."""
    found = HouseRules.objects.filter(evenings__season__in=seasons).distinct()
    return {rules.pk: rules for rules in found}


def ante_case(rules: Mapping[int, HouseRules], column: str) -> str:
    """Return SQL for the ante, in Rappen, of the house rules whose key is in a column."""
    if not rules:
        return "1"
    cases = " ".join(f"WHEN {pk} THEN {recorded().ante_minor(one)}" for pk, one in rules.items())
    return f"CASE {column} {cases} ELSE 1 END"


def rows(query: str, values: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
    """Return the rows of a query."""
    with connection.cursor() as cursor:
        cursor.execute(query, values or {})
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found
