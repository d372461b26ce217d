"""Chances of a season: a small case agrees with exact numbers, a seed gives the same numbers, a page never waits."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone, translation

from league.chances import selectors, services, simulation, tasks
from league.chances.forecast_json import packed, unpacked
from league.chances.sentences import said, when_over
from league.chances.simulation import Chance, Needs, Past, Start, balanced, chance, forecast, lowest
from league.config import celery
from league.models import Player, Season, SeasonChances
from league.standings.counting import count_season
from league.standings.formula.parts import Formula
from league.standings.formula.ranking import CountedEvening, NightScore
from tests.cast import House, cast
from tests.clients import reader
from tests.factories import FAILED, MADE, create_table, enter

ANNA, BENI = 1, 2


def start(anna: list[int], beni: list[int], **more: Any) -> Start:
    """A season in which both came to every evening, with these points."""
    evenings = [
        CountedEvening(
            nth,
            date(2026, 1, nth),
            {ANNA: NightScore(10, points, 10 * points), BENI: NightScore(10, other, 10 * other)},
        )
        for nth, (points, other) in enumerate(zip(anna, beni, strict=True), 1)
    ]
    return Start(**({"formula": Formula(), "evenings": evenings} | more))


EVEN = start([2, 0, 2, 0], [1, 1, 1, 1])


def exact(own: list[int], pool: list[int]) -> dict[int, Fraction]:
    """The chance of each number of points in the next evening."""
    pull = Fraction(simulation.PULL, len(own) + simulation.PULL)
    return {
        value: (1 - pull) * Fraction(own.count(value), len(own)) + pull * Fraction(pool.count(value), len(pool))
        for value in set(pool)
    }


# --- The simulation --------------------------------------------------------------------------------------


def test_a_small_case_agrees_with_the_exact_chance():
    anna, beni = [2, 0, 2, 0], [1, 1, 1, 1]
    ones, others = exact(anna, anna + beni), exact(beni, anna + beni)
    # Both have 4 points: a player with no fewer points than the other is first; equal players share the rank.
    wins = sum(p * q for value, p in ones.items() for other, q in others.items() if value >= other)
    chance = forecast(EVEN, 1, groups=200, runs=40).prospects[0].next_first
    assert wins == Fraction(491, 784)
    assert chance.permille == pytest.approx(1000 * wins, abs=20)
    assert chance.low < 1000 * wins < chance.high


def test_a_seed_gives_the_same_numbers_and_another_one_others():
    once = replace(EVEN, left=3)
    assert forecast(once, 7) == forecast(once, 7)
    assert forecast(once, 7) != forecast(once, 8)


def test_the_last_evening_is_the_end():
    for prospect in forecast(replace(EVEN, left=1), 7).prospects:
        assert (prospect.end_first, prospect.end_top) == (prospect.next_first, prospect.next_top)
    assert {prospect.end_first for prospect in forecast(EVEN, 7).prospects} == {None}


def test_a_player_needs_the_lowest_result_that_is_enough():
    past, race = Past.of(EVEN), simulation.after_evenings(EVEN)
    values = range(-1, 4)
    needs = simulation._needs_of(ANNA, past, race, Random(3), values, 100)
    drawn = [past.evening(Random(3), surely=ANNA)]
    drawn = _again(past, 100)
    true = [simulation._true_with(value, ANNA, race, drawn, 10)[0] for value in values]
    assert true == sorted(true)
    assert needs.first == next(value for value, n in zip(values, true, strict=True) if n >= 90)
    assert needs.first_half == next(value for value, n in zip(values, true, strict=True) if n >= 50)
    # Of two players both are always among the first three.
    assert needs.top == -1
    assert lowest([1, 2, 3], lambda value: value > 3) is None


def _again(past: Past, runs: int) -> list[dict[int, NightScore]]:
    random = Random(3)
    return [past.evening(random, surely=ANNA) for _ in range(runs)]


def test_simulated_amounts_add_up_to_zero():
    evening = {1: NightScore(5, 0, 700), 2: NightScore(5, 0, 100), 3: NightScore(5, 0, -50), 4: NightScore(5, 0, 3)}
    for fixed in (None, 1):
        scores = balanced(evening, fixed)
        assert sum(score.change_minor for score in scores.values()) == 0
    assert scores[1] == evening[1]
    by_net = start([300, 100, -250, 90], [-200, 10, 0, 0], formula=Formula(counts="net"), left=2)
    assert len(forecast(by_net, 1, need_runs=10).prospects) == 2


def test_players_who_left_the_roster_do_not_come():
    past = Past.of(replace(EVEN, away=frozenset({BENI})))
    assert past.rate[BENI] == 0
    # An evening has at least two players.
    assert past.evening(Random(1)).keys() == {ANNA, BENI}


def test_a_minimum_of_evenings_keeps_somebody_off_the_ranking():
    strict = replace(EVEN, formula=Formula(attendance_minimum=6))
    prospect = forecast(replace(strict, left=2), 1).prospects[0]
    assert prospect.next_first.permille == 0
    assert prospect.end_top.permille == 1000
    assert prospect.needs == Needs(None, None, None)


def test_few_evenings_make_the_bounds_wider():
    sure, unsure = chance([25] * 20, 50), chance([5, 45] * 10, 50)
    assert (sure.permille, unsure.permille) == (500, 500)
    assert unsure.high - unsure.low > sure.high - sure.low
    assert chance([0] * 20, 50) == Chance(0, 0, 3)
    assert chance([50] * 20, 50) == Chance(1000, 997, 1000)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (Chance(0, 0, 3), "hardly possible"),
        (Chance(312, 240, 390), "about 3 in 10, between 2 and 4"),
        (Chance(310, 305, 315), "about 3 in 10"),
        (Chance(30, 0, 290), "less than 1 in 20, at most 3 in 10"),
        (Chance(970, 720, 1000), "more than 19 in 20, at least 7 in 10"),
        (Chance(500, 10, 990), "about 5 in 10, anything is possible"),
        (Chance(1000, 997, 1000), "as good as certain"),
    ],
    ids=str,
)
def test_a_chance_in_words(given, words):
    with translation.override("en"):
        assert said(given).whole == words


def test_packed_and_back():
    outlook = forecast(replace(EVEN, left=2), 1, need_runs=10)
    assert unpacked(packed(outlook, left=2, held=4)) == outlook


# --- Stored chances and their pages ----------------------------------------------------------------------


@pytest.fixture
def home(db: None) -> House:
    """Five evenings of seven planned, the last one tonight and not over."""
    house = cast().home
    for back in (35, 28, 21, 14, 0):
        held_on = timezone.localdate() - timedelta(days=back)
        table = create_table(season=house.season, club=house.club, held_on=held_on)
        for record in (MADE, MADE, FAILED):
            enter(table, record)
    Player.objects.filter(club=house.club).update(publicity=Player.Publicity.INITIALS)
    Season.objects.filter(pk=house.season.pk).update(planned_evenings=7)
    count_season(house.season.pk)
    return house


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The seasons for which a worker was woken."""
    seasons: list[int] = []
    monkeypatch.setattr(celery, "wake", lambda task, *args: seasons.append(args[0]) or True)
    return seasons


