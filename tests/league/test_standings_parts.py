"""Standings of a part of a season: of a day, a period, a game, a table; sorted; with form, course and gap."""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, date, datetime, time
from html import unescape
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from openpyxl import load_workbook

from games.evening.recorded_hands import StoredRecords
from games.hands.tables import table_create
from games.models import Table
from league.errors import Refused
from league.models import Club, EveningScore, Player, Season, Standing, User
from league.money import format_place
from league.roster.merging import players_merge
from league.standings import counting
from league.standings.formula import services
from league.standings.formula.inputs import formula_of
from league.standings.reader_choice import Choice, read_choice
from league.standings.season_part import Part, part_of
from league.standings.selectors import Course, season_course
from league.standings.standing_lines import StandingLine, season_standings
from league.web import page_versions
from tests.api.api_client import ApiClient, done, is_problem
from tests.cast import House, cast
from tests.clients import forget_pages, reader
from tests.factories import FAILED, MADE, MUSS, create_table, enter
from tests.league.test_formula_counting import FORMULAS

pytestmark = pytest.mark.django_db

FIRST, SECOND, THIRD = date(2026, 10, 5), date(2026, 10, 12), date(2026, 10, 19)


@pytest.fixture
def home() -> House:
    return cast().home


def play(house: House, held_on: date, *records: dict[str, Any], seats: int = 5, **more: Any) -> Table:
    table = create_table(club=house.club, season=house.season, held_on=held_on, seats=seats, **more)
    for record in records:
        enter(table, record)
    return table


def count(house: House) -> Season:
    counting.count_season(house.season.pk)
    return Season.objects.select_related("club", "count").get(pk=house.season.pk)


def three_evenings(house: House) -> Season:
    """Anna makes it twice, fails twice, and makes it once."""
    for day, records in ((FIRST, (MADE, MADE)), (SECOND, (FAILED, FAILED)), (THIRD, (MADE,))):
        play(house, day, *records)
    return count(house)


def part(season: Season, **chosen: Any) -> Part:
    return part_of(season, Choice(**chosen), formula_of(season))


def stored(season: Season) -> tuple[list[StandingLine], Course]:
    lines = season_standings(season)
    return lines, season_course(season, [line.player_id for line in lines])


def recounted(season: Season, **chosen: Any) -> tuple[list[StandingLine], Course]:
    ranking = part(season, **chosen)
    return list(ranking.lines), ranking.course


def url_of(season: Season, query: str = "", name: str = "season") -> str:
    return reverse(name, kwargs={"club": season.club.slug, "season": season.slug}) + query


def page(
    season: Season, query: str = "", person: User | None = None, status: int = 200, *, name: str = "season"
) -> str:
    answer = reader(person).get(url_of(season, query, name))
    assert answer.status_code == status
    return answer.content.decode()


def rows_of(text: str) -> list[str]:
    body = text.split('class="figures standings"')[1].split("</tbody>")[0].split("<tbody>")[1]
    return [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in body.split("<tr")[1:]]


def nicknames(text: str) -> list[str]:
    return re.findall(r'<a id="player-\d+"[^>]*>([^<]+)</a>', text)


# --- The same formula, applied to a part -----------------------------------------------------------------


@pytest.mark.parametrize("name", [*FORMULAS, "no formula", "balance"])
def test_standings_of_a_day_equal_those_stored_then(home, name):
    if name == "balance":
        Season.objects.update(ranking="balance")
    if name in FORMULAS:
        services.formula_set(season=home.season, actor=None, values=FORMULAS[name])
    play(home, FIRST, MADE, FAILED, MADE)
    play(home, SECOND, FAILED, seats=4)
    before = stored(count(home))
    play(home, THIRD, MADE, FAILED, FAILED, seats=6)
    season = count(home)
    assert recounted(season, on=THIRD) == stored(season) != before
    assert recounted(season, on=date(2026, 10, 18)) == before


def test_a_penalty_counts_from_its_day_on(home):
    services.formula_set(season=home.season, actor=None, values={"best": 5})
    season = three_evenings(home)
    anna = Player.objects.get(nickname="Anna")
    given: dict[str, Any] = {"season": season, "player": anna, "points": -5, "reason": "late", "actor": None}
    services.adjustment_add(day=date(2026, 10, 13), **given)
    season = count(home)
    points = {line.nickname: line.points for line in season_standings(season)}["Anna"]

    def of_anna(**chosen: Any) -> int:
        return {line.nickname: line.points for line in part(season, **chosen).lines}["Anna"]

    evenings = [of_anna(since=day, on=day) for day in (FIRST, SECOND)]
    assert of_anna(on=SECOND) == sum(evenings)
    assert of_anna(on=THIRD) == points
    assert of_anna(since=THIRD) == points + 5 - sum(evenings)
    assert of_anna(game="chratze") == points + 5


