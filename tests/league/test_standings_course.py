"""The course of a season has a line for every player, evenings are in the order of their dates, and evenings that do
not count are marked."""

from __future__ import annotations

import itertools
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from games.models import Table
from league.models import EveningScore, Player, Season
from league.standings import charts, selectors
from league.standings.counting import count_season
from tests.api.api_client import ApiClient, done
from tests.cast import House, cast
from tests.clients import reader
from tests.factories import FAILED, MADE, PlayerFactory, create_table, enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def home() -> House:
    return cast().home


def get(name: str, person: Any = None, **where: Any) -> Any:
    query = where.pop("query", {})
    answer = reader(person).get(reverse(name, kwargs=where), query)
    assert answer.status_code == 200
    return answer


def season_page(home: House, person: Any = None, **query: Any) -> Any:
    return get("season", person, club=home.club.slug, season=home.season.slug, query=query)


def evening(home: House, days_ago: int, *records: dict[str, Any], **more: Any) -> Table:
    held_on = timezone.localdate() - timedelta(days=days_ago)
    table = create_table(season=home.season, club=home.club, held_on=held_on, **more)
    for record in records or (MADE,):
        enter(table, record)
    return table


def twelve_players(home: House) -> list[Player]:
    players = []
    for tens in range(4):
        some = [PlayerFactory(club=home.club, nickname=f"P{tens}{n}") for n in range(3)]
        table = create_table(season=home.season, club=home.club, players=some)
        for _ in range(4 - tens):
            enter(table, {"declarer": 0, "joiners": [1], "made": [0, 1]})
        players += some
    count_season(home.season.pk)
    return players


# --- Every player has a line -----------------------------------------------------------------------------


def test_the_leaders_are_drawn_and_the_table_has_everybody(home):
    players = twelve_players(home)
    shown = season_page(home).context
    assert len(shown["chart"].lines) == 7
    assert sorted(shown["course_names"]) == sorted(player.nickname for player in players)
    assert {len(values) for _evening, values in shown["course_rows"]} == {12}
    drawn = {line.name for line in shown["chart"].lines}
    assert drawn | {name for _player, name in shown["others"]} == set(shown["course_names"])


def test_the_reader_is_drawn_too(home):
    last = twelve_players(home)[-1]
    Player.objects.filter(pk=last.pk).update(user=home.member)
    lines = season_page(home, home.member).context["chart"].lines
    assert [line.css for line in lines if line.name == last.nickname] == ["line-own"]
    assert len(lines) == 8


def test_another_player_can_be_drawn(home):
    last = twelve_players(home)[-1]
    page = season_page(home, **{"with": last.pk})
    assert [line.name for line in page.context["chart"].lines][-1] == last.nickname
    assert last.pk not in dict(page.context["others"])
    assert f"?with={last.pk}" in page.content.decode().split("hx-trigger")[0]
    assert len(season_page(home, **{"with": "x"}).context["chart"].lines) == 7


# --- Evenings that do not count --------------------------------------------------------------------------


def test_the_evenings_beyond_the_best_ones_are_marked(home):
    Season.objects.update(best_evenings=2)
    points = (MADE,), (MADE, MADE), (FAILED,), (MADE,)
    tables = [evening(home, 30 - n, *records) for n, records in enumerate(points)]
    count_season(home.season.pk)
    anna = Player.objects.get(nickname="Anna")
    page = get("player", club=home.club.slug, player=anna.pk)
    # Of the two evenings with 2 points the earlier one counts.
    assert page.context["dropped"] == {tables[2].evening_id, tables[3].evening_id}
    counted = EveningScore.objects.filter(player=anna).exclude(evening__in=page.context["dropped"])
    assert sum(counted.values_list("points", flat=True)) == page.context["line"].points == 6
    text = page.content.decode()
    assert text.count("does not count") == 2
    assert "from 2 of 4 evenings" in text
    assert [bar.css for chart in page.context["charts"] for bar in chart.bars] == [
        "bar-gain",
        "bar-gain",
        "bar-loss dropped",
        "bar-gain dropped",
    ]
    assert "2 of 4 count" in season_page(home).content.decode()


