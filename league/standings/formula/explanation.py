"""Explain the sums of a season's players."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from django.db.models import F

from ...access import ClubAccess
from ...models import EveningScore, Player, Season, SeasonFormula
from .. import selectors
from ..standing_lines import StandingLine
from .inputs import circumstances_of, evenings_of, formula_of, of_persons, own_formula, race_of, run
from .parts import Formula, read
from .ranking import Race, RaceLine
from .sentences import described, why_unranked


def rules_of(access: ClubAccess, formula: Formula) -> list[str]:
    """Return a formula in sentences, with the names that this reader may see. With a handicap one query, for a visitor
    one more."""
    players = [player for player, _points in formula.handicap]
    rows = Player.objects.filter(pk__in=players).values_list("pk", "nickname", "main_id", "main__nickname")
    known = list(rows) if players else []
    names = {main or pk: access.names.show(main or pk, of_main or own) for pk, own, main, of_main in known}
    return described(of_persons(formula, {pk: main for pk, _own, main, _of in known if main}), names)


def lines_of(season: Season, formula: Formula) -> list[RaceLine]:
    """Return the lines of a season under a formula, the first one first. Four queries."""
    return raced(season, formula).lines()


def raced(season: Season, formula: Formula) -> Race:
    """Return the race of a season under a formula, played to the end. Four queries."""
    return run(race_of(formula, circumstances_of(season)), evenings_of(season).counted)


def dropped_evenings(player: Player, season: Season, scores: Sequence[EveningScore]) -> set[int]:
    """Return the ids of a player's evenings that do not count. `scores` are all evenings of the player, in order."""
    if not season.has_formula:
        # No race is needed, and no query.
        return selectors.dropped_evenings(scores, season.best_evenings)
    lines = lines_of(season, formula_of(season))
    own = next((line for line in lines if line.player == player.pk), None)
    return {night.evening for night in own.nights if not night.counts} if own else set()


def unranked_notes(formula: Formula, lines: Iterable[StandingLine]) -> Mapping[int, str]:
    """Return the reasons why players are not ranked, by player."""
    return {
        line.player_id: why_unranked(
            formula, RaceLine(line.player_id, 0, 0, line.unranked, "", line.evenings, line.hands, 0, 0, ())
        )
        for line in lines
        if line.unranked
    }


def formulas_of(seasons: Collection[Season]) -> dict[int, Formula]:
    """Return the formula that ranks each of these seasons, by season. No query if none is stored, else one."""
    formulas = {season.pk: own_formula(season) for season in seasons}
    keys = [season.pk for season in seasons if season.has_formula]
    if not keys:
        return formulas
    newest = SeasonFormula.objects.filter(season__in=keys, version=F("season__formula_version"))
    return formulas | {season: read(values) for season, values in newest.values_list("season", "values")}


def evenings_unranked(formula: Formula, season: Season, player: Player, scores: Iterable[EveningScore]) -> set[int]:
    """Return the ids of the evenings after which a player was not ranked. `scores` are all evenings of the player in
    the season, in order. No query."""
    played = [(score.evening_id, score.hands) for score in scores]
    guest = player.guest if season.final_guests is None else player.pk in season.final_guests
    if guest and not formula.guests:
        return {evening for evening, _hands in played}
    return formula.too_few_after(played)
