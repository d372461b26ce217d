"""A season of a game in which nobody declares: counts, points, columns, statistics and luck."""

from __future__ import annotations

import random
import re
from datetime import date
from typing import Any

import pytest
from django.test import Client

from games.integrity import verify
from games.models import Table
from games.practice.evenings import PEOPLE, evening_end, evening_play
from league.access import access_to
from league.luck import services as luck
from league.models import Player, Season, Standing
from league.standings.counting import count_season, recount
from league.standings.facts.situations import NO_SEAT
from league.standings.selectors import evening_totals
from league.standings.standing_lines import season_standings
from league.statistics import decisions, tables
from league.statistics.people import profiles
from league.statistics.selectors import decisions as counted
from league.web.game_terms import terms_of
from tests.cast import House, house
from tests.factories import MADE, PlayerFactory, create_table, enter
from tests.zwicken_hands import EVENING

pytestmark = pytest.mark.django_db
COUNTS = ("hands", "joined", "joined_made", "out", "musses", "musses_made", "walkovers", "declared", "points")


@pytest.fixture
def home() -> House:
    return house("roessli")


def played(home: House, *, games: str = "zwicken") -> Table:
    Season.objects.filter(pk=home.season.pk).update(games=games)
    table = create_table(club=home.club, season=home.season, seats=4, game="zwicken")
    for record in EVENING:
        enter(table, record)
    count_season(home.season.pk)
    return table


def counts(name: str) -> dict[str, int]:
    standing = Standing.objects.get(player__nickname=name)
    return {column: getattr(standing, column) for column in COUNTS}


def read(address: str) -> str:
    answer = Client().get(address, headers={"accept-language": "en"})
    assert answer.status_code == 200
    return answer.content.decode()


def test_forced_hands_and_hands_alone_are_counted_apart_from_those_that_were_joined(home: House) -> None:
    played(home)
    # Anna: three forced hands made, two joined and made, two out of which nobody played one.
    assert counts("Anna") == dict(zip(COUNTS, (7, 2, 2, 1, 3, 3, 0, 0, 5), strict=True))
    assert counts("Beni") == dict(zip(COUNTS, (7, 2, 0, 1, 3, 3, 0, 0, 1), strict=True))
    # Carlo took a pot alone: it has the points of a hand that nobody joined.
    assert counts("Carlo") == dict(zip(COUNTS, (7, 0, 0, 2, 3, 0, 1, 1, -2), strict=True))
    assert counts("Doris") == dict(zip(COUNTS, (7, 0, 0, 3, 3, 0, 0, 0, -3), strict=True))


@pytest.mark.both_databases
def test_every_way_of_counting_gives_the_same(home: House) -> None:
    table = played(home)
    before = {name: counts(name) for name in ("Anna", "Beni", "Carlo", "Doris")}
    recount(Season.objects.get(pk=home.season.pk))
    assert {name: counts(name) for name in before} == before
    for row in evening_totals(table.evening):
        for column in ("hands", "joined", "joined_made", "musses", "musses_made", "walkovers", "declared", "points"):
            assert row[column] == before[row["nickname"]][column], (row["nickname"], column)
    assert list(verify.differences()) == []


def test_the_columns_of_declaring_are_left_out(home: House, en: None) -> None:
    played(home)
    season = read("/c/roessli/s/2026/")
    assert ">mit</a></th>" in season
    assert "declares" not in season.partition("<tbody>")[0].partition("<thead>")[2]
    player = read(f"/c/roessli/p/{Player.objects.get(nickname='Anna').pk}/")
    assert "<dt>mit</dt>" in player
    assert "<dt>weg</dt>" in player
    assert "<dt>Forced hand</dt>" in player
    for absent in ("<dt></dt>", "<dt>Susi</dt>", "<dt>Blind</dt>", "<dt>Muss</dt>", '<th scope="col"></th>'):
        assert absent not in player
    assert "mit: how often" in read("/c/roessli/s/2026/statistics/")
    lines = season_standings(home.season)
    (anna,) = [
        profile
        for profile in profiles(access_to(home.owner, home.club), lines, terms_of(["zwicken"]))
        if profile.name == "Anna"
    ]
    assert [share.counts for share in anna.shares] == ["2 of 3", "1 of 3", "2 of 2"]


