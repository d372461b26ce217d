"""A player who is not ranked has no rank, and an amount is the one that counts: in every page, picture, file and answer
that shows a line of the standings."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.access import ClubAccess
from league.models import Club, Season, Standing
from league.money import format_money, format_points
from league.records.all_time import all_time
from league.sharing import drawing
from league.standings import counting
from league.standings.formula import services
from tests.api.api_client import ApiClient, done
from tests.cast import House
from tests.factories import FAILED, MADE, create_table, enter

pytestmark = pytest.mark.django_db
NOBODY = {"counts": "average_hand", "attendance_minimum": 9}
BEST = {"counts": "net", "best": 1}


@pytest.fixture
def season(home: House) -> Season:
    """A season of two evenings in a club that publishes amounts. Its last evening is today's."""
    Club.objects.filter(pk=home.club.pk).update(publishes_money=True)
    home.club.refresh_from_db()
    today = timezone.localdate()
    for day, records in ((today - timedelta(days=7), (MADE, MADE, FAILED)), (today, (FAILED, MADE))):
        table = create_table(club=home.club, season=home.season, held_on=day)
        for record in records:
            enter(table, record)
    return home.season


def counted(season: Season, values: dict[str, object]) -> list[Standing]:
    services.formula_set(season=season, actor=None, values=values)
    counting.count_season(season.pk)
    season.refresh_from_db()
    return list(Standing.objects.filter(season=season).select_related("player").order_by("rank"))


def page(name: str, season: Season, **names: object) -> str:
    where = {} if name == "home" else {"club": season.club.slug}
    if name.startswith(("season", "standings")):
        where["season"] = season.slug
    answer = Client().get(reverse(name, kwargs={**where, **names}), headers={"accept-language": "en"})
    assert answer.status_code == 200, name
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return re.sub(r"[^\S\n]+", " ", body.decode().replace("\r\n", "\n"))


# Which text shows the rank, in the part of the page that has the standings.
RANKS: dict[str, Callable[[str], list[str]]] = {
    "club-screen": lambda text: re.findall(
        r'<li><span class="soft num">([^<]*)</span><b>(?=\w)', ranks_of_screen(text)
    ),
    "club": lambda text: re.findall(r'<li><span class="rank num">([^<]*)<', text),
    "season": lambda text: re.findall(r'<td class="rank num">([^<]*)<', text),
    "standings-embed": lambda text: re.findall(r'<td class="rank num">([^<]*)<', text),
}


def ranks_of_screen(text: str) -> str:
    return text[text.rindex('<ol class="st">') :].partition("</ol>")[0]


@pytest.mark.parametrize("name", RANKS)
def test_a_page_has_no_rank_of_a_player_who_is_not_ranked(season, name):
    lines = counted(season, NOBODY)
    assert {line.rank for line in lines} >= {1, 2}
    ranks = RANKS[name](page(name, season))
    assert ranks
    assert set(ranks) == {"–"}
    counted(season, {**NOBODY, "attendance_minimum": 0})
    assert "1" in RANKS[name](page(name, season))


def test_nobody_leads_and_nobody_has_a_best_rank_where_nobody_is_ranked(season):
    counted(season, NOBODY)
    assert not re.search("leads? with", page("home", season))
    access = ClubAccess(club=season.club, role=None, player_ids=frozenset())
    assert {line.best_rank for line in all_time(access, [season]).lines} == {None}
    assert page("club-records", season).count('<td class="num">–</td>') >= 5
    counted(season, {**NOBODY, "attendance_minimum": 0})
    assert re.search("leads? with", page("home", season))
    assert 1 in {line.best_rank for line in all_time(access, [season]).lines}


