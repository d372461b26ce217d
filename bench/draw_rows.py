"""The draw: reference cases of the literature, times, and the optimiser of a card-game association (`krcg.seating`)."""

import statistics
import time
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import product

from bench.measure import ROUNDS, Row, milliseconds
from draw import PastRound, Plan, Report, Sizes, Table, judge, plan

CASES = (
    # tables, size, rounds, a record above the promise
    (8, 4, 10, False),
    (7, 4, 9, False),
    (9, 4, 11, False),
    (10, 4, 9, False),
    (4, 4, 5, False),
    (5, 3, 7, False),
    (6, 3, 8, False),
    (7, 3, 10, False),
    (5, 5, 6, False),
    (6, 5, 5, False),
    (10, 4, 13, True),
)
TIMES = (
    # players, rounds, sizes, seconds promised, seconds aimed at
    (32, 9, Sizes(), 10, 1),
    (203, 8, Sizes(4, 4, 5), 2, 0.5),
    (1000, 1, Sizes(), 2, 0.5),
    (800, 10, Sizes(), None, 10),
)
KRCG_SIZES = Sizes(5, 4, 5)
"""`krcg` takes tables of 5 where it can: 37 players are 5 tables of 5 and 3 of 4."""
KRCG_ITERATIONS = 20_000
KRCG_PEOPLE = range(20, 61)
KRCG_ROUNDS = range(2, 9)


def rows() -> Iterator[Row]:
    for tables, size, rounds, record in CASES:
        yield _repeats(f"{tables} x {size}, {rounds} rounds", tables * size, rounds, exactly(size), record)
    yield _repeats("203 at 4 and 5, 8 rounds", 203, 8, Sizes(4, 4, 5), False)
    for players, count, sizes, must, stretch in TIMES:
        yield _time(players, count, sizes, must, stretch)
    if find_spec("krcg"):
        yield against_krcg(37, 3)


def exactly(size: int) -> Sizes:
    return Sizes(size, 3, max(5, size))


def _repeats(what: str, players: int, rounds: int, sizes: Sizes, record: bool) -> Row:
    took, made = _timed(players, rounds, sizes)
    must = None if record else 0
    return Row(f"repeats: {what}", milliseconds(took), made.source, made.report.repeats, must, 0, True, "repeats")


def _time(players: int, rounds: int, sizes: Sizes, must: float | None, stretch: float) -> Row:
    # Another seed each time: a plan is kept in memory.
    taken = [_timed(players, rounds, sizes, seed) for seed in range(ROUNDS)]
    took = statistics.median(seconds for seconds, _ in taken)
    repeats = f"{taken[0][1].report.repeats} repeats"
    return Row(f"time: {players} players, {rounds} rounds", repeats, "", took, must, stretch, True, "s")


def _timed(players: int, rounds: int, sizes: Sizes, seed: int = 1) -> tuple[float, Plan]:
    begun = time.perf_counter()
    made = plan(players, rounds, sizes, seed=seed)
    return time.perf_counter() - begun, made


def against_krcg(players: int, rounds: int) -> Row:
    """Return 1 if the plan is worse than that of `krcg` for the same tables, else 0."""
    took, mine = _timed(players, rounds, KRCG_SIZES)
    begun = time.perf_counter()
    theirs = krcg_report(players, rounds)
    other = time.perf_counter() - begun
    return Row(
        f"points 3 to 5: {players} players, {rounds} rounds, against krcg",
        f"{list(points(mine.report))} in {milliseconds(took)}",
        f"{list(points(theirs))} in {milliseconds(other)}",
        int(points(mine.report) > points(theirs)),
        0,
        0,
        True,
        "worse",
    )


def all_against_krcg() -> Iterator[Row]:
    """Yield the number of plans that are worse than those of `krcg`, and of those with more repeats: an hour."""
    if not find_spec("krcg"):
        return
    what = f"{KRCG_PEOPLE[0]} to {KRCG_PEOPLE[-1]} players, {KRCG_ROUNDS[0]} to {KRCG_ROUNDS[-1]} rounds, against krcg"
    worse, more = [], []
    for players, rounds in product(KRCG_PEOPLE, KRCG_ROUNDS):
        mine, theirs = plan(players, rounds, KRCG_SIZES).report, krcg_report(players, rounds)
        if points(mine) > points(theirs):
            worse.append(f"{players} x {rounds}")
        if mine.repeats > theirs.repeats:
            more.append(f"{players} x {rounds}")
    count = len(KRCG_PEOPLE) * len(KRCG_ROUNDS)
    yield Row(f"points 3 to 5: {what}", ", ".join(worse), f"{count} plans", len(worse), 0, 0, True, "worse")
    yield Row(f"repeats: {what}", ", ".join(more), f"{count} plans", len(more), 0, 0, True, "with more")


def krcg_report(players: int, rounds: int) -> Report:
    """Return the judgement of the plan that `krcg` makes."""
    from krcg import seating

    drawn, _ = seating.optimise(seating.get_rounds(list(range(1, players + 1)), rounds), KRCG_ITERATIONS, 0)
    return judge([_as_past(drawn_round) for drawn_round in drawn], (), KRCG_SIZES)


def points(report: Report) -> tuple[int, ...]:
    """Return the points 3 to 5 of the judgement, each before the next: meetings, repeats, the even share of tables of
    another size, neighbours, deals and seat numbers."""
    return report.most, report.repeats, report.odd_uneven, report.neighbours, report.deals, report.seats


def _as_past(tables: list[list[int]]) -> PastRound:
    return PastRound(tuple(Table(number, tuple(members)) for number, members in enumerate(tables, 1)))