def test_minimums_do_not_apply_to_a_part(home):
    services.formula_set(season=home.season, actor=None, values={"attendance_minimum": 3})
    season = three_evenings(home)
    assert all(line.unranked == "evenings" for line in part(season, on=SECOND).lines)
    assert [line.unranked for line in part(season, since=SECOND).lines] == [""] * 5
    assert "Everybody is ranked" in page(season, f"?since={SECOND}")


def test_somebody_who_was_absent_in_a_period_has_no_line(home):
    play(home, FIRST, MADE, seats=6)
    play(home, SECOND, MADE)
    season = count(home)
    assert len(part(season, on=FIRST).lines) == 6
    assert "Franziska" not in [line.nickname for line in part(season, since=SECOND).lines]


@pytest.mark.both_databases
def test_the_hands_of_each_table_add_up_to_the_season(home):
    first = play(home, FIRST, MADE, FAILED)
    players = list(Player.objects.filter(club=home.club).order_by("pk"))
    second = table_create(evening=first.evening, players=players[::-1], first_dealer=players[0], number=2)
    for record in (MADE, MADE, FAILED):
        enter(second, record)
    play(home, SECOND, MADE)
    guest = Player.objects.create(club=home.club, nickname="Gast")
    third = play(home, THIRD, FAILED, players=[guest, *players[1:4]])
    assert third.number == 1
    players_merge(club=home.club, player=guest, main=players[0], reason="the same", actor=None)
    season = count(home)
    tables = [{line.nickname: line for line in part(season, table=number).lines} for number in (1, 2)]
    for line in season_standings(season):
        table_lines = [table[line.nickname] for table in tables if line.nickname in table]
        for name in ("points", "balance_minor", "hands", "declared", "declared_made", "joined", "joined_made", "out"):
            assert getattr(line, name) == sum(getattr(table_line, name) for table_line in table_lines), name
    assert [line.hands for line in tables[1].values()] == [3] * 5
    assert part(season, table=2, since=SECOND).lines == []
    assert StoredRecords().table_numbers(season) == [1, 2]


def test_a_part_by_game_has_the_evenings_of_that_game(home):
    play(home, FIRST, MADE)
    season = count(home)
    assert len(part(season, game="chratze").lines) == 5
    assert part(season, game="kratzen").lines == []
    assert "Nobody played then" in page(season, "?game=kratzen")


# --- The page ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("on=2026-13-01", "on"),
        ("on=20261001", "on"),
        ("since=%00", "since"),
        ("since=2026-10-02&on=2026-10-01", "since"),
        ("game=jass", "game"),
        ("table=0", "table"),
        ("table=٣", "table"),
        ("sort=name", "sort"),
        ("sort=--rank", "sort"),
    ],
)
def test_a_wrong_parameter_is_refused_in_a_sentence(home, query, path):
    season = three_evenings(home)
    answer = reader().get(url_of(season, f"?{query}"))
    assert answer.status_code == 400
    refused = answer.context["filter"]
    assert (refused.at, bool(refused.error)) == (path, True)
    assert f'id="filter-error">{refused.error}' in answer.content.decode()
    for name in ("season-standings", "standings-csv"):
        assert reader().get(url_of(season, f"?{query}", name)).status_code == 400
    if path != "sort":
        answer = ApiClient()("GET", f"clubs/{home.club.slug}/seasons/{season.slug}/standings?{query}")
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["at"] == path


def test_the_page_names_its_part_and_its_sums_show_the_same_part(home):
    season = three_evenings(home)
    text = page(season, f"?since={SECOND}&on={THIRD}")
    shown = [date_format(day, "SHORT_DATE_FORMAT") for day in (SECOND, THIRD)]
    assert f"<b>{shown[0]} to {shown[1]}</b>" in text
    assert "Standings of 2 evenings" in text
    links = re.findall(r'class="sum" href="([^"]+)"', text)
    assert links
    assert all(link.endswith(f"?since={SECOND}&amp;on={THIRD}") for link in links)
    assert f'hx-get="{url_of(season, name="season-standings")}?since={SECOND}&amp;on={THIRD}"' in text
    assert f"standings.csv?since={SECOND}&amp;on={THIRD}&amp;for=xlsx" in text
    assert "as it stood on" in page(season, f"?on={SECOND}")
    assert 'class="sum"' in page(season)


