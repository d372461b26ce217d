"""What the chances of a season are computed from, and the stored ones."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date

from ..models import Evening, EveningScore, Player, Season, SeasonChances
from ..standings.formula.evaluate import Night
from ..standings.formula.explanation import effective_formula
from ..standings.formula.facts import circumstances_of, evenings_of, race_of
from ..standings.overview import runs
from .simulation import MOST_LEFT, Start

PROGRAM = 1
"""Raised when the simulation changes, so that stored chances are computed again."""


def running_evening(season: Season) -> Evening | None:
    """Return the evening of the season that is played now; the newest, if there are several. One query."""
    found = Evening.nights.filter(season=season, state=Evening.State.OPEN).order_by("-held_on", "-number")
    if season.games:
        found = found.filter(game=season.games)
    return next((evening for evening in found if runs(evening)), None)


def start_of(season: Season, running: Evening | None) -> Start:
    """Return what the chances of a season depend on, without its `running` evening. Six queries at most."""
    circumstances = circumstances_of(season)
    formula = effective_formula(season)
    nights = [night for night in evenings_of(season).nights if running is None or night.evening != running.pk]
    players = Player.objects.filter(club=season.club_id, active=False)
    return Start(
        # With the handicap of merged players.
        formula=race_of(formula, circumstances).formula,
        nights=nights,
        left=evenings_left(season, [night.held_on for night in _played(nights)]),
        guests=circumstances.guests,
        adjustments=circumstances.adjustments,
        away=frozenset(players.values_list("pk", flat=True)),
    )


def _played(nights: Sequence[Night]) -> list[Night]:
    return [night for night in nights if any(fact.hands for fact in night.facts.values())]


def evenings_left(season: Season, held_on: Sequence[date]) -> int | None:
    """Return how many evenings come, given the days of those that were held, in order: those that are planned, or as
    many as the pace so far leaves until the last day. None if neither is set, or if none is left."""
    if season.planned_evenings:
        return max(0, season.planned_evenings - len(held_on)) or None
    if season.ends_on is None or len(held_on) < 2:
        return None
    pace = (held_on[-1] - held_on[0]).days / (len(held_on) - 1)
    left = (season.ends_on - held_on[-1]).days
    return min(MOST_LEFT, int(left / max(1.0, pace))) or None if left > 0 else None


def inputs_of(start: Start) -> str:
    """Return a digest of all that the chances depend on."""
    nights = [(night.evening, night.held_on, sorted(night.facts.items())) for night in start.nights]
    parts = (start.formula, nights, start.left, sorted(start.guests), start.adjustments, sorted(start.away))
    return hashlib.sha256(repr((PROGRAM, *parts)).encode()).hexdigest()


def stored_chances(season: Season) -> SeasonChances | None:
    """Return the stored chances. One query."""
    return SeasonChances.objects.filter(season=season).first()


def is_fresh(stored: SeasonChances | None, mark: int, running: Evening | None) -> bool:
    """Return True if these chances are those of a counted mark and of the evening that is played now."""
    return stored is not None and (stored.counted_mark, stored.running_id) == (mark, running.pk if running else None)


def points_so_far(evening: Evening, players: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Return points and amount of these players in an evening, as last counted. One query."""
    found = EveningScore.objects.filter(evening=evening, player__in=players, hands__gt=0)
    return {
        player: (points, change) for player, points, change in found.values_list("player", "points", "change_minor")
    }