def test_a_season_of_all_games_keeps_them(home: House) -> None:
    played(home, games="")
    enter(create_table(club=home.club, season=home.season, seats=4, held_on=date(2026, 11, 21)), MADE)
    count_season(home.season.pk)
    season = read("/c/roessli/s/2026/")
    assert ">declares</a></th>" in season
    assert ">joins</a></th>" in season


def test_the_report_of_the_season_has_a_column_for_each_value(home: House) -> None:
    played(home)
    client = Client()
    client.force_login(home.owner)
    report = client.get("/c/roessli/s/2026/report/", headers={"accept-language": "en"}).content.decode()
    assert "mit: made" in report
    assert ": made</th>" not in report.replace("mit: made</th>", "")


def test_the_report_of_an_evening_says_who_played(home: House) -> None:
    table = played(home)
    client = Client()
    client.force_login(home.owner)
    address = f"/c/roessli/e/{table.evening_id}/report/"
    report = " ".join(client.get(address, headers={"accept-language": "en"}).content.decode().split())
    assert "mit: made" in report
    assert "Forced hand" in report
    assert "Anna and Beni" in report
    assert re.search(r">Carlo</(td|th)>", report)
    assert ">Muss</td>" not in report


@pytest.mark.both_databases
def test_whoever_stays_out_could_have_joined_also_where_nobody_plays(home: House) -> None:
    played(home)
    counts = [count for count in counted([home.season], None) if decisions.may_join(count)]
    # Four hands without a forced one, four players each.
    assert sum(count.hands for count in counts) == 16
    share = decisions.share_of(counts, decisions.may_join, decisions.joins)
    assert (share.made, share.of) == (5, 16)
    made = decisions.share_of(counts, decisions.joins_contested, decisions.makes_it)
    assert (made.made, made.of) == (2, 4), "the hand alone was not played"


def test_the_tables_of_statistics_ask_nothing_about_declaring(home: House, en: None) -> None:
    played(home)
    parts = tables.parts(counted([home.season], None), terms_of(["zwicken"]), chosen=False)
    assert [part.key for part in parts] == ["pot", "joiners"]
    titles = [measure.title for part in parts for measure in part.measures]
    assert titles == ["mit: how often", "mit: how often it is made", "mit: how often it is made"]
    assert parts[1].note.startswith("Three tricks")
    assert "asked" not in parts[0].note


def test_luck_is_measured_and_said_of_joined_hands(home: House) -> None:
    Season.objects.filter(pk=home.season.pk).update(games="zwicken")
    dice = random.Random(7)
    people = [(PlayerFactory(club=home.club, nickname=name), temper) for name, temper in list(PEOPLE.items())[:5]]
    table = evening_play(
        dice,
        season=home.season,
        people=people,
        recorder=home.recorder,
        held_on=date(2026, 3, 2),
        game="zwicken",
        hands=90,
    )
    evening_end(dice, "carry", table, home.recorder, paid_on=None)
    count_season(home.season.pk)
    assert luck.count_club(home.club.pk) == 1
    client = Client()
    client.force_login(home.owner)
    page = client.get("/c/roessli/s/2026/luck/", headers={"accept-language": "en"}).content.decode()
    assert "Forced hand" in page
    assert "Declared" not in page
    who = people[0][0].pk
    chosen: Any = client.get(f"/c/roessli/s/2026/luck/?player={who}", headers={"accept-language": "en"})
    assert "joined hand" in chosen.content.decode()


def test_the_dealer_whom_the_cuts_decide_has_no_seat(home: House) -> None:
    played(home)
    assert {count.situation.seat for count in counted([home.season], None)} == {NO_SEAT}
