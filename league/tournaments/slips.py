"""The first round by slips: each entrant draws a table and a seat at check-in, instead of waiting for the draw."""

from __future__ import annotations

from collections import Counter
from itertools import count

from django.db.models import QuerySet
from django.utils.translation import gettext as _

import draw

from ..errors import Refused
from ..models import Entrant, Tournament
from .formats import Format


def next_slip(tournament: Tournament, entrant: Entrant) -> list[int]:
    """Return the next free slip of an entrant as [table, seat, people expected]. The caller holds the tournament's
    lock.

    The order of the slips depends on the tournament's published seed, the number of people who were entered when the
    first slip was drawn, and the closed and the fixed tables. An entrant with a fixed table gets a seat there, behind
    the others where it is full; a seat of a fixed table is left free for each one who has no slip yet. A fixed table
    that is closed counts as closed: the draw refuses it.

    Raises:
        Refused: 409 where all slips are drawn.
    """
    rows = list(Entrant.objects.filter(tournament=tournament).order_by("number"))
    drawn = [person.slip for person in rows if person.slip]
    others = [person for person in rows if person.pk != entrant.pk]
    fixed = [(other.fixed_table, other.slip) for other in others if other.fixed_table is not None and not other.struck]
    format = Format.read(tournament.format)
    expected = drawn[0][2] if drawn else max(sum(not person.struck for person in rows), format.least)
    taken = {(other.slip[0], other.slip[1]) for other in others if other.slip}
    if entrant.fixed_table is not None and entrant.fixed_table not in tournament.closed_tables:
        free = (seat for seat in count(1) if (entrant.fixed_table, seat) not in taken)
        return [entrant.fixed_table, next(free), expected]
    used = Counter(table for table, _seat in taken)
    used.update(table for table, slip in fixed if not slip)
    order = draw.slips(
        expected,
        sizes_of(format),
        tournament.lot_seed,
        closed_tables=frozenset(tournament.closed_tables),
        fixed_tables=frozenset(table for table, _slip in fixed),
    )
    for slip in order:
        if (slip.table, slip.seat) not in taken and used[slip.table] < format.most:
            return [slip.table, slip.seat, expected]
    sentence = _("All slips are drawn. Begin the first round without slips.")
    raise Refused(status=409, code="slips", sentence=sentence)


def slip_tables(tournament: Tournament, numbers: list[int]) -> dict[int, list[int]]:
    """Return table number → start numbers by seat, of those among `numbers` who drew a slip."""
    drawn = _of(tournament).filter(number__in=numbers)
    seats: dict[int, list[tuple[int, int]]] = {}
    for number, slip in drawn.values_list("number", "slip"):
        table, seat, _expected = slip or (0, 0, 0)
        seats.setdefault(table, []).append((seat, number))
    return {table: [number for _seat, number in sorted(people)] for table, people in sorted(seats.items())}


def sizes_of(format: Format) -> draw.Sizes:
    """Return the sizes of tables as the draw reads them."""
    return draw.Sizes(wished=format.wished, least=format.least, most=format.most)


def _of(tournament: Tournament) -> QuerySet[Entrant]:
    return Entrant.objects.filter(tournament=tournament, slip__isnull=False).order_by("number")
