"""Situations of a hand and the outcomes that each may have. Reads no database.

A situation is what a table knows before the first trick: the game, how many play, where the declarer sits among them,
and the call. An outcome is what each of those who play made of it, in their order after the dealer: the number of
tricks, or in a game that counts goals 1 for a goal that was reached and 0 for one that was not (its amounts ask for
nothing else, and a record may have no tricks).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from math import factorial, prod
from typing import NamedTuple

from ..played_games import GAMES

NOBODY = -1
"""The place of the declarer in a game without one."""
DECLARER, JOINER = 5, 3
"""The balls of each in the urn of the built-in guess."""
MUSS, SIEBENERMUSS = "muss", "siebenermuss"
ONE_IS_ENOUGH = SIEBENERMUSS
"""The call with which one trick is enough for the declarer, too."""

POTS = (10, 20, 40)
"""The numbers of antes from which a pot is in the next class: who plays for more is more careful."""

Outcome = tuple[int, ...]


class Situation(NamedTuple):
    """`active` players; `declarer`: the place among them in their order after the dealer, from 0, or
    `NOBODY`; `call`: what was said, in the words of the records, or `muss` or `siebenermuss` where everybody had to
    play; `pot`: the class of the pot (`POTS`)."""

    game: str
    active: int
    declarer: int
    call: str
    pot: int = 0

    @property
    def with_any_pot(self) -> Situation:
        """The same situation whatever lies in the pot."""
        return self._replace(pot=0)


Counts = Mapping[Situation, Mapping[Outcome, int]]
"""The number of hands by situation and outcome."""


def reached(situation: Situation, outcome: Outcome) -> tuple[bool, ...]:
    """Return who of those who play reached the goal."""
    if GAMES[situation.game].counts_goals:
        return tuple(part > 0 for part in outcome)
    most = 1 if situation.call == ONE_IS_ENOUGH else 2
    return tuple(part >= (most if place == situation.declarer else 1) for place, part in enumerate(outcome))


@cache
def guess(situation: Situation) -> Mapping[Outcome, int]:
    """Return the built-in guess of a situation: a whole weight for each outcome that the rules allow.

    An urn has five balls of the declarer and three of each joiner. Each trick is a ball drawn from it and put back with
    one more of its owner, as strong hands take several tricks (Pólya). So about as many reach their goals as at a real
    table."""
    weights: Counter[Outcome] = Counter()
    game = GAMES[situation.game]
    for tricks in _shares(game.tricks, situation.active):
        ways = factorial(game.tricks)
        for part in tricks:
            ways //= factorial(part)
        for place, part in enumerate(tricks):
            balls = DECLARER if place == situation.declarer else JOINER
            ways *= prod(range(balls, balls + part))
        outcome = tricks
        if game.counts_goals:
            outcome = tuple(int(part >= (2 if place == situation.declarer else 1)) for place, part in enumerate(tricks))
        weights[outcome] += ways
    return dict(sorted(weights.items()))


def _shares(number: int, places: int) -> Iterator[Outcome]:
    """Yield each way to share a number among some places."""
    if places == 1:
        yield (number,)
        return
    for first in range(number + 1):
        for rest in _shares(number - first, places - 1):
            yield (first, *rest)


Packed = dict[str, dict[str, int]]
"""Counts as JSON."""


def packed(counts: Counts) -> Packed:
    """Return counts as JSON, in one order."""
    return {
        " ".join(map(str, situation)): {"".join(map(str, key)): hands for key, hands in sorted(outcomes.items())}
        for situation, outcomes in sorted(counts.items())
    }


def unpacked(stored: Packed) -> dict[Situation, dict[Outcome, int]]:
    """Return the counts of JSON."""
    situations = {}
    for text, outcomes in stored.items():
        game, active, declarer, call, pot = text.split(" ")
        situation = Situation(game, int(active), int(declarer), call, int(pot))
        situations[situation] = {tuple(map(int, key)): hands for key, hands in outcomes.items()}
    return situations


def pot_class(pot_minor: int, ante_minor: int) -> int:
    """Return the class of a pot by the number of antes in it."""
    return sum(pot_minor >= limit * ante_minor for limit in POTS)


class Tally:
    """A sum of counts that grows."""

    def __init__(self) -> None:
        self.counts: dict[Situation, Counter[Outcome]] = {}

    def add(self, situation: Situation, outcome: Outcome, hands: int = 1) -> None:
        """Count an outcome."""
        self.counts.setdefault(situation, Counter())[outcome] += hands

    def add_all(self, counts: Counts) -> None:
        """Count the outcomes of other counts."""
        for situation, outcomes in counts.items():
            for outcome, hands in outcomes.items():
                self.add(situation, outcome, hands)