def notes(text: str) -> tuple[bool, str]:
    """Return True if the text says that it is counted by the rules of today, and the day of the formula's change."""
    changed = re.search(r"The formula was last changed on ([^.<]+)\.", text)
    rules = "Counted by today's rules, with all corrections made since." in unescape(text)
    return rules, changed[1] if changed else ""


def test_standings_of_an_earlier_day_say_that_they_are_counted_by_the_rules_of_today(home, en, monkeypatch):
    now = {"now": datetime.combine(SECOND, time(12), UTC)}
    monkeypatch.setattr(timezone, "now", lambda: now["now"])
    services.formula_set(season=home.season, actor=None, values={"best": 2})
    season = three_evenings(home)
    sums = reverse("season-sum", args=[season.club.slug, season.slug, season_standings(season)[0].player_id])
    now["now"] = datetime.combine(THIRD, time(12), UTC)
    shown = date_format(SECOND, "SHORT_DATE_FORMAT")
    for query, said in (
        (f"?on={FIRST}", (True, shown)), (f"?on={FIRST}&game=chratze", (True, shown)), (f"?on={SECOND}", (True, "")),
        (f"?on={THIRD}", (False, "")), (f"?since={FIRST}&on={SECOND}", (False, "")), ("", (False, "")),
    ):  # fmt: skip
        assert notes(page(season, query)) == notes(reader().get(sums + query).content.decode()) == said
    file = reader().get(url_of(season, f"?on={SECOND}&for=xlsx", "standings-csv"))
    sheet = load_workbook(io.BytesIO(b"".join(file.streaming_content))).active
    last = [str(row[0]) for row in sheet.iter_rows(values_only=True)][-3:]
    assert (last[0], last[1], notes(last[2])) == ("None", f"as it stood on {shown}", (True, ""))
    services.formula_set(season=season, actor=None, values=None)
    assert notes(page(count(home), f"?on={FIRST}")) == (True, "")


def listed(text: str) -> list[tuple[str, str]]:
    """The evenings of the page's list, each with the points of whoever won, or with its hands."""
    section = text.split('id="evenings"')[1].split("</section>")[0]
    rows = re.findall(r"<b>(Evening \d+)</b>.*?</a>", section, re.DOTALL)
    assert len(rows) == section.count("<li>")
    return re.findall(r"<b>(Evening \d+)</b>.*?(?:count\">|<b class=\"num \w+\">)([^<]+)<", section, re.DOTALL)


@pytest.mark.both_databases
def test_the_list_of_a_part_has_the_evenings_of_its_standings(home):
    three_evenings(home)
    second, players = Table.objects.get(evening__held_on=SECOND), list(Player.objects.filter(club=home.club)[:5])
    table_create(evening=second.evening, players=players, first_dealer=players[0], number=2)
    enter(Table.objects.get(number=2), MADE)
    play(home, date(2026, 10, 20), MUSS, seats=4, game="kratzen")
    # An evening without a hand is in no standings.
    play(home, date(2026, 10, 21))
    season = count(home)
    first, two = ("Evening 1", "+4"), ("Evening 2", "+3")
    three, other = ("Evening 3", "+2"), ("Evening 4", "+1")
    assert listed(page(season)) == [("Evening 5", "0 hands"), other, three, two, first]
    assert "Those of which these standings are made." not in page(season)
    for query, evenings in (
        ("?on=2026-10-18", [two, first]),
        (f"?since={SECOND}&on={THIRD}", [three, two]),
        ("?game=kratzen", [other]),
        ("?table=2", [("Evening 2", "1 hand")]),
        ("?since=2026-10-21", []),
    ):
        text = page(season, query)
        assert (listed(text), "Those of which these standings are made." in text) == (evenings, True), query
        # The part that polls renews the list with the standings.
        polled = page(season, query, name="season-standings")
        assert (listed(polled), polled.count('hx-swap-oob="true"')) == (evenings, 1), query
    assert "No evening counted" in page(season, "?since=2026-10-21")
    assert 'id="evenings"' not in page(season, "", name="season-standings")
    enter(Table.objects.get(evening__held_on=date(2026, 10, 21)), MADE)
    assert listed(page(count(home), "?since=2026-10-21")) == [("Evening 5", "+2")]


