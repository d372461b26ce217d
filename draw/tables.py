"""The tables of one round, from the entrants and the rounds so far."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from draw.blueprint import planned
from draw.groups import balanced, by_lot_apart, by_standing
from draw.history import History
from draw.layout import Layout, layout
from draw.lot import Lot
from draw.model import MODES, Entrant, Mode, Order, PastRound, Sizes, Table
from draw.numbering import numbered, table_numbers
from draw.seats import seat_order


def tables_of_round(
    present: Sequence[Entrant],
    past: Sequence[PastRound],
    sizes: Sizes,
    mode: Mode,
    seed: int,
    named_out: frozenset[int],
    closed_tables: frozenset[int],
    seconds: float,
    order: Order = "repeats",
) -> PastRound:
    """Return the next round without its report; the entrants come by start number."""
    lot = Lot(seed, mode, len(past) + 1)
    history = History(present, past, sizes)
    plan = layout(present, history, sizes, named_out, lot)
    if mode == "random":
        groups = by_lot_apart(plan, present, history, lot, seconds)
    elif mode == "balanced":
        groups = _designed(plan, present, past, history, sizes, seed, order) or balanced(
            plan, present, history, lot, seconds, order
        )
    else:
        groups = by_standing(plan, present, history, lot)
    tables = seated(groups, plan.fixed, present, history, closed_tables, lot, ranked=mode == "standing")
    return PastRound(tables, tuple(present[player].number for player in plan.out), seed)


def _designed(
    plan: Layout,
    entrants: Sequence[Entrant],
    past: Sequence[PastRound],
    history: History,
    sizes: Sizes,
    seed: int,
    order: Order,
) -> list[list[int]] | None:
    """Return the groups of the next round of a design, with the fixed tables at their places; None without one."""
    groups = planned(plan, entrants, past, history, sizes, seed, order)
    if groups is not None:
        fixed = {
            place: entrants[member].fixed_table
            for place, members in enumerate(groups)
            for member in members
            if entrants[member].fixed_table is not None
        }
        plan.fixed = {place: number for place, number in fixed.items() if number is not None}
    return groups


def checked(entrants: Iterable[Entrant], mode: str, closed_tables: frozenset[int]) -> list[Entrant]:
    """Return the entrants by start number.

    Raises:
        ValueError: a start number is there twice, a fixed table is closed, or the mode is unknown.
    """
    if mode not in MODES:
        raise ValueError(f"The mode of a draw is one of {', '.join(MODES)}, not {mode!r}.")
    present = sorted(entrants, key=lambda entrant: entrant.number)
    for first, other in pairwise(present):
        if first.number == other.number:
            raise ValueError(f"Start number {first.number} is there twice.")
    for entrant in present:
        if entrant.fixed_table in closed_tables:
            raise ValueError(f"Entrant {entrant.number} has the fixed table {entrant.fixed_table}, which is left out.")
    return present


def checked_out(out: Iterable[int], present: Sequence[Entrant]) -> frozenset[int]:
    """Return the start numbers that the desk names as sit-outs.

    Raises:
        ValueError: one of them is not present.
    """
    named = frozenset(out)
    if strangers := named - {entrant.number for entrant in present}:
        raise ValueError(f"Entrant {min(strangers)} cannot sit out: nobody with this start number is present.")
    return named


def seated(
    groups: Sequence[Sequence[int]],
    fixed: dict[int, int],
    entrants: Sequence[Entrant],
    history: History,
    closed: frozenset[int],
    lot: Lot,
    *,
    ranked: bool = False,
) -> tuple[Table, ...]:
    """Return the groups as tables with numbers and seats, by table number.

    ``fixed`` has the number of a fixed table by its place among the groups; the other tables of a draw that is
    ``ranked`` are numbered in their order.
    """
    numbers = table_numbers(len(groups), closed, frozenset(fixed.values()))
    if ranked:
        free = iter([number for number in numbers if number not in fixed.values()])
        chosen = [fixed[place] if place in fixed else next(free) for place in range(len(groups))]
    else:
        chosen = numbered(groups, numbers, fixed, history, lot)
    tables = [
        Table(number, tuple(entrants[player].number for player in seat_order(members, history, lot)))
        for number, members in zip(chosen, groups, strict=True)
    ]
    return tuple(sorted(tables, key=lambda table: table.number))
