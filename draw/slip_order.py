"""Slips for the first round: each arriving entrant takes the next one and has a table and a seat at once."""

from collections.abc import Sequence

from draw.judge import judge
from draw.lot import Lot
from draw.model import PastRound, Round, Sizes, Slip, Table
from draw.numbering import table_numbers
from draw.sizes import table_sizes

WAVE = 3
"""How many tables fill at the same time while there are fewer than all."""


def slips(
    players: int,
    sizes: Sizes,
    seed: int,
    *,
    closed_tables: frozenset[int] = frozenset(),
    fixed_tables: frozenset[int] = frozenset(),
) -> tuple[Slip, ...]:
    """Return the slips in the order in which they are taken, for twice as many as are expected.

    The tables for the expected ``players`` get the least number of seats first, a few tables at a time; then each gets
    one seat after the other. So from the least seats of all these tables on, every head count up to their most seats
    leaves allowed sizes only, and nobody moves. Below, and above it, that holds each time a few tables are full;
    between, at most those at the unfinished tables must take other seats: `redraw_round` seats them.

    The tables have the lowest numbers that are not closed. The fixed ones that are not closed are among the tables for
    the expected players.

    Raises:
        ValueError: the players cannot fill a table.
    """
    numbers = table_numbers(len(table_sizes(players, sizes)), closed_tables, fixed_tables - closed_tables)
    used = closed_tables | frozenset(numbers)
    lot = Lot(seed, "slips", players)
    taken: list[Slip] = []
    while not taken or len(taken) < 2 * players:
        for start in range(0, len(numbers), WAVE):
            taken += _by_lot(numbers[start : start + WAVE], 1, sizes.least, lot)
        for seat in range(sizes.least + 1, sizes.most + 1):
            taken += _by_lot(numbers, seat, seat, lot)
        numbers = table_numbers(min(WAVE, len(numbers)), used, frozenset())
        used |= frozenset(numbers)
    return tuple(taken)


def _by_lot(tables: list[int], first: int, last: int, lot: Lot) -> list[Slip]:
    """Return the slips for the seats from first to last at these tables, seat by seat, the tables by lot."""
    return [Slip(table, seat) for seat in range(first, last + 1) for table in lot.shuffled(tables)]


def round_of_slips(taken: Sequence[Slip], numbers: Sequence[int], seed: int = 0) -> Round:
    """Return the round in which the entrants with these start numbers have the places of their slips."""
    places: dict[int, list[tuple[int, int]]] = {}
    for slip, number in zip(taken, numbers, strict=True):
        places.setdefault(slip.table, []).append((slip.seat, number))
    tables = tuple(
        Table(table, tuple(number for _, number in sorted(seats))) for table, seats in sorted(places.items())
    )
    return Round(tables, (), judge([PastRound(tables)], seed=seed))
