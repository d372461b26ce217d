"""Counting after a hand in a season with a formula, of each kind, against one without, and in a large season."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence

from bench.databases import Database
from bench.demo_server import Demo
from bench.evening import OTHER_CLUB, OTHER_RECORDER, RecordedEvening
from bench.measure import ROUNDS, Row, milliseconds
from league.standings.counting import count_season
from league.standings.formula import progress
from league.standings.formula.parts import TIES, Values
from league.standings.formula.services import formula_set

PARTS: Values = {
    "best": 30,
    "drop": 1,
    "drop_one_more_every": 3,
    "attendance_minimum": 2,
    "hands_minimum": 10,
    "hands_minimum_evening": 2,
    "attendance_bonus": 1,
    "absences": "zero",
    "guests": False,
    "ties": list(TIES),
    "lot_seed": "7",
}
FORMULAS: dict[str, Values] = {
    "points": PARTS | {"counts": "points"},
    "amounts": PARTS | {"counts": "net", "attendance_bonus": 0},
    "places": PARTS | {"counts": "places", "places": [10, 8, 6, 5, 4, 3, 2, 1]},
    "average a hand": PARTS | {"counts": "average_hand", "absences": "skip"},
    "average an evening": PARTS | {"counts": "average_evening"},
}
"""For each value that an evening can have, a formula with all parts that go with it."""
HEAVIEST = FORMULAS["average an evening"]


class Worker:
    """A worker of one database, with its memory. It has counted a season, and counts it after hands."""

    def __init__(self, data: Database, formula: Values | None) -> None:
        self.data = data
        self.kept: dict[int, tuple[progress.Stamp, progress.Progress]] = {}
        data.use()
        self.evening = RecordedEvening(OTHER_CLUB, OTHER_RECORDER)
        self.evening.record()
        if formula:
            formula_set(season=self.evening.season, actor=None, values=formula)
        self.count()

    def count(self) -> float:
        """Store a hand and count it; return the seconds of the count."""
        self.data.use()
        self.evening.record()
        progress.recall(self.kept)
        begun = time.perf_counter()
        if not count_season(self.evening.season.pk):
            raise RuntimeError("the season was not counted")
        took = time.perf_counter() - begun
        self.kept = progress.all_kept()
        return took


def after_a_hand(demo: Demo, vendor: str) -> Row:
    """Compare the count after a hand with the heaviest formula with that of a season without a formula."""
    ranked, plain = (demo.on(vendor).copy(name) for name in ("formula", "no_formula"))
    sides = [Worker(ranked, HEAVIEST), Worker(plain, None)]
    row = _row(f"counting after a hand: the heaviest formula against none, {vendor}", sides, None, 2)
    ranked.remove()
    plain.remove()
    return row


def growth(few: Database, many: Database, name: str, values: Values, sizes: str) -> Row:
    """Compare the count of a large season with a formula with that of a small one."""
    sides = [Worker(data, values) for data in (many, few)]
    return _row(f"counting after a hand by a formula, {name}: {sizes}", sides, 2, 1.3)


def _row(what: str, sides: Sequence[Worker], must: float | None, stretch: float) -> Row:
    for side in sides:
        side.count()
    turns = [tuple(side.count() for side in sides) for _ in range(ROUNDS)]
    ours, theirs = (statistics.median(times) for times in zip(*turns, strict=True))
    ratio = statistics.median(mine / other for mine, other in turns)
    return Row(what, milliseconds(ours), milliseconds(theirs), ratio, must, stretch, at_most=True)
