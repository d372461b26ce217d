"""Explain the sums of a season's players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import F

from ...access import ClubAccess
from ...models import EveningScore, Player, Season, SeasonFormula
from .. import selectors
from ..standing_lines import StandingLine
from .inputs import circumstances_of, evenings_of, formula_of, of_persons, race_of, run
from .parts import Formula, read
from .ranking import Line, Race
from .sentences import described, why_unranked


def effective_formula(season: Season) -> Formula:
    """Return the season's formula, or its own settings as one. One query at most."""
    return formula_of(season) or own_formula(season)


def own_formula(season: Season) -> Formula:
    """Return the own settings of a season as a formula. No query."""
    counts = "points" if season.ranking == Season.Ranking.POINTS else "net"
    best = season.best_evenings if counts == "points" else None
    return Formula(counts=counts, games=season.games, best=best)


def rules_of(access: ClubAccess, season: Season, formula: Formula | None = None) -> list[str]:
    """Return the rules of a season in sentences (of its formula, without one its own settings), with the names that
    this reader may see. With a handicap one query, for a visitor one more."""
    effective = formula or own_formula(season)
    players = [player for player, _points in effective.handicap]
    rows = Player.objects.filter(pk__in=players).values_list("pk", "nickname", "main_id", "main__nickname")
    known = list(rows) if players else []
    names = {main or pk: access.names.show(main or pk, of_main or own) for pk, own, main, of_main in known}
    return described(of_persons(effective, {pk: main for pk, _own, main, _of in known if main}), names)


def lines_of(season: Season, formula: Formula) -> list[Line]:
    """Return the lines of a season under a formula, the first one first. Four queries."""
    return raced(season, formula).lines()


def raced(season: Season, formula: Formula) -> Race:
    """Return the race of a season under a formula, played to the end. Four queries."""
    return run(race_of(formula, circumstances_of(season)), evenings_of(season).counted)


def dropped_evenings(player: Player, season: Season, scores: Sequence[EveningScore]) -> set[int]:
    """Return the ids of a player's evenings that do not count. `scores` are all evenings of the player, in order."""
    if season.formula_version is None:
        return selectors.dropped_evenings(scores, season.best_evenings)
    lines = lines_of(season, effective_formula(season))
    own = next((line for line in lines if line.player == player.pk), None)
    return {night.evening for night in own.nights if not night.counts} if own else set()


def unranked_notes(formula: Formula | None, lines: Iterable[StandingLine]) -> Mapping[int, str]:
    """Return the reasons why players are not ranked, by player; empty for a season without a formula."""
    if formula is None:
        return {}
    return {
        one.player_id: why_unranked(
            formula, Line(one.player_id, 0, 0, one.unranked, "", one.evenings, one.hands, 0, 0, ())
        )
        for one in lines
        if one.unranked
    }


def formulas_of(seasons: Iterable[Season]) -> dict[int, Formula]:
    """Return the formula of each of these seasons that has one, by season. No query if none has, else one."""
    keys = [season.pk for season in seasons if season.formula_version is not None]
    if not keys:
        return {}
    newest = SeasonFormula.objects.filter(season__in=keys, version=F("season__formula_version"))
    return {season: read(values) for season, values in newest.values_list("season", "values")}


def evenings_unranked(
    formula: Formula | None, season: Season, player: Player, scores: Iterable[EveningScore]
) -> set[int]:
    """Return the ids of the evenings after which a player was not ranked. `scores` are all evenings of the player in
    the season, in order. No query."""
    if formula is None:
        return set()
    played = [(score.evening_id, score.hands) for score in scores]
    guest = player.guest if season.final_guests is None else player.pk in season.final_guests
    if guest and not formula.guests:
        return {evening for evening, _hands in played}
    return formula.too_few_after(played)