def page(house: House, person: Any = None, query: str = "", name: str = "season-chances") -> str:
    url = reverse(name, kwargs={"club": house.club.slug, "season": house.season.slug})
    answer = reader(person).get(url + query, headers={"accept-language": "en"})
    assert answer.status_code == 200
    text: str = answer.content.decode()
    return text


def test_the_evening_of_tonight_is_left_out_and_the_planned_ones_are_left(home):
    season = Season.objects.get(pk=home.season.pk)
    running = selectors.running_evening(season)
    start = selectors.start_of(season, running)
    assert running is not None
    assert running.held_on == timezone.localdate()
    assert (start.held, start.left) == (4, 3)
    season.planned_evenings = None
    season.ends_on = timezone.localdate() + timedelta(days=7)
    # Every seven days so far, 21 days from the last evening to the last day.
    assert selectors.start_of(season, running).left == 3
    season.ends_on = None
    assert selectors.start_of(season, running).left is None


def test_a_page_waits_for_nothing_and_wakes_a_worker_once(home, woken):
    assert "Being computed" in page(home)
    assert "every 2s" in page(home, name="season-chances-live")
    assert woken == [home.season.pk]
    assert services.chances_compute(home.season.pk)
    shown = page(home)
    assert "every 10s" in shown
    assert "First three" in shown
    assert "Anna" not in shown
    assert "A." in shown


