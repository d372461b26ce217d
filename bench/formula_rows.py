"""Counting after a hand in a season with a formula, of each kind, against one without, and in a large season."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence

from bench.databases import Database
from bench.demo_server import Demo
from bench.evening import OTHER_CLUB, OTHER_RECORDER, RecordedEvening
from bench.formulas import HEAVIEST, ranked
from bench.measure import ROUNDS, Row, milliseconds
from league.standings.counting import count_season
from league.standings.formula import progress
from league.standings.formula.parts import Values


class Worker:
    """A worker of one database, with its memory. It has counted a season, and counts it after hands."""

    def __init__(self, data: Database, formula: Values | None) -> None:
        self.data = data
        self.kept: dict[int, tuple[progress.Stamp, progress.Progress]] = {}
        data.use()
        self.evening = RecordedEvening(OTHER_CLUB, OTHER_RECORDER)
        self.evening.record()
        if formula:
            # The players of the first evening are known only when it is counted.
            count_season(self.evening.season.pk)
            ranked(self.evening.season, formula)
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
    by_formula, plain = (demo.on(vendor).copy(name) for name in ("formula", "no_formula"))
    sides = [Worker(by_formula, HEAVIEST), Worker(plain, None)]
    row = _row(f"counting after a hand: the heaviest formula against none, {vendor}", sides, None, 2)
    by_formula.remove()
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