def test_where_every_evening_counts_none_is_marked(home):
    evening(home, 1)
    count_season(home.season.pk)
    page = get("player", club=home.club.slug, player=Player.objects.get(nickname="Anna").pk)
    assert page.context["dropped"] == set()
    assert "does not count" not in page.content.decode()


def test_the_balances_of_a_season_are_never_struck(home):
    Season.objects.update(best_evenings=1, ranking=Season.Ranking.BALANCE)
    for days_ago in (2, 1):
        evening(home, days_ago)
    count_season(home.season.pk)
    page = get("player", home.treasurer, club=home.club.slug, player=Player.objects.get(nickname="Anna").pk)
    bars = [bar.css for chart in page.context["charts"] for bar in chart.bars]
    assert len(bars) == 2
    assert not any("dropped" in css for css in bars)


# --- Backdated evenings ----------------------------------------------------------------------------------


@pytest.fixture
def backdated(home: House) -> Table:
    """Evening 3, of a date between those of evenings 1 and 2."""
    evening(home, 20)
    evening(home, 10)
    table = evening(home, 15)
    count_season(home.season.pk)
    return table


def test_a_backdated_evening_is_in_the_order_of_dates_with_a_mark(home, backdated):
    season = season_page(home)
    assert [evening.number for evening in season.context["evenings"]] == [2, 3, 1]
    assert [(day.number, day.backdated) for day, _values in season.context["course_rows"]] == [
        (1, False), (3, True), (2, False),
    ]  # fmt: skip
    nth = list(season.context["course_names"]).index("Anna")
    assert [values[nth] for _day, values in season.context["course_rows"]] == [
        ("Anna", "2"), ("Anna", "4"), ("Anna", "6"),
    ]  # fmt: skip
    club, anna = home.club.slug, Player.objects.get(nickname="Anna")
    player = get("player", club=club, player=anna.pk)
    assert [score.evening.number for score in player.context["scores"]] == [2, 3, 1]
    page = get("evening", club=club, evening=backdated.evening_id)
    for shown, times in ((season, 2), (get("club", club=club), 1), (player, 1), (page, 1)):
        assert shown.content.decode().count("added later") == times
    evening_view = page.context["evening"]
    assert (evening_view.before["number"], evening_view.after["number"]) == (1, 2)


def test_programs_read_the_same_order_and_the_same_word(home, backdated):
    api, player = ApiClient(), Player.objects.get(nickname="Anna").pk
    evenings = done(api.get(f"clubs/{home.club.slug}/evenings"))["items"]
    assert [(evening["number"], evening["backdated"]) for evening in evenings] == [(2, False), (3, True), (1, False)]
    for evening in evenings:
        assert done(api.get(f"clubs/{home.club.slug}/evenings/{evening['id']}"))["backdated"] == evening["backdated"]
    played = done(api.get(f"clubs/{home.club.slug}/players/{player}/seasons/{home.season.slug}"))["evenings"]
    assert [(evening["number"], evening["backdated"]) for evening in played] == [(1, False), (3, True), (2, False)]


def test_evenings_in_order_have_no_note(home):
    evening(home, 20)
    table = evening(home, 10)
    count_season(home.season.pk)
    assert "added later" not in season_page(home).content.decode()
    assert "added later" not in get("evening", club=home.club.slug, evening=table.evening_id).content.decode()


def test_the_labels_of_a_backdated_evening_touch_no_other():
    numbers = [*range(1, 20), 40, *range(20, 40)]
    chart = charts.course_chart(numbers, [("Anna", list(range(40)))], charts.show_points)
    marks = [tick.at for tick in chart.evenings]
    assert min(b - a for a, b in itertools.pairwise(marks)) >= 20
    assert selectors.dropped_evenings([], None) == set()