def test_chances_that_cannot_be_computed_are_put_off(home, woken, monkeypatch):
    def fail(_season: int) -> bool:
        raise SoftTimeLimitExceeded

    with monkeypatch.context() as broken:
        broken.setattr(services, "chances_compute", fail)
        page(home)
        with pytest.raises(SoftTimeLimitExceeded):
            tasks.chances_compute(home.season.pk)
    page(home)
    assert woken == [home.season.pk]
    # A computation that succeeds ends the pause.
    assert tasks.chances_compute(home.season.pk)
    assert cache.add(services._key(home.season.pk), 1)


@pytest.mark.both_databases
def test_chances_are_computed_again_only_if_something_counts_differently(home, woken):
    season = home.season
    assert services.chances_compute(season.pk)
    first = SeasonChances.objects.get(season=season)
    assert not services.chances_compute(season.pk)
    # A hand of tonight raises the mark and changes nothing before tonight.
    enter(home.season.evenings.order_by("held_on").last().tables.get(), MADE)
    count_season(season.pk)
    assert "being computed again" in page(home)
    assert services.chances_compute(season.pk)
    second = SeasonChances.objects.get(season=season)
    assert second.counted_mark > first.counted_mark
    assert (second.seed, second.values, second.inputs) == (first.seed, first.values, first.inputs)
    enter(home.season.evenings.order_by("held_on").first().tables.get(), MADE)
    count_season(season.pk)
    assert services.chances_compute(season.pk)
    assert SeasonChances.objects.get(season=season).seed == Season.objects.get(pk=season.pk).ledger_mark


@pytest.mark.both_databases
def test_older_chances_replace_no_newer_ones(home):
    assert services.chances_compute(home.season.pk)
    stored = SeasonChances.objects.get(season=home.season)
    assert not services._store(replace_mark(stored, stored.counted_mark - 1))
    assert SeasonChances.objects.get(season=home.season).counted_mark == stored.counted_mark


def replace_mark(stored: SeasonChances, mark: int) -> SeasonChances:
    values = {field.attname: getattr(stored, field.attname) for field in SeasonChances._meta.concrete_fields}
    return SeasonChances(**(values | {"counted_mark": mark}))


def test_the_readers_needs_are_shown_by_default_and_any_player_can_be_chosen(home, woken):
    anna = Player.objects.get(club=home.club, nickname="Anna")
    Player.objects.filter(pk=anna.pk).update(user=home.member)
    services.chances_compute(home.season.pk)
    own = page(home, home.member)
    assert "Anna: what you need" in own
    assert "So far tonight: +2 points." in own
    assert "What A. needs" in page(home, None, f"?player={anna.pk}")
    assert 'id="need-' not in page(home, None, "?player=99999999999999")


def test_amounts_of_a_season_by_balance_stay_with_those_who_see_them(home, woken):
    Season.objects.filter(pk=home.season.pk).update(ranking=Season.Ranking.BALANCE, ledger_mark=1000)
    count_season(home.season.pk)
    services.chances_compute(home.season.pk)
    anna = Player.objects.get(club=home.club, nickname="Anna")
    visitor, owner = (page(home, person, f"?player={anna.pk}") for person in (None, home.owner))
    assert "CHF" in owner.replace("\xa0", " ")
    assert "CHF" not in visitor
    assert "To be first" not in visitor
    assert "First after it" in visitor


def test_too_few_evenings_have_no_chances(db, woken):
    house = cast().home
    table = create_table(season=house.season, club=house.club, held_on=timezone.localdate() - timedelta(days=9))
    enter(table, MADE)
    count_season(house.season.pk)
    services.chances_compute(house.season.pk)
    assert "1 evening was played; chances are shown from 4 on." in page(house)


def test_a_closed_season_leads_to_its_champions_and_wakes_nobody(home, woken):
    Season.objects.filter(pk=home.season.pk).update(closed_at=timezone.now())
    assert "To the champions" in page(home)
    assert "hx-get" not in page(home, name="season-chances-live")
    assert woken == []


def test_a_season_whose_last_day_leaves_no_evening_is_said_to_have_one(en):
    over = Season(ends_on=date(2026, 11, 30))
    assert "no more evening fits before the last day" in when_over(over, None)
    assert "has no last day" in when_over(Season(), None)
