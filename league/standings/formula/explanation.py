"""How the sums of a season are made, and what another formula would change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...models import EveningScore, Player, Season
from .. import selectors
from ..standing_lines import StandingLine
from .evaluate import Line
from .facts import circumstances_of, evenings_of, formula_of, race_of, run
from .parts import Formula
from .words import reasons, show_value, why_unranked


def effective_formula(season: Season) -> Formula:
    """Return the season's formula, or its own settings as one. One query at most."""
    return formula_of(season) or own_formula(season)


def own_formula(season: Season) -> Formula:
    """Return the own settings of a season as a formula. No query."""
    counts = "points" if season.ranking == Season.Ranking.POINTS else "net"
    return Formula(counts=counts, best=season.best_evenings if counts == "points" else None)


def lines_of(season: Season, formula: Formula) -> list[Line]:
    """Return the lines of a season under a formula, the first one first. Four queries."""
    return run(race_of(formula, circumstances_of(season)), evenings_of(season).nights).lines()


@dataclass(frozen=True)
class Move:
    """A player's place and value now, and under another formula, with why it is so."""

    player_id: int
    nickname: str
    rank_now: int
    rank_then: int
    value_now: str
    value_then: str
    unranked: bool
    why: str


def preview(season: Season, formula: Formula) -> list[Move]:
    """Return what a formula would change in the season's standings, by the places that it gives. Seven queries."""
    effective = effective_formula(season)
    now = {line.player: line for line in lines_of(season, effective)}
    names = dict(Player.objects.filter(standings__season=season).values_list("pk", "nickname"))
    return [
        _move(now[line.player], line, effective, formula, names)
        for line in lines_of(season, formula)
        if line.player in names
    ]


def _move(now: Line, then: Line, old: Formula, new: Formula, names: Mapping[int, str]) -> Move:
    return Move(
        player_id=then.player,
        nickname=names[then.player],
        rank_now=now.rank,
        rank_then=then.rank,
        value_now=show_value(old, now.value),
        value_then=show_value(new, then.value),
        unranked=bool(then.unranked),
        why="; ".join(reasons(new, then)),
    )


def dropped_evenings(player: Player, season: Season, scores: Sequence[EveningScore]) -> set[int]:
    """Return the ids of a player's evenings that do not count. `scores` are all evenings of the player, in order."""
    if season.formula_version is None:
        return selectors.dropped_evenings(scores, season.best_evenings)
    lines = lines_of(season, effective_formula(season))
    own = next((line for line in lines if line.player == player.pk), None)
    return {night.evening for night in own.nights if not night.counts} if own else set()


def unranked_notes(formula: Formula | None, lines: Iterable[StandingLine]) -> Mapping[int, str]:
    """Return why players are not ranked, by player; empty for a season without a formula."""
    if formula is None:
        return {}
    return {
        one.player_id: why_unranked(
            formula, Line(one.player_id, 0, 0, one.unranked, "", one.evenings, one.hands, 0, 0, ())
        )
        for one in lines
        if one.unranked
    }