def test_the_form_offers_only_existing_choices(home):
    first = play(home, FIRST, MADE)
    season = count(home)
    text = page(season)
    assert 'name="on"' in text
    assert 'name="game"' not in text
    assert 'name="table"' not in text
    players = list(Player.objects.filter(club=home.club).order_by("pk"))
    table_create(evening=first.evening, players=players, first_dealer=players[0], number=2)
    assert 'name="table"' in page(count(home), f"?on={FIRST}")


def test_a_heading_sorts_and_turns_the_order_round(home):
    season = three_evenings(home)
    ranked = nicknames(page(season))
    assert 'class="rank" aria-sort="ascending"' in page(season)
    by_name = page(season, "?sort=player")
    assert nicknames(by_name) == sorted(ranked)
    assert 'href="?sort=-player#standings"' in by_name
    assert nicknames(page(season, "?sort=-player")) == sorted(ranked)[::-1]
    assert 'aria-sort="descending"' in page(season, "?sort=points")
    assert nicknames(page(season, "?sort=points")) == ranked
    assert "Sorted by “Points”." in page(season, "?sort=points")
    assert 'href="?since=2026-10-01#standings">By rank again' in page(season, "?since=2026-10-01&sort=-points")
    assert "By rank again" not in page(season)
    ranks = dict(zip(ranked, [row[0] for row in rows_of(page(season))], strict=True))
    assert [row[0] for row in rows_of(by_name)] == [ranks[name] for name in sorted(ranked)]


def test_shares_of_few_tries_come_last_in_either_direction(home):
    season = three_evenings(home)
    Standing.objects.update(declared=0, declared_made=0, walkovers=0)
    for name, made, of in (("Anna", 12, 24), ("Beni", 19, 19), ("Carlo", 9, 20), ("Doris", 0, 19)):
        Standing.objects.filter(player__nickname=name).update(declared=of, declared_made=made)
    few = [name for name in nicknames(page(season)) if name not in ("Anna", "Carlo")]
    assert {"Beni", "Doris"} < set(few)
    assert nicknames(page(season, "?sort=declares")) == ["Anna", "Carlo", *few]
    assert nicknames(page(season, "?sort=-declares")) == ["Carlo", "Anna", *few]


def test_sorting_reveals_no_hidden_amount(home):
    season = three_evenings(home)
    own = Player.objects.order_by("-pk")[0]
    Player.objects.filter(pk=own.pk).update(user=home.member)
    for person in (None, home.member):
        assert nicknames(page(season, "?sort=balance", person)) == nicknames(page(season, "", person))
        assert "sort=balance" not in page(season, "", person)
    by_amount = page(season, "?sort=balance", home.treasurer)
    lines = sorted(season_standings(season), key=lambda line: -line.balance_minor)
    assert nicknames(by_amount) == [line.nickname for line in lines]


def test_a_row_shows_form_course_and_gap(home):
    season = three_evenings(home)
    text = page(season)
    anna = next(row for row in rows_of(text) if "Anna" in row)
    first = season_standings(season)[0]
    own = next(line for line in season_standings(season) if line.nickname == "Anna")
    assert first.points > own.points
    assert f"behind the first: −{first.points - own.points}" in anna
    assert text.count("behind the first:") == sum(line.points < first.points for line in season_standings(season))
    said = dict(re.findall(r'player-(\d+)".*?aria-label="Ranks of the last 3 evenings: ([^"]+)"', text, re.DOTALL))
    for line in season_standings(season):
        ranks = [
            1 + EveningScore.objects.filter(evening=score.evening_id, points__gt=score.points).count()
            for score in EveningScore.objects.filter(player=line.player_id).order_by("evening__held_on")
        ]
        assert said[str(line.player_id)] == ", ".join(map(format_place, ranks))
    assert len(set(said.values())) > 1
    assert text.count("Rank after each evening: ") == 5


def test_in_a_season_by_amounts_no_gap_reveals_an_amount(home):
    Season.objects.update(ranking="balance")
    season = three_evenings(home)
    for person in (None, home.member):
        assert "behind the first" not in page(season, "", person)
    assert "behind the first" in page(season, "", home.treasurer)
    Club.objects.update(publishes_money=True)
    assert "behind the first" in page(season)


# --- Kept pages, files, API ------------------------------------------------------------------------------


