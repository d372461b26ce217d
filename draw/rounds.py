"""The draw of one round."""

from collections.abc import Iterable, Sequence

from draw.judge import judge
from draw.model import DEFAULT_SIZES, Entrant, Mode, Order, PastRound, Round, Sizes, Table
from draw.plans import MOST_ANNEALED, MOST_PLAYERS, MOST_ROUNDS, all_at_once, at_best, plan, round_by_round
from draw.tables import checked, checked_out, tables_of_round


def draw_round(
    entrants: Iterable[Entrant],
    past: Sequence[PastRound] = (),
    sizes: Sizes = DEFAULT_SIZES,
    *,
    mode: Mode = "balanced",
    seed: int,
    out: Iterable[int] = (),
    closed_tables: frozenset[int] = frozenset(),
    seconds: float = 2.0,
    rounds: int | None = None,
    order: Order = "repeats",
) -> Round:
    """Draw the next round for the entrants who are present.

    ``past`` are all rounds so far, in order. ``out`` are the start numbers of those whom the desk names to sit out;
    more sit out, in turn, where the sizes of the tables ask for it. ``closed_tables`` are table numbers that are
    left out. ``seconds`` stands for a number of steps of the search, at a fixed rate: the result never depends on the
    machine. ``rounds`` is the number of all rounds, if it is known: a balanced draw then looks ahead to the last one,
    as long as there are no labels, fixed tables or closed tables. While the entrants stay the same it follows the plan;
    after a change the rounds to come are planned again. ``order`` is the order of the rules.

    Raises: ValueError: a sentence about the fault of the input.
    """
    present = checked(entrants, mode, closed_tables)
    named_out = checked_out(out, present)
    drawn = None
    if mode == "balanced" and rounds and not (named_out or closed_tables):
        drawn = _ahead(present, past, sizes, seed, seconds, rounds, order)
    if drawn is None:
        drawn = tables_of_round(present, past, sizes, mode, seed, named_out, closed_tables, seconds, order)
    searched = seconds if mode == "balanced" else 0.0
    report = judge([*past, drawn], present, sizes, seed=seed, order=order, searched=searched)
    return Round(drawn.tables, drawn.out, report)


def _ahead(
    present: Sequence[Entrant],
    past: Sequence[PastRound],
    sizes: Sizes,
    seed: int,
    seconds: float,
    rounds: int,
    order: Order,
) -> PastRound | None:
    """Return the next round with a view to all rounds to come; None if there is no more to see than this one."""
    possible = len(past) < rounds <= MOST_ROUNDS and len(present) <= MOST_PLAYERS
    if not possible or any(entrant.labels or entrant.fixed_table is not None for entrant in present):
        return None
    drawn = _from_plan(present, past, sizes, seed, seconds, rounds, order)
    if drawn is not None or len(present) > MOST_ANNEALED or len(past) + 1 == rounds:
        return drawn
    played = len(past)
    drafted = round_by_round(present, past, rounds, sizes, seed, seconds, order)
    report = judge(drafted, (), sizes, order=order)
    if not at_best(report):
        better = all_at_once(present, drafted, sizes, seed, seconds, order, played)
        if judge(better, (), sizes, order=order).figures < report.figures:
            drafted = better
    return drafted[played]


def _from_plan(
    present: Sequence[Entrant],
    past: Sequence[PastRound],
    sizes: Sizes,
    seed: int,
    seconds: float,
    rounds: int,
    order: Order,
) -> PastRound | None:
    """Return the next round of the plan, if all rounds so far are the first ones of it; else None."""
    first = past[0].seed if past and past[0].seed is not None else seed
    made = plan(len(present), rounds, sizes, seed=first, seconds=seconds, order=order)
    names = {player: entrant.number for player, entrant in enumerate(present, 1)}
    named = [
        PastRound(
            tuple(Table(table.number, tuple(names[player] for player in table.seats)) for table in drawn.tables),
            tuple(names[player] for player in drawn.out),
            seed,
        )
        for drawn in made.rounds
    ]
    for played, planned in zip(past, named, strict=False):
        if _groups(played) != _groups(planned) or set(played.out) != set(planned.out):
            return None
    return named[len(past)]


def _groups(played: PastRound) -> set[frozenset[int]]:
    return {frozenset(table.seats) for table in played.tables}
