"""The present positions of happenings in the timeline of a table.

A happening has the number of the hand before it (`Happening.after`) from when it was stored. Hands that were inserted
or taken out before it since then move it. A hand that only got another place does not, because the number of hands
before the happening is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..models import Correction, Happening, Revision


@dataclass(frozen=True)
class Shift:
    """A hand that was inserted (`comes`) or taken out as `number`. `ahead`: it comes before the happenings between its
    neighbours, not after them."""

    at: datetime
    number: int
    comes: bool
    ahead: bool = False

    def moved(self, after: int) -> int:
        """The new position of a happening that came after hand `after`."""
        if not self.comes:
            return after - 1 if self.number <= after else after
        return after + 1 if self.number <= after + self.ahead else after


def positions(happened: Sequence[Happening]) -> dict[object, int]:
    """The present number of the hand before each happening, by its id. Two queries, none without happenings."""
    shifts = _shifts({happening.table_id for happening in happened}) if happened else {}
    return {happening.pk: _now(happening, shifts.get(happening.table_id, ())) for happening in happened}


def _now(happening: Happening, shifts: Sequence[Shift]) -> int:
    after = happening.after
    for shift in shifts:
        # Both are stored under the table's lock, so their times are in the order of the transactions.
        if shift.at > happening.created_at:
            after = shift.moved(after)
    return after


def _shifts(tables: Iterable[int]) -> dict[int, list[Shift]]:
    """By table, oldest first: hands inserted or taken out by corrections, and last hands that were undone."""
    wanted = list(tables)
    by_table: dict[int, list[Shift]] = {table: [] for table in wanted}
    inserted = Correction.Kind.INSERTED
    corrections = Correction.objects.filter(table__in=wanted, kind__in=[inserted, Correction.Kind.VOIDED])
    for table, kind, number, details, moment in corrections.values_list(
        "table_id", "kind", "number", "details", "created_at"
    ):
        by_table[table].append(Shift(moment, number, kind == inserted, bool(details.get("ahead"))))
    undone = Revision.objects.filter(hand__table__in=wanted, kind=Revision.Kind.VOIDED, correction=None)
    for table, number, moment in undone.values_list("hand__table_id", "hand__number", "created_at"):
        by_table[table].append(Shift(moment, number, comes=False))
    return {table: sorted(shifts, key=lambda shift: shift.at) for table, shifts in by_table.items()}