def test_a_part_is_kept_for_visitors_and_many_parts_fill_no_cache(home, monkeypatch, django_assert_num_queries):
    season = three_evenings(home)
    forget_pages()
    kept: set[str] = set()
    real = caches["pages"].set
    monkeypatch.setattr(caches["pages"], "set", lambda key, *more: (kept.add(key), real(key, *more)))
    client = Client(headers={"accept-language": "en"})
    url = url_of(season, f"?on={SECOND}")
    first = client.get(url)
    with django_assert_num_queries(1):
        assert client.get(url).content == first.content
    monkeypatch.setattr(page_versions, "SLOTS", 2)
    bodies = {client.get(url_of(season, f"?sort={sort}")).content for sort in ("hands", "-hands", "player", "-player")}
    assert len(bodies) == 4
    assert client.get(url).content == first.content
    assert len(kept) <= 3


def test_the_file_has_the_chosen_part(home):
    season = three_evenings(home)
    for query, lines in ((f"?on={SECOND}", part(season, on=SECOND).lines), ("", season_standings(season))):
        answer = reader().get(url_of(season, query, "standings-csv"))
        text = b"".join(answer.streaming_content).decode()
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        shown = [(row["rank"], row["player"], row["points"], row["hands"]) for row in rows]
        assert shown == [(str(line.rank), line.nickname, str(line.points), str(line.hands)) for line in lines]
        assert {row["balance_minor"] for row in rows} == {""}
    assert (
        f"{season.slug}-standings-{SECOND}"
        in reader().get(url_of(season, f"?on={SECOND}", "standings-csv"))["Content-Disposition"]
    )


def test_the_api_gives_a_part_and_the_points_behind_the_first(home):
    season = three_evenings(home)
    address = f"clubs/{home.club.slug}/seasons/{season.slug}/standings"
    items = done(ApiClient()("GET", f"{address}?on={SECOND}&top=2"))["items"]
    lines = part(season, on=SECOND).lines
    assert [(item["rank"], item["points"]) for item in items] == [(line.rank, line.points) for line in lines[:2]]
    assert [item["points_behind"] for item in items] == [lines[0].points - line.points for line in lines[:2]]
    whole = ApiClient()("GET", address)
    known = ApiClient()("GET", f"{address}?on={SECOND}", if_none_match=whole["ETag"])
    assert known.status_code == 200


def test_the_api_sorts_as_the_page_does(home):
    season = three_evenings(home)
    address = f"clubs/{home.club.slug}/seasons/{season.slug}/standings"
    asks = ApiClient(person=home.treasurer)
    for sort in ("hands", "-hands", "points", "-points", "player", "balance", "-balance", "joins", "-joins", "-rank"):
        for query in ("", f"&on={SECOND}"):
            items = done(asks.get(f"{address}?sort={sort}{query}"))["items"]
            shown = nicknames(page(season, f"?sort={sort}{query}", home.treasurer))
            assert [item["name"] for item in items] == shown, sort
    last = done(asks.get(f"{address}?sort=-rank&top=1"))["items"]
    assert [item["rank"] for item in last] == [max(line.rank for line in season_standings(season))]
    # The first one by rank has nobody before it, in any order.
    assert 0 in [item["points_behind"] for item in done(asks.get(f"{address}?sort=-points"))["items"]]
    assert is_problem(asks.get(f"{address}?sort=names"), 400)
    for stranger in (ApiClient(), ApiClient(person=home.member)):
        assert is_problem(stranger.get(f"{address}?sort=balance"), 400)


def test_an_average_reads_alike_everywhere(home):
    services.formula_set(season=home.season, actor=None, values={"counts": "average_hand"})
    season = three_evenings(home)
    anna = Player.objects.get(nickname="Anna")
    assert "0.400" in next(row for row in rows_of(page(season)) if "Anna" in row)
    for name, query in (("standings-csv", ""), ("standings-csv", "?for=excel"), ("season-report", "?for=csv")):
        answer = reader(home.member).get(url_of(season, query, name))
        text = b"".join(answer).decode() if answer.streaming else answer.content.decode()
        assert re.search(r'"Anna"[,;]"?0\.400', text), text
    report = reader(home.member).get(url_of(season, "", "season-report")).content.decode()
    assert "0.400" in report
    statement = reverse("player-statement", kwargs={"club": home.club.slug, "player": anna.pk})
    assert "0.400" in reader(home.member).get(statement).content.decode()


def test_parameters_are_read_and_written_alike():
    sent = {"since": "2026-01-02", "on": "2026-02-03", "game": "kratzen", "table": "2", "sort": "-hands", "with": "7"}
    choice = read_choice(sent)
    assert choice.query() == "?since=2026-01-02&on=2026-02-03&game=kratzen&table=2&sort=-hands&with=7"
    assert read_choice({}) == Choice()
    assert Choice().query() == ""
    with pytest.raises(Refused):
        read_choice({"on": "0000-01-01"})
