"""The first round by slips: whoever checks in draws a table and a seat, instead of waiting for the draw."""

from __future__ import annotations

import draw

from ..models import Entrant, Tournament
from .formats import Format


def next_slip(tournament: Tournament) -> list[int]:
    """Return the next free slip as [table, seat]. The caller holds the tournament's lock.

    The order of the slips follows from the tournament's published seed and the number of people entered.
    """
    expected = Entrant.objects.filter(tournament=tournament, struck=False).count()
    taken = {tuple(slip) for slip in _drawn(tournament)}
    for slip in draw.slips(
        max(expected, len(taken) + 1), sizes_of(Format.read(tournament.format)), tournament.lot_seed
    ):
        if tuple(slip) not in taken:
            return list(slip)
    table = max((table for table, _seat in taken), default=0) + 1
    return [table, 1]


def slip_tables(tournament: Tournament, numbers: list[int]) -> dict[int, list[int]]:
    """Return table number → start numbers by seat, of those among `numbers` who drew a slip."""
    found = Entrant.objects.filter(tournament=tournament, number__in=numbers, slip__isnull=False)
    seats: dict[int, list[tuple[int, int]]] = {}
    for number, (table, seat) in found.values_list("number", "slip"):
        seats.setdefault(table, []).append((seat, number))
    return {table: [number for _seat, number in sorted(people)] for table, people in sorted(seats.items())}


def sizes_of(format: Format) -> draw.Sizes:
    """Return the sizes of tables as the draw reads them."""
    return draw.Sizes(wished=format.wished, least=format.least, most=format.most)


def _drawn(tournament: Tournament) -> list[list[int]]:
    rows = Entrant.objects.filter(tournament=tournament, slip__isnull=False)
    return list(rows.values_list("slip", flat=True))
