"""P9: random postings over several evenings, counted at random times, against counts from scratch; without a formula,
and with one, whose points and ranks must be those of a plain model as well."""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from league.models import Player
from league.standings import counting, counting_sql
from league.standings.formula import counting as formula_counting
from league.standings.formula import progress
from league.standings.formula.ranking import Race
from tests.sizes import sized

from . import formula_traits
from .formula_traits import OWN, TRAITS, WITHOUT_EFFECT, Trait
from .random_formula import RandomFormula, composed
from .random_season import RandomSeason

pytestmark = pytest.mark.django_db

RUNS = int(os.environ.get("COUNTING_RUNS", sized("2", "4")))
SHARES = 2
"""So that two processes end at the same time. The tallies are those of one share."""
MOST_RUNS = 5 * RUNS
"""A share goes on up to this seed, if an operation was possible in none of its runs, or a trait decided nothing."""

SOMETIMES = {"reopen", "mark", "unmerge", "undo_adjustment"}
"""What can be done only after something else was."""


@dataclass
class Tally:
    """What the runs of a share did: the number of runs of each operation, the names of all operations, and the traits
    of formulas that were compared, and that decided something."""

    done: Counter[str] = field(default_factory=Counter)
    names: set[str] = field(default_factory=set)
    compared: set[Trait] = field(default_factory=set)
    mattered: set[Trait] = field(default_factory=set)

    def add(self, run: RandomSeason) -> None:
        self.done += run.done
        self.names |= {operation.__name__ for operation in (*run.often(), *run.seldom())}
        if isinstance(run, RandomFormula):
            self.compared |= run.compared
            self.mattered |= run.mattered

    def never(self) -> set[str]:
        """Return the operations that changed nothing in any run."""
        return {name for name in self.names if not self.done[name]}


def tally(kind: type[RandomSeason], share: int, mattering: set[Trait]) -> Tally:
    """Run a share of the seeds, and further ones until all of this mattered."""
    totals = Tally()
    for seed in range(share, MOST_RUNS, SHARES):
        if seed >= RUNS and totals.never() <= SOMETIMES and mattering <= totals.mattered:
            break
        with transaction.atomic():
            run = kind(seed)
            assert run.run() == [], f"seed {seed}"
            assert {
                operation.__name__ for _since, operation in run.certain() if not run.done[operation.__name__]
            } == set(), f"seed {seed}"
            transaction.set_rollback(True)
        totals.add(run)
    return totals


@pytest.mark.both_databases
@pytest.mark.rest
@pytest.mark.parametrize("share", range(SHARES))
def test_random_evenings_are_ranked_by_every_part_of_a_formula(share):
    """Every part, choice and tie-break is in a formula of the share; each of its half of them decided a rank or value
    that was counted hand by hand, so that a ranking without it would differ from the plain model."""
    half = set(TRAITS[SHARES - 1 - share :: SHARES]) - WITHOUT_EFFECT
    totals = tally(RandomFormula, share, half)
    assert totals.never() <= SOMETIMES
    assert set(TRAITS) - totals.compared == set()
    assert half - totals.mattered == set()


@pytest.mark.both_databases
@pytest.mark.sized
@pytest.mark.parametrize("share", range(SHARES))
def test_random_evenings_are_counted_as_from_scratch(share):
    assert tally(RandomSeason, share, set()).never() <= SOMETIMES


@pytest.mark.parametrize("new", [("ties", "new"), ("new", OWN)])
def test_a_part_that_is_never_drawn_is_found(new, monkeypatch):
    monkeypatch.setattr(formula_traits, "TRAITS", [*TRAITS[:: formula_traits.RUNS_TOGETHER], new])
    rng, players = random.Random(1), [Player(pk=pk) for pk in range(1, 10)]
    monkeypatch.setattr(formula_traits, "RUNS_TOGETHER", 1)
    with pytest.raises(AssertionError, match="new"):
        formula_traits.planned(0, lambda: composed(rng, players))


# --- Without its part the counts differ: the runs can fail, which is shown on one database ------------------

NOTHING = "SELECT 1"
BROKEN: dict[str, tuple[Any, str, Any]] = {
    "old evenings stay in the sums": (counting_sql, "STANDINGS_PART", NOTHING),
    "rows stay": (counting_sql, "NOT_KEPT", "DELETE FROM league_eveningscore WHERE evening_id IN ({changed})"),
    "later evenings are forgotten": (counting_sql, "LATER", ""),
    "earlier evenings are never among the best": (counting_sql, "EARLIER", ""),
    "nobody leaves": (counting_sql, "NOBODY", NOTHING),
    "ranks stay": (counting_sql, "STANDINGS_NOW", NOTHING),
    "transfers are not added": (counting_sql, "NEW_BALANCES", NOTHING),
    "nothing before": (counting, "_newest_with_scores", lambda season, number, before=None: []),
    "other settings are not seen": (counting, "_is_known", lambda season, count: True),
}


def kept_across_a_correction(season_id: int, **stored: Any) -> Any:
    """Return the progress of a count also if an earlier evening changed since."""
    return progress.kept(season_id, **{**stored, "changed": (date.max, 0)})


def without_handicap(race: Race, player: int, score: Any) -> int:
    return int(score.change_minor if race.by_net else score.points)


def nobody_was_beaten(race: Race, equal: Any) -> dict[int, int]:
    return dict.fromkeys(equal, 0)


# The first one is found by a count from scratch, the others by the plain model alone.
BROKEN_FORMULAS: dict[str, tuple[Any, str, Any]] = {
    "progress is kept across a correction": (formula_counting, "kept", kept_across_a_correction),
    "the handicap is forgotten": (Race, "measure", without_handicap),
    "head to head decides nothing": (Race, "_beaten", nobody_was_beaten),
    "every absence is dropped": (Race, "_slots", lambda race, runner: (len(runner.played), 0)),
}


def first_difference(kind: type[RandomSeason]) -> list[str]:
    """Run one seed after the other, until a run differs."""
    for seed in range(40):
        try:
            with transaction.atomic():
                problems = kind(seed).run()
                transaction.set_rollback(True)
        except IntegrityError as refused:
            problems = [str(refused)]
        if problems:
            return problems
    return []


@pytest.mark.rest
@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_without_one_part_the_counts_differ(broken, monkeypatch):
    monkeypatch.setattr(*broken)
    assert first_difference(RandomSeason) != []


@pytest.mark.rest
@pytest.mark.parametrize("broken", BROKEN_FORMULAS.values(), ids=BROKEN_FORMULAS)
def test_with_one_part_of_a_formula_broken_the_counts_differ(broken, monkeypatch):
    monkeypatch.setattr(*broken)
    assert first_difference(RandomFormula) != []
