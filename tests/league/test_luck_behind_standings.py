"""The band of chance behind the balances of a season: its bounds, and who sees it where."""

from __future__ import annotations

import math

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Evening, LuckOfEvening, LuckOfPlayer, Season
from league.standings.chance_band import chance_bounds
from league.standings.charts import course_chart
from tests.cast import House, cast

from .test_luck import count, play

pytestmark = pytest.mark.django_db


@pytest.fixture
def home() -> House:
    """A season by balance with four final evenings."""
    home = cast().home
    Season.objects.filter(pk=home.season.pk).update(ranking=Season.Ranking.BALANCE)
    play(home, 4)
    count(home)
    return home


def evenings_of(home: House) -> list[int]:
    return list(Evening.objects.filter(season=home.season).order_by("held_on").values_list("pk", flat=True))


@pytest.mark.both_databases
def test_the_bounds_are_those_of_somebody_who_was_there_each_evening(home: House) -> None:
    evenings = evenings_of(home)
    expected, squares, due = 0.0, 0.0, []
    for evening in evenings:
        rows = list(LuckOfPlayer.objects.filter(evening=evening))
        expected += sum(row.expected_minor for row in rows) / len(rows)
        squares += sum(row.spread_minor**2 for row in rows) / len(rows)
        half = 1.645 * math.sqrt(squares)
        due.append((expected - half, expected + half))
    bounds = chance_bounds(home.season, evenings)
    assert len(bounds) == 4
    for (low, high), (low_due, high_due) in zip(bounds, due, strict=True):
        assert abs(low - low_due) < 10
        assert abs(high - high_due) < 10
    # Without the luck of an evening nothing can be said of those after it.
    LuckOfEvening.objects.filter(evening=evenings[2]).delete()
    assert chance_bounds(home.season, evenings) == bounds[:2]
    assert chance_bounds(home.season, []) == []


def test_the_band_is_cut_off_where_the_lines_end() -> None:
    lines = [("Anna", [100, 200]), ("Beni", [-100, -200])]
    chart = course_chart([1, 2], lines, str, chance=[(-50, 50), (-900, 900)])
    plain = course_chart([1, 2], lines, str)
    assert chart
    assert plain
    assert plain.chance == ""
    heights = [float(dot.split()[1]) for dot in chart.chance.strip("MZ").split("L")]
    assert len(heights) == 6
    top, bottom = (float(line.path.split()[-1]) for line in chart.lines)
    assert (min(heights), max(heights)) == (top, bottom)
    assert [tick.at for tick in chart.ticks] == [tick.at for tick in plain.ticks], "the band changes no scale"


def test_who_sees_the_amounts_of_a_season_by_balance_sees_the_band(home: House) -> None:
    def shows(person: object = None, **query: str) -> bool:
        client = Client()
        if person:
            client.force_login(person)  # type: ignore[arg-type]
        text = client.get(home.season.get_absolute_url(), query, headers={"accept-language": "en"}).content.decode()
        assert 'class="course"' in text
        assert ('class="chance"' in text) == ("ends within it by luck" in text)
        return 'class="chance"' in text

    assert shows(home.owner)
    assert not shows(), "a visitor sees ranks"
    assert not shows(home.owner, on=f"{timezone.localdate():%Y-%m-%d}"), "a part of the season"
    Season.objects.filter(pk=home.season.pk).update(ranking=Season.Ranking.POINTS)
    assert not shows(home.owner), "points are no amounts"
    Season.objects.filter(pk=home.season.pk).update(ranking=Season.Ranking.BALANCE)
    home.club.features = [key for key in home.club.features if key != "luck"]
    home.club.save()
    assert not shows(home.owner)
