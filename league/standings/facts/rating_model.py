"""The rating: an estimate of a player's strength with its standard deviation. An evening is one match of all its
players.

The model is Plackett–Luce of Weng and Lin (2011), by openskill. Everybody begins with the mean `MU` and the standard
deviation `SIGMA`; an evening with a better rank than expected raises the mean, each evening makes it more exact, and
`TAU` makes it a little less exact again, as people change. Numbers are rounded to thousandths after each evening, so
that a rating is the same whether it was computed by evening or from scratch. Does not use Django.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from openskill.models import PlackettLuce

MU, SIGMA = 25.0, 25 / 3
BETA, TAU = 50 / 3, 25 / 300
"""`BETA` is the luck of an evening, four times the default of openskill. With a smaller value one evening changes a
rating too much, and last season's rank predicts the next evening better (`bench/rating_rows.py`)."""
GAMMA = 1.0
"""The part of an evening's effect on the deviation that is applied. The default of openskill is so small that a rating
would never become exact; with 1 the true strength is within the band in 95 of 100 cases (the same back-test)."""
METHOD = f"openskill PlackettLuce {MU:g} {SIGMA:.3f} {BETA:.3f} {TAU:.3f} {GAMMA:g} by evening"
"""Stored with the ratings: others are computed again."""
THOUSANDTHS = 1000
SHOWN = 40
"""Points of a page for 1 of the model: a beginner stands at 1000."""
LEAST = 5
"""With fewer evenings a rating is not shown."""
SURE = 2
"""Standard deviations to each side, for 95 of 100 cases."""

_model = PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, tau=TAU, gamma=lambda *_known: GAMMA)


class Skill(NamedTuple):
    """Mean and standard deviation in thousandths of the model's unit, and the number of evenings rated."""

    mu: int = round(MU * THOUSANDTHS)
    sigma: int = round(SIGMA * THOUSANDTHS)
    evenings: int = 0

    @property
    def known(self) -> bool:
        """True if there are enough evenings to show it."""
        return self.evenings >= LEAST

    @property
    def points(self) -> int:
        """The mean in points of a page."""
        return _shown(self.mu)

    @property
    def spread(self) -> int:
        """Half the width of the 95 % interval, in points of a page."""
        return _shown(SURE * self.sigma)

    @property
    def low(self) -> int:
        """The lower bound of the 95 % interval, in points of a page."""
        return self.points - self.spread

    @property
    def high(self) -> int:
        """The upper bound of the 95 % interval, in points of a page."""
        return self.points + self.spread


BEGINNER = Skill()


def _shown(thousandths: int) -> int:
    return (2 * thousandths * SHOWN + THOUSANDTHS) // (2 * THOUSANDTHS)


def after(match: Mapping[int, int], before: Mapping[int, Skill]) -> dict[int, Skill]:
    """Return the skills of all players of a match after it. `match`: the result of each of them, the highest is best;
    equal players share a rank. A match with one player changes nothing."""
    if len(match) < 2:
        return {player: before.get(player, BEGINNER) for player in match}
    order = sorted(match)
    known = [before.get(player, BEGINNER) for player in order]
    teams = [[_model.rating(mu=skill.mu / THOUSANDTHS, sigma=skill.sigma / THOUSANDTHS)] for skill in known]
    ranks = [1.0 + sum(other > match[player] for other in match.values()) for player in order]
    rated = _model.rate(teams, ranks=ranks)
    return {
        player: Skill(round(team[0].mu * THOUSANDTHS), round(team[0].sigma * THOUSANDTHS), old.evenings + 1)
        for player, old, team in zip(order, known, rated, strict=True)
    }


def chance(skill: Skill, other: Skill) -> float:
    """Return the chance that the first one ends an evening ahead of the other, from 0 to 1."""
    spread = math.sqrt(2 * BETA**2 + (skill.sigma**2 + other.sigma**2) / THOUSANDTHS**2)
    return (1 + math.erf((skill.mu - other.mu) / THOUSANDTHS / spread / math.sqrt(2))) / 2
