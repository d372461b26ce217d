"""Facts counted by evening are those of a count from scratch; nothing that waits is lost; ratings by hand."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from games.models import Table
from league.jobs import tasks as jobs
from league.models import EveningScore, Feat, Player, Rating, Season, SeasonFacts, UncountedEvening
from league.roster.merging import players_merge
from league.standings.counting import count_season
from league.standings.facts import counting, ratings
from league.standings.facts.rating_model import BEGINNER, LEAST, Skill, after, chance
from league.standings.facts.situations import GOALS, ROLES, Situation, packed, unpacked
from league.standings.versions import season_facts_state
from league.statistics.rating import apart, rating_band
from tests.cast import House, cast
from tests.clients import reader
from tests.factories import FAILED, MADE, MUSS, PASSED_OUT, WALKOVER, SeasonFactory, create_table, enter, void

HANDS = (MADE, FAILED, WALKOVER, PASSED_OUT, {"declarer": 4, "joiners": [1, 2], "made": [1, 4]})


# --- Pure ----------------------------------------------------------------------------------------------------


def test_a_situation_is_the_same_after_packing():
    every = [
        Situation(role, made, blind, seat, pot, joiners, declared, last, free)
        for role in ROLES
        for made in GOALS
        for blind in (False, True)
        for seat in (-1, 0, 14)
        for pot in range(4)
        for joiners in (0, 15)
        for declared in (False, True)
        for last in (False, True)
        for free in (False, True)
    ]
    assert [unpacked(packed(situation)) for situation in every] == every
    assert len({packed(situation) for situation in every}) == len(every)
    with pytest.raises(ValueError, match="seat=15"):
        packed(every[0]._replace(seat=15))


def test_a_rating_rises_with_the_rank_and_becomes_exact():
    first = after({1: 30, 2: 10, 3: 10, 4: -5}, {})
    assert first[1].mu > BEGINNER.mu > first[4].mu
    assert first[2] == first[3]
    assert {rating.evenings for rating in first.values()} == {1}
    assert all(rating.sigma < BEGINNER.sigma for rating in first.values())
    strong = {1: Skill(30_000, 3_000, 20), 2: Skill(25_000, 3_000, 20), 3: Skill(20_000, 3_000, 20)}
    over_strong, over_weak = after({2: 1, 1: 0}, strong)[2], after({2: 1, 3: 0}, strong)[2]
    assert over_strong.mu > over_weak.mu > strong[2].mu


def test_a_match_of_one_player_changes_no_rating():
    assert after({1: 30}, {}) == {1: BEGINNER}


def test_a_rating_in_points():
    assert (BEGINNER.points, BEGINNER.spread) == (1000, 667)
    assert not Skill(25_000, 8_000, LEAST - 1).known
    assert chance(BEGINNER, BEGINNER) == 0.5
    assert chance(Skill(30_000, 2_000, 9), Skill(20_000, 2_000, 9)) > 0.6
    assert apart(Skill(30_000, 1_000, 9), Skill(25_000, 1_000, 9))
    assert not apart(Skill(30_000, 2_000, 9), Skill(25_000, 2_000, 9))
    shown = rating_band(Skill(25_000, 1_000, 9), 900, 1100)
    assert (shown.percent, shown.left, shown.width, shown.dot, shown.mark) == ("1’000\xa0±\xa080", 20, 160, 100, 100)


# --- From the database ---------------------------------------------------------------------------------------


@pytest.fixture
def home(db: None) -> House:
    return cast().home


def table_of(house: House, back: int, season: Season | None = None, **more: Any) -> Table:
    held_on = timezone.localdate() - timedelta(days=back)
    table: Table = create_table(season=season or house.season, club=house.club, held_on=held_on, **more)
    return table


def stored_ratings() -> set[tuple[Any, ...]]:
    return set(Rating.objects.values_list("evening", "player", "held_on", "mu", "sigma", "evenings"))


def check(house: House) -> None:
    """Compare the stored facts with a count from scratch of each season, and with all evenings rated in one run."""
    assert [line for season in house.club.seasons.all() for line in counting.differences(season)] == []
    before = stored_ratings()
    ratings.rate(house.club.pk, list(EveningScore.objects.values_list("evening", flat=True)))
    assert stored_ratings() == before
    assert before


@pytest.mark.both_databases
def test_facts_by_evening_are_those_from_scratch(home):
    dice = random.Random(7)
    last = SeasonFactory(club=home.club, slug="last", starts_on=home.season.starts_on - timedelta(400))
    tables = [table_of(home, 9), table_of(home, 7), table_of(home, 7), table_of(home, 1), table_of(home, 400, last)]
    kratzen = table_of(home, 5, seats=4, game="kratzen")
    enter(kratzen, MUSS)
    for step in range(24):
        table = Table.objects.get(pk=dice.choice(tables).pk)
        if table.hands and dice.random() < 0.25:
            void(table)
        else:
            enter(table, dice.choice(HANDS))
        if step % 3 == 0:
            count_season(table.evening.season_id)
    for season in (last, home.season):
        count_season(season.pk)
    check(home)
    anna, other = (
        Player.objects.get(club=home.club, nickname="Anna"),
        Player.objects.create(club=home.club, nickname="An"),
    )
    beside = list(Player.objects.filter(club=home.club, nickname__in=("Beni", "Carlo")))
    enter(table_of(home, 3, players=[other, *beside]), {"declarer": 0, "joiners": [1], "made": [0]})
    count_season(home.season.pk)
    assert Feat.objects.filter(player=other).exists()
    players_merge(club=home.club, player=other, main=anna, reason="one person", actor=home.owner)
    for season in (last, home.season):
        count_season(season.pk)
    check(home)
    assert not Feat.objects.filter(player=other).exists()
    assert not Rating.objects.filter(player=other).exists()


@pytest.mark.both_databases
def test_evenings_that_a_killed_worker_left_are_counted_by_the_sweep(home, monkeypatch):
    enter(table_of(home, 1), MADE)

    def killed(*_args: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(counting, "rate", killed)
        with pytest.raises(MemoryError):
            count_season(home.season.pk)
    assert not Feat.objects.exists()
    assert UncountedEvening.objects.count() == 1
    jobs.sweep()
    assert Feat.objects.exists()
    assert not UncountedEvening.objects.exists()
    check(home)


def test_of_two_workers_one_begins_again(home, monkeypatch):
    table = table_of(home, 1)
    enter(table, MADE)
    real = counting.facts_of
    others = []

    def slow(*args: Any) -> Any:
        rows = list(real(*args))
        if not others:
            others.append(1)
            enter(Table.objects.get(pk=table.pk), FAILED)
            count_season(home.season.pk)
        return rows

    monkeypatch.setattr(counting, "facts_of", slow)
    count_season(home.season.pk)
    monkeypatch.undo()
    assert not UncountedEvening.objects.exists()
    check(home)


def test_ratings_of_another_method_are_computed_again(home):
    enter(table_of(home, 1), MADE)
    count_season(home.season.pk)
    before = stored_ratings()
    SeasonFacts.objects.update(method="another one")
    Rating.objects.update(mu=1)
    jobs.sweep()
    assert stored_ratings() == before
    assert not counting.waiting_seasons()


def test_an_earlier_evening_changes_the_pages_of_later_seasons(home):
    last = SeasonFactory(club=home.club, slug="last", starts_on=home.season.starts_on - timedelta(400))
    for table in (table_of(home, 1), table_of(home, 400, last)):
        enter(table, MADE)
        count_season(table.evening.season_id)
    where = {"club": home.club.slug, "season": home.season.slug}
    before = season_facts_state(**where)
    enter(Table.objects.get(evening__season=last), FAILED)
    count_season(last.pk)
    assert season_facts_state(**where) != before
    check(home)


def test_the_page_shows_ratings_from_some_evenings_on(home):
    def page() -> str:
        where = reverse("season-statistics", kwargs={"club": home.club.slug, "season": home.season.slug})
        text: str = reader().get(where, headers={"accept-language": "en"}).content.decode()
        return text

    for back in range(LEAST, 0, -1):
        if back == 1:
            assert "Too few evenings to say who is stronger." in page()
            assert "±" not in page()
        enter(table_of(home, back), MADE)
        count_season(home.season.pk)
    assert "\xa0±\xa0" in page()
    assert "The differences are too small" in page()
