"""Inputs of the chances, and stored chances."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date

from ..models import Evening, EveningScore, Player, Season, SeasonChances
from ..standings.formula.inputs import circumstances_of, evenings_of, formula_of, race_of
from ..standings.formula.ranking import CountedEvening
from ..standings.overview import runs
from ..standings.plan import planned_days
from .simulation import MOST_LEFT, Start

PROGRAM = 1
"""Raised when the simulation changes, so that stored chances are computed again."""


def running_evening(season: Season) -> Evening | None:
    """Return the evening of the season that is played now; the newest, if there are several. One query."""
    evenings = Evening.nights.filter(season=season, state=Evening.State.OPEN).order_by("-held_on", "-number")
    if season.games:
        evenings = evenings.filter(game=season.games)
    return next((evening for evening in evenings if runs(evening)), None)


def start_of(season: Season, running: Evening | None) -> Start:
    """Return the inputs of a season's chances, without its `running` evening. Six queries at most."""
    circumstances = circumstances_of(season)
    formula = formula_of(season)
    evenings = [counted for counted in evenings_of(season).counted if running is None or counted.evening != running.pk]
    players = Player.objects.filter(club=season.club_id, active=False)
    return Start(
        # With the handicap of merged players.
        formula=race_of(formula, circumstances).formula,
        evenings=evenings,
        left=evenings_left(season, [counted.held_on for counted in _played(evenings)], running),
        guests=circumstances.guests,
        adjustments=circumstances.adjustments,
        away=frozenset(players.values_list("pk", flat=True)),
    )


def _played(evenings: Sequence[CountedEvening]) -> list[CountedEvening]:
    return [counted for counted in evenings if any(score.hands for score in counted.scores.values())]


def evenings_left(season: Season, held_on: Sequence[date], running: Evening | None = None) -> int | None:
    """Return the number of evenings to come, given the days of those that were held, in order: what the planned number
    of the
    season leaves, else those that are in its plan, with the `running` one, else as many as the pace so far leaves until
    the last day. None if nothing says it, or if none is left."""
    if season.planned_evenings:
        return max(0, season.planned_evenings - len(held_on)) or None
    if planned := planned_days(season, _last(held_on)):
        return min(MOST_LEFT, len(planned | ({running.held_on} if running else set())))
    if season.ends_on is None or len(held_on) < 2:
        return None
    pace = (held_on[-1] - held_on[0]).days / (len(held_on) - 1)
    left = (season.ends_on - held_on[-1]).days
    return min(MOST_LEFT, int(left / max(1.0, pace))) or None if left > 0 else None


def in_plan(season: Season, start: Start) -> bool:
    """Return True if the evenings that come are those of the season's plan. One query at most."""
    held_on = [counted.held_on for counted in _played(start.evenings)]
    return not season.planned_evenings and bool(planned_days(season, _last(held_on)))


def _last(held_on: Sequence[date]) -> date | None:
    return held_on[-1] if held_on else None


def inputs_of(start: Start) -> str:
    """Return a digest of all that the chances depend on."""
    evenings = [(counted.evening, counted.held_on, sorted(counted.scores.items())) for counted in start.evenings]
    parts = (start.formula, evenings, start.left, sorted(start.guests), start.adjustments, sorted(start.away))
    return hashlib.sha256(repr((PROGRAM, *parts)).encode()).hexdigest()


def stored_chances(season: Season) -> SeasonChances | None:
    """Return the stored chances. One query."""
    return SeasonChances.objects.filter(season=season).first()


def is_fresh(stored: SeasonChances | None, mark: int, running: Evening | None) -> bool:
    """Return True if these chances are those of a counted mark and of the evening that is played now."""
    return stored is not None and (stored.counted_mark, stored.running_id) == (mark, running.pk if running else None)


def points_so_far(evening: Evening, players: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Return points and amount of these players in an evening, as last counted. One query."""
    scores = EveningScore.objects.filter(evening=evening, player__in=players, hands__gt=0)
    return {
        player: (points, change) for player, points, change in scores.values_list("player", "points", "change_minor")
    }
