"""Where in the story of a night a happening stands now.

It keeps the hand after which it was written down (`Happening.after`). Hands that were put in or taken out before it
since move it along; one that only changed places with others does not: as many were played before it as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..models import Correction, Happening, Revision


@dataclass(frozen=True)
class Shift:
    """A hand that came in or went out as `number`. `ahead`: it stands before what happened between its neighbours, not
    after it."""

    at: datetime
    number: int
    comes: bool
    ahead: bool = False

    def moved(self, after: int) -> int:
        """The hand after which something stands that stood after hand `after`."""
        if not self.comes:
            return after - 1 if self.number <= after else after
        return after + 1 if self.number <= after + self.ahead else after


def places(happened: Sequence[Happening]) -> dict[object, int]:
    """After which hand each of these stands now, by its key. Two queries, none where nothing happened."""
    shifts = _shifts({one.table_id for one in happened}) if happened else {}
    return {one.pk: _now(one, shifts.get(one.table_id, ())) for one in happened}


def _now(one: Happening, shifts: Sequence[Shift]) -> int:
    after = one.after
    for shift in shifts:
        # Both are written under the table's lock: what is later here came later.
        if shift.at > one.created_at:
            after = shift.moved(after)
    return after


def _shifts(tables: Iterable[int]) -> dict[int, list[Shift]]:
    """By table, oldest first: the corrections that put in and took out, and the last hands that were undone."""
    wanted = list(tables)
    found: dict[int, list[Shift]] = {table: [] for table in wanted}
    inserted = Correction.Kind.INSERTED
    corrections = Correction.objects.filter(table__in=wanted, kind__in=[inserted, Correction.Kind.VOIDED])
    for table, kind, number, details, at in corrections.values_list(
        "table_id", "kind", "number", "details", "created_at"
    ):
        found[table].append(Shift(at, number, kind == inserted, bool(details.get("ahead"))))
    undone = Revision.objects.filter(hand__table__in=wanted, kind=Revision.Kind.VOIDED, correction=None)
    for table, number, at in undone.values_list("hand__table_id", "hand__number", "created_at"):
        found[table].append(Shift(at, number, comes=False))
    return {table: sorted(shifts, key=lambda shift: shift.at) for table, shifts in found.items()}
