"""The only writer of result rows: one a player and hand, for the valid revision of the hand."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from ..models import Evening, ResultRow


@dataclass(frozen=True)
class Outcome:
    """The result of a hand for one player; amounts in whole Rappen, `role` one of `ResultRow.Role`."""

    player_id: int
    seat: int
    role: str
    made: bool | None
    tricks: int | None
    change_minor: int
    pot_won_minor: int = 0
    walkover: bool = False
    passed_out: bool = False
    blind: str = ""
    susi: bool = False
    muss: bool = False


def rows(
    *, posting_id: uuid.UUID, evening: Evening, source: uuid.UUID, revision: int, outcomes: Sequence[Outcome]
) -> list[ResultRow]:
    """Return the rows of one posting, not stored yet."""
    # The fields of an outcome are columns of a result row.
    return [
        ResultRow(
            posting_id=posting_id,
            season_id=evening.season_id,
            evening_id=evening.pk,
            source=source,
            revision=revision,
            **vars(outcome),
        )
        for outcome in outcomes
    ]


def clear(*, source: uuid.UUID) -> None:
    """Delete the rows of a hand that was voided or corrected."""
    ResultRow.objects.filter(source=source).delete()
