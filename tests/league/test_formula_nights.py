"""The form, the evenings won and the ranks of a night agree with the formula of the season."""

from __future__ import annotations

from datetime import date
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import translation

from league.champions.podium import _in_front
from league.models import Player, Season
from league.roster.merging import players_merge
from league.roster.services import player_change
from league.standings import nights, selectors, standing_lines, trends
from league.standings.formula import services
from league.standings.formula.inputs import circumstances_of, evenings_of, formula_of, own_formula, race_of, run
from league.standings.formula.measures import measure_of
from league.standings.formula.ranking import Race
from tests.cast import House
from tests.factories import FAILED, MADE, WALKOVER, PlayerFactory
from tests.league.test_standings_parts import count, play

pytestmark = pytest.mark.django_db

DAYS = [date(2026, 10, 5 + 7 * nth) for nth in range(3)]
NIGHTS = ((FAILED, FAILED), (WALKOVER,), (MADE, FAILED, FAILED))
"""Points of Anna, Beni, Carlo: -4 2 2, 1 0 0, -2 3 2; Doris and Emil have none."""


def ranked(house: House, values: dict[str, Any] | None) -> Season:
    """Return a counted season of three evenings with this formula. Beni is a guest, Doris has a twin."""
    for day, records in zip(DAYS, NIGHTS, strict=True):
        play(house, day, *records)
    beni = Player.objects.get(club=house.club, nickname="Beni")
    player_change(player=beni, actor=None, changes={"guest": True})
    doris = Player.objects.get(club=house.club, nickname="Doris")
    twin = PlayerFactory(club=house.club, nickname="Zwilling")
    players_merge(club=house.club, player=twin, main=doris, reason="one person", actor=None)
    if values is not None:
        given = {"1": twin.pk, "2": Player.objects.get(club=house.club, nickname="Emil").pk}
        handicap = {str(given[name]): points for name, points in values.get("handicap", {}).items()}
        services.formula_set(season=house.season, actor=None, values=values | {"handicap": handicap})
    return count(house)


def race(season: Season) -> Race:
    return run(race_of(formula_of(season), circumstances_of(season)), evenings_of(season).counted)


FORMULAS: dict[str, dict[str, Any] | None] = {
    "none": None,
    "guests are not ranked": {"guests": False},
    "an evening has two hands": {"hands_minimum_evening": 2},
    "a handicap, of a merged player as well": {"handicap": {"1": 4, "2": 1}},
    "amounts": {"counts": "net"},
    "places by amounts": {"counts": "places", "places": [3, 2, 1], "places_by": "net"},
    "all of it": {"guests": False, "hands_minimum_evening": 2, "handicap": {"1": 4, "2": 3}},
}


def measured(season: Season, lines: list[standing_lines.StandingLine]) -> Race:
    return measure_of(season, formula_of(season), {line.player_id for line in lines if line.unranked == "guest"})


@pytest.mark.parametrize("name", FORMULAS)
def test_evenings_won_and_ranks_of_the_night_are_those_of_the_formula(home, name):
    season = ranked(home, FORMULAS[name])
    played = race(season)
    season_nights = nights.nights_of([season])
    won = nights.evenings_won(season_nights)
    for player, runner in played.runners.items():
        assert sum(winner == player for _evening, winner in won) == runner.won
    for evening, measures in played.evenings:
        ranks = nights.ranks_of_night([night for night in season_nights if night.evening_id == evening])
        assert ranks == {player: 1 + sum(o > m for o in measures.values()) for player, m in measures.items()}


@pytest.mark.parametrize("name", FORMULAS)
def test_the_form_of_the_standings_has_the_ranks_of_the_formula(home, name):
    season = ranked(home, FORMULAS[name])
    lines = standing_lines.season_standings(season)
    course = selectors.season_course(season, [line.player_id for line in lines])
    moved = trends.trends(measured(season, lines), course)
    expected = [
        {player: 1 + sum(o > m for o in measures.values()) for player, m in measures.items()}
        for _evening, measures in race(season).evenings
    ]
    assert {player: list(trend.form.ranks) for player, trend in moved.items()} == {
        line.player_id: [ranks.get(line.player_id) for ranks in expected] for line in lines
    }


def test_nobody_has_a_rank_before_the_least_evenings(home):
    season = ranked(home, {"attendance_minimum": 2})
    first, second, third = season.evenings.order_by("held_on")
    beni = Player.objects.get(club=home.club, nickname="Beni").pk
    assert selectors.season_ranks(first) == {}
    after, before = selectors.season_ranks(second)[beni]
    assert before is None
    assert selectors.season_ranks(third)[beni][1] == after
    lines = standing_lines.season_standings(season)
    course = selectors.season_course(season, [line.player_id for line in lines])
    sparks = [
        trends.trends(measured(season, lines), course, minimums=minimums)[beni].spark for minimums in (True, False)
    ]
    assert [spark.said.count(".") for spark in sparks] == [2, 3]
    season_nights = nights.nights_of([season])
    led = sum(night.player_id == beni and night.rank_after == 1 for night in season_nights)
    podium = [SimpleNamespace(rank=1, player_id=beni)]
    assert led == 3
    with translation.override("en"):
        assert _in_front(podium, season_nights, own_formula(season)) == "in front after 3 of 3 evenings"
        assert _in_front(podium, season_nights, formula_of(season)) == "in front after 2 of 3 evenings"


DROPPING: dict[str, dict[str, Any]] = {
    "the best": {"best": 2},
    "the worst dropped": {"drop": 1},
    "a missed evening can be dropped": {"drop": 1, "absences": "zero"},
    "the best place": {"counts": "places", "places": [3, -1], "places_by": "net", "best": 1},
    "rising": {"drop_one_more_every": 1, "attendance_minimum": 1, "handicap": {"1": 4}},
}


@pytest.mark.parametrize("name", [*FORMULAS, *DROPPING])
def test_the_standings_count_the_evenings_that_count_for_each(home, name):
    values = FORMULAS[name] if name in FORMULAS else DROPPING[name]
    # Doris misses the last evening.
    play(home, date(2026, 10, 26), MADE, seats=3)
    season = ranked(home, values)
    lines = standing_lines.season_standings(season)
    course = selectors.season_course(season, [line.player_id for line in lines])
    counts = trends.counting(measured(season, lines), course)
    expected = {
        line.player: sum(night.counts for night in line.nights if night.kind == "played")
        for line in race(season).lines()
    }
    assert {
        line.player_id: counts.get(line.player_id, line.evenings) for line in lines if line.unranked != "guest"
    } == {line.player_id: expected[line.player_id] for line in lines if line.unranked != "guest"}
    if name in DROPPING:
        assert any(expected[line.player_id] < line.evenings for line in lines)


def test_a_guest_and_a_short_evening_are_not_in_the_form(home):
    season = ranked(home, FORMULAS["all of it"])
    lines = standing_lines.season_standings(season)
    course = selectors.season_course(season, [line.player_id for line in lines])
    moved = trends.trends(measured(season, lines), course)
    names = {line.player_id: line.nickname for line in lines}
    # With 4 points more Doris is first of both evenings; the second one has one hand only.
    assert {names[player]: list(trend.form.ranks) for player, trend in moved.items()} == {
        "Doris": [1, 1],
        "Emil": [2, 2],
        "Carlo": [3, 3],
        "Anna": [4, 4],
        "Beni": [None, None],
    }