def test_files_and_answers_have_the_reason_for_no_rank(season):
    counted(season, NOBODY)
    rows = list(csv.DictReader(io.StringIO(page("standings-csv", season), newline="")))
    assert {(row["rank"], row["rank_before"], row["unranked"]) for row in rows} == {("", "", "evenings")}
    address = f"clubs/{season.club.slug}/seasons/{season.slug}/standings"
    items = [*done(ApiClient()("GET", address))["items"], *json.loads(page("standings-json", season))["standings"]]
    assert len(items) == 10
    assert {(item["rank"], item["unranked"]) for item in items} == {(None, "evenings")}


@pytest.mark.parametrize("name", ["club-screen", "club", "season", "standings-embed"])
def test_an_average_is_written_with_its_decimals(season, name):
    lines = counted(season, {**NOBODY, "attendance_minimum": 0})
    text = page(name, season)
    assert format_points(lines[0].points, season.points_scale) in text
    assert str(lines[0].points) not in re.sub(r"<[^>]*>", " ", text)


def test_the_json_gives_an_average_in_points(season):
    lines = counted(season, {**NOBODY, "attendance_minimum": 0})
    first = json.loads(page("standings-json", season))["standings"][0]
    assert first["points"] == lines[0].points / 1000


def amounts(lines: list[Standing]) -> tuple[str, str]:
    """The amount of the first one that counts, and the whole balance, as text: without the sign, which may stand before
    the currency."""
    first = lines[0]
    assert first.counted_minor is not None
    assert first.counted_minor != first.balance_minor
    return format_money(abs(first.counted_minor)), format_money(abs(first.balance_minor))


@pytest.mark.parametrize("name", ["club-screen", "club", "season", "standings-embed"])
def test_the_amount_of_a_page_is_the_one_that_counts(season, name):
    shown, balance = amounts(counted(season, BEST))
    text = page(name, season)
    if name == "club-screen":
        text = ranks_of_screen(text)
    assert shown in text
    first_line = text[text.index(shown) - 200 : text.index(shown) + 10]
    assert balance not in first_line


def test_files_and_answers_have_both_amounts(season):
    lines = counted(season, BEST)
    expected = [(line.balance_minor, line.counted_minor) for line in lines]
    address = f"clubs/{season.club.slug}/seasons/{season.slug}/standings"
    rows = csv.DictReader(io.StringIO(page("standings-csv", season), newline=""))
    for items in (
        done(ApiClient()("GET", address))["items"],
        json.loads(page("standings-json", season))["standings"],
        rows,
    ):
        assert [(int(item["balance_minor"]), int(item["counted_minor"])) for item in items] == expected
    # A club that publishes no amounts gives neither.
    Club.objects.filter(pk=season.club_id).update(publishes_money=False)
    rows = csv.DictReader(io.StringIO(page("standings-csv", season), newline=""))
    answered = done(ApiClient()("GET", address))["items"]
    fed = json.loads(page("standings-json", season))["standings"]
    hidden = {
        item.get(name) or None for item in (*rows, *answered, *fed) for name in ("balance_minor", "counted_minor")
    }
    assert hidden == {None}


def test_pictures_have_the_amount_that_counts_and_no_rank_without_one(season, monkeypatch):
    texts: list[str] = []
    write = drawing.Picture.text
    monkeypatch.setattr(
        drawing.Picture,
        "text",
        lambda self, x, y, text, *a, **more: [texts.append(text), write(self, x, y, text, *a, **more)][1],
    )
    lines = counted(season, BEST)
    shown, balance = amounts(lines)
    for name, more in (
        ("season-picture", {}),
        ("club-picture", {}),
        ("player-picture", {"player": lines[0].player_id}),
    ):
        texts.clear()
        where = {"club": season.club.slug, **more} | ({"season": season.slug} if name == "season-picture" else {})
        assert Client().get(reverse(name, kwargs=where)).status_code == 200
        assert any(text.endswith(shown) for text in texts), (name, texts)
        assert not any(text.endswith(balance) for text in texts[:8]), (name, texts)
    counted(season, NOBODY)
    texts.clear()
    Client().get(reverse("season-picture", kwargs={"club": season.club.slug, "season": season.slug}))
    assert "–" in texts
    assert "1" not in texts
