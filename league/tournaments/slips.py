"""The first round by slips: each entrant draws a table and a seat at check-in, instead of waiting for the draw."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils.translation import gettext as _

import draw

from ..errors import Refused
from ..models import Entrant, Tournament
from .formats import Format


def next_slip(tournament: Tournament) -> list[int]:
    """Return the next free slip as [table, seat, people expected]. The caller holds the tournament's lock.

    The order of the slips depends on the tournament's published seed and the number of people who were entered when
    the first slip was drawn.
    """
    drawn = [slip for slip in _of(tournament).values_list("slip", flat=True) if slip]
    format = Format.read(tournament.format)
    entered = Entrant.objects.filter(tournament=tournament, struck=False).count()
    expected = drawn[0][2] if drawn else max(entered, format.least)
    taken = {(slip[0], slip[1]) for slip in drawn}
    for slip in draw.slips(expected, sizes_of(format), tournament.lot_seed):
        if (slip.table, slip.seat) not in taken:
            return [slip.table, slip.seat, expected]
    sentence = _("All slips are drawn. Begin the first round without slips.")
    raise Refused(status=409, code="slips", sentence=sentence)


def slip_tables(tournament: Tournament, numbers: list[int]) -> dict[int, list[int]]:
    """Return table number → start numbers by seat, of those among `numbers` who drew a slip."""
    found = _of(tournament).filter(number__in=numbers)
    seats: dict[int, list[tuple[int, int]]] = {}
    for number, slip in found.values_list("number", "slip"):
        table, seat, _expected = slip or (0, 0, 0)
        seats.setdefault(table, []).append((seat, number))
    return {table: [number for _seat, number in sorted(people)] for table, people in sorted(seats.items())}


def sizes_of(format: Format) -> draw.Sizes:
    """Return the sizes of tables as the draw reads them."""
    return draw.Sizes(wished=format.wished, least=format.least, most=format.most)


def _of(tournament: Tournament) -> QuerySet[Entrant]:
    return Entrant.objects.filter(tournament=tournament, slip__isnull=False).order_by("number")
