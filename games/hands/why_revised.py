"""The reasons of revisions: a hand was corrected itself, or only its amounts changed after a correction of another
hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from ..models import Correction, Revision

AGAIN, RECOUNTED = "again", "recounted"
"""`AGAIN`: undone and entered again. `RECOUNTED`: only an earlier hand changed. Any other reason is the kind of the
correction that changed the hand."""

Kind = Correction.Kind
Row = tuple[int, int, Any, str | None, int | None, Mapping[str, Any] | None]


def why_revised(tables: Iterable[int]) -> dict[tuple[int, int], str]:
    """The reason of each revised hand, by table and hand number. One query."""
    rows = (
        Revision.objects.filter(hand__table__in=list(tables), kind=Revision.Kind.ENTERED, number__gt=1)
        .order_by("pk")
        .values_list(
            "hand__table_id",
            "hand__number",
            "correction_id",
            "correction__kind",
            "correction__number",
            "correction__details",
        )
    )
    why: dict[tuple[int, int], str] = {}
    for (table, correction), some in groupby(rows, key=lambda row: (row[0], row[2])):
        written = list(some)
        numbers = [number for _table, number, *_rest in written]
        if correction is None:
            why |= {(table, number): AGAIN for number in numbers}
            continue
        _table, _number, _id, kind, first, details = written[0]
        before_of = _number_before(str(kind), first or 0, details or {})
        own = set(_own(str(kind), first or 0, details or {}))
        before = {number: why.get((table, before_of(number))) for number in numbers}
        for number in numbers:
            stays = before[number] or RECOUNTED
            why[table, number] = str(kind) if number in own else RECOUNTED if stays == AGAIN else stays
    return why


def _own(kind: str, first: int, details: Mapping[str, Any]) -> Iterator[int]:
    """The numbers, after the correction, of the hands that it changed itself."""
    if kind == Kind.SEATS:
        yield from range(first, int(details.get("last", first)) + 1)
    elif kind == Kind.MOVED:
        yield int(details.get("to", first))
    elif "hands" in details:
        yield from (int(hand["number"]) for hand in details["hands"])
    elif kind != Kind.VOIDED:
        yield first


def _number_before(kind: str, first: int, details: Mapping[str, Any]) -> Callable[[int], int]:
    """Return a function from the number of a hand after a correction to its number before it."""
    if kind == Kind.INSERTED:
        return lambda number: number - 1 if number > first else number
    if kind == Kind.VOIDED:
        return lambda number: number + 1 if number >= first else number
    if kind == Kind.MOVED:
        to = int(details.get("to", first))
        low, high, by = (first, to, 1) if first < to else (to, first, -1)
        return lambda number: first if number == to else number + by if low <= number <= high else number
    return lambda number: number
