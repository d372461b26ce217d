"""How the sums of a season are made, and what another formula would change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...models import EveningScore, Player, Season, Standing
from .. import selectors
from .evaluate import Line
from .facts import circumstances_of, evenings_of, formula_of, race_of, run
from .parts import Formula
from .words import reasons, show_value, team_sentence, why_unranked


def effective_formula(season: Season) -> Formula:
    """Return the season's formula, or its own settings as one. One query at most."""
    found = formula_of(season)
    if found is not None:
        return found
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


def unranked_notes(season: Season) -> Mapping[int, str]:
    """Return why players are not ranked, by player; empty for a season without a formula. Two queries at most."""
    formula = formula_of(season)
    if formula is None:
        return {}
    found = Standing.objects.filter(season=season).exclude(unranked="")
    rows = found.values_list("player_id", "unranked", "evenings", "hands")
    return {
        player: why_unranked(formula, Line(player, 0, 0, unranked, "", evenings, hands, 0, 0, ()))
        for player, unranked, evenings, hands in rows
    }


def team_rules(season: Season, teams: Sequence[object]) -> str:
    """Return how many members of a team count, in a sentence; an empty text without teams. One query at most."""
    formula = formula_of(season) if teams else None
    return team_sentence(formula) if formula else ""
