"""CSV files: stable columns, amounts only for readers with the right, no formulas for spreadsheets."""

from __future__ import annotations

import csv
import inspect
import io
import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation
from openpyxl import load_workbook

from games.closing import debts_views
from games.evening import exports as hand_files
from games.models import Table
from league.career import exports as evening_files
from league.club_admin import log_entries
from league.cups import views as cup_views
from league.luck import views as luck_views
from league.member_fees import views as fee_views
from league.models import Balance, EveningScore, Player, ResultRow, Standing, Transfer
from league.standings import exports
from league.standings.counting import count_season
from league.treasury import ledger_lines
from league.web import csv_columns, csv_download
from league.web.csv_columns import heading
from league.web.report_table import Column, Kind
from tests.cast import House, cast
from tests.factories import FAILED, MADE, PASSED_OUT, WALKOVER, SeasonFactory, create_table, enter, void

DOCS = Path(__file__).parents[2] / "docs" / "csv.md"
COLUMNS = {
    "standings-csv": exports.STANDINGS,
    "results-csv": exports.RESULTS,
    "ledger-csv": exports.LEDGER,
    "hands-csv": hand_files.HANDS,
    "evenings-csv": evening_files.EVENINGS,
}
TRICKS = {"declarer": 1, "joiners": [0, 3], "tricks": {"0": 1, "1": 3, "3": 0}}


@pytest.fixture
def home(db: None) -> House:
    house = cast().home
    table = create_table(season=house.season, club=house.club)
    for record in (MADE, FAILED, WALKOVER, PASSED_OUT, TRICKS, MADE):
        enter(table, record)
    void(table)
    count_season(house.season.pk)
    return house


def address(name: str, house: House) -> str:
    if name == "hands-csv":
        evening = house.season.evenings.get()
        return reverse(name, kwargs={"club": house.club.slug, "evening": evening.pk})
    if name == "evenings-csv":
        beni = Player.objects.filter(club=house.club).order_by("pk")[1]
        return reverse(name, kwargs={"club": house.club.slug, "player": beni.pk})
    return reverse(name, kwargs={"club": house.club.slug, "season": house.season.slug})


def signed_in(person: Any = None) -> Client:
    client = Client()
    if person is not None:
        client.force_login(person)
    return client


def body(client: Client, url: str) -> str:
    answer = client.get(url)
    assert answer.status_code == 200
    assert answer.streaming
    return b"".join(answer.streaming_content).decode("utf-8")


def rows(name: str, house: House, person: Any = None) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(body(signed_in(person), address(name, house)), newline=""), strict=True))


# --- Form ------------------------------------------------------------------------------------------------


def documented(heading: str) -> list[str]:
    """Return the columns that docs/csv.md names under a heading, in its order."""
    section = DOCS.read_text().split(f"## {heading}.csv")[1].split("\n## ")[0]
    firsts = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return [name for first in firsts for name in re.findall(r"`(\w+)`", first)]


def test_the_documented_columns_are_those_of_the_files():
    for name, columns in (*COLUMNS.items(), ("standing", cup_views.COLUMNS)):
        assert tuple(documented(name.removesuffix("-csv"))) == columns, name


@pytest.mark.parametrize("name", COLUMNS)
def test_everybody_gets_the_same_columns(home, name):
    people = [home.owner, home.treasurer] + ([] if name == "ledger-csv" else [None, home.member, home.recorder])
    for person in people:
        first = body(signed_in(person), address(name, home)).split("\r\n")[0]
        assert first == ",".join(COLUMNS[name])


@pytest.mark.parametrize("name", COLUMNS)
def test_a_file_names_its_content(home, name):
    answer = signed_in(home.owner).get(address(name, home))
    assert answer["Content-Type"] == "text/csv; charset=utf-8; header=present"
    assert re.fullmatch(
        r'attachment; filename="roessli-(2026|evenings)-[a-z0-9-]+\.csv"', answer["Content-Disposition"]
    )
    assert "private" in answer["Cache-Control"]


def test_excel_gets_semicolons_a_byte_order_mark_headings_and_francs(home):
    reader = signed_in(home.owner)
    plain = list(csv.DictReader(io.StringIO(body(reader, address("standings-csv", home)))))
    headings = {"de": ("Rang", "Name", "Saldo (Fr.)", "Summe"), "en": ("Rank", "Player", "Balance (CHF)", "Sum")}
    for language, (rank, player, balance, total) in headings.items():
        answer = reader.get(address("standings-csv", home) + "?for=excel", headers={"Accept-Language": language})
        text = b"".join(answer.streaming_content).decode()
        assert text.startswith(f'\ufeff"{rank}";')
        *excel, foot = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), delimiter=";")
        assert [(row[rank], row[player]) for row in excel] == [(row["rank"], row["player"]) for row in plain]
        shown = [row[balance] for row in excel]
        assert [Decimal(amount) * 100 for amount in shown] == [Decimal(row["balance_minor"]) for row in plain]
        assert any(amount.startswith("-") for amount in shown)
        assert (foot[rank], Decimal(foot[balance])) == (total, sum(map(Decimal, shown)))


@pytest.mark.parametrize(("minor", "francs"), [(0, "0.00"), (5, "0.05"), (-5, "-0.05"), (123456, "1234.56")])
def test_an_amount_for_excel_is_in_francs(minor, francs):
    assert csv_download.excel_cell("balance_minor", minor) == francs
    assert csv_download.excel_cell("points", minor) == str(minor)
    assert csv_download.excel_cell("balance_minor", None) == ""


def test_a_time_for_excel_has_no_time_zone():
    moment = datetime(2026, 11, 20, 20, 4, 10, tzinfo=UTC)
    assert csv_download.excel_cell("entered_at", moment) == "2026-11-20 21:04:10"


def test_codes_are_words_for_people_and_stay_codes_for_programs(home):
    reader = signed_in(home.owner)
    url = address("ledger-csv", home)
    plain = list(csv.DictReader(io.StringIO(body(reader, url))))
    assert {"ante", "payout"} <= {row["kind"] for row in plain}
    german = {"Accept-Language": "de"}
    text = b"".join(reader.get(url + "?for=excel", headers=german).streaming_content).decode()
    *excel, foot = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), delimiter=";")
    assert {row["Art"] for row in excel} & {"ante", "payout"} == set()
    assert {row["Von"] for row in excel if row["Von (Name)"]} == {"Spieler"}
    assert Decimal(foot["Betrag (Fr.)"]) * 100 == sum(int(row["amount_minor"]) for row in plain)
    book = load_workbook(io.BytesIO(b"".join(reader.get(url + "?for=xlsx", headers=german).streaming_content)))
    (sheet,) = book.worksheets
    assert sheet.title.startswith("Buchungen")
    for place, cell in enumerate(sheet[1], start=1):
        number = isinstance(sheet.cell(2, place).value, int | float)
        assert not number or cell.alignment.horizontal == "right", cell.value
    assert sheet.cell(2, 18).value is None or isinstance(sheet.cell(2, 18).value, str)
    assert str(sheet.cell(sheet.max_row, 16).value).startswith("=SUBTOTAL(109,")


FILES = {
    exports: (exports.STANDINGS, exports.RESULTS, exports.LEDGER),
    hand_files: (hand_files.HANDS,),
    evening_files: (evening_files.EVENINGS,),
    debts_views: (debts_views.COLUMNS,),
    log_entries: (log_entries.COLUMNS,),
    cup_views: (cup_views.COLUMNS,),
    fee_views: (fee_views.COLUMNS,),
    luck_views: (luck_views.COLUMNS,),
    ledger_lines: (ledger_lines.COLUMNS,),
}
"""The columns of each file, by the module that lists them."""


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_column_of_a_file_has_its_own_heading(language):
    files = [file for of_module in FILES.values() for file in of_module]
    with translation.override(language):
        assert {column for file in files for column in file} == set(csv_columns.COLUMNS)
        for file in files:
            assert len({heading(column, "CHF") for column in file}) == len(file)
        assert heading("change_minor", "") == str(csv_columns.COLUMNS["change_minor"].heading)


def test_a_module_registers_the_columns_of_its_own_files():
    """So they are registered wherever its lists are. Only columns of several rooms are common."""
    used = {module: {name for file in files for name in file} for module, files in FILES.items()}
    # The treasury takes the columns of the season's ledger from there.
    used[ledger_lines] -= set(exports.LEDGER)
    rooms = Counter(name for names in used.values() for name in names)
    common = {name for name, count in rooms.items() if count > 1}
    assert {column.name for column in csv_columns.COMMON} == common
    for module, names in used.items():
        assert set(re.findall(r'\bColumn\("(\w+)"', inspect.getsource(module))) == names - common, module


def test_the_name_of_a_column_says_if_it_is_an_amount():
    for name, column in csv_columns.COLUMNS.items():
        assert name.endswith(csv_columns.AMOUNT) == (column.kind is Kind.AMOUNT), name
    assert set(csv_columns.CODES) <= set(csv_columns.COLUMNS)


@pytest.fixture
def registry(monkeypatch):
    """Let the columns that a test registers end with it."""
    for name in ("COLUMNS", "CODES"):
        monkeypatch.setattr(csv_columns, name, dict(getattr(csv_columns, name)))


@pytest.mark.usefixtures("registry")
@pytest.mark.parametrize("name", ["fee", "result_points", "new"])
def test_two_rooms_cannot_give_a_column_two_headings(name):
    before = dict(csv_columns.COLUMNS), dict(csv_columns.CODES)
    with pytest.raises(ValueError, match=f"registered twice: {name};"):
        csv_columns.register_columns(Column("new", "New"), Column(name, "Other"), codes={name: {"a": "b"}})
    assert before == (csv_columns.COLUMNS, csv_columns.CODES)


@pytest.mark.usefixtures("registry")
def test_without_the_guard_a_column_gets_the_heading_of_another_room(monkeypatch):
    monkeypatch.setattr(csv_columns, "_refuse_twice", lambda names: None)
    csv_columns.register_columns(Column("result_points", "Other"))
    assert heading("result_points", "") == "Other"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_a_text_that_looks_like_a_formula_is_made_harmless(start):
    assert csv_download.cell(start + "1+1") == f'"\'{start}1+1"'


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (-320, "-320"),
        (0, "0"),
        (True, "1"),
        (False, "0"),
        (None, ""),
        ("Anna", '"Anna"'),
        (date(2026, 11, 20), "2026-11-20"),
    ],
)
def test_values_are_not_changed(value, cell):
    assert csv_download.cell(value) == cell


def test_a_nickname_is_no_formula_and_breaks_no_line(home):
    Player.objects.filter(nickname="Anna").update(nickname='=HYPERLINK("http://x";"y"),\n2')
    for name in ("standings-csv", "results-csv", "hands-csv", "ledger-csv"):
        lines = rows(name, home, home.owner)
        key = "from_player" if name == "ledger-csv" else "player"
        assert '\'=HYPERLINK("http://x";"y"),\n2' in {row[key] for row in lines}
        assert all(None not in row for row in lines)


# --- Content ---------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_standings_are_those_of_the_page(home):
    lines = rows("standings-csv", home, home.owner)
    stored = list(Standing.objects.filter(season=home.season).order_by("rank", "player__nickname"))
    assert [(r["rank"], r["player"], r["balance_minor"]) for r in lines] == [
        (str(s.rank), s.player.nickname, str(s.balance_minor)) for s in stored
    ]
    assert sum(int(r["hands"]) for r in lines) == 25
    assert any(int(r["balance_minor"]) < 0 for r in lines)


@pytest.mark.both_databases
def test_results_have_one_row_for_each_player_and_valid_hand(home):
    lines = rows("results-csv", home, home.owner)
    assert len(lines) == 25
    assert sum(int(r["change_minor"]) for r in lines) == sum(
        ResultRow.objects.filter(season=home.season).values_list("change_minor", flat=True)
    )
    counted = [r["tricks"] for r in lines if r["tricks"]]
    assert sum(map(int, counted)) == 4
    assert {r["walkover"] for r in lines} == {"0", "1"}


def test_out_means_the_same_in_every_file(home):
    """Nobody is out in a hand that nobody declared."""
    out: Counter[str] = Counter()
    for row in rows("results-csv", home, home.owner):
        assert (row["role"] == "") == (row["passed_out"] == "1")
        out[row["player_id"]] += row["role"] == "out"
    assert {row["player_id"]: int(row["out"]) for row in rows("standings-csv", home, home.owner)} == out
    for row in rows("hands-csv", home, home.owner):
        assert (row["role"] == "") == (row["outcome"] == "passed_out")


@pytest.mark.both_databases
def test_the_ledger_adds_up_to_the_balances(home):
    account: Counter[str] = Counter()
    for row in rows("ledger-csv", home, home.treasurer):
        assert int(row["amount_minor"]) > 0
        account[row["from_account_id"]] -= int(row["amount_minor"])
        account[row["to_account_id"]] += int(row["amount_minor"])
    stored = {str(b.account_id): b.balance_minor for b in Balance.objects.filter(season=home.season)}
    assert {k: v for k, v in account.items() if v} == {k: v for k, v in stored.items() if v}
    assert sum(account.values()) == 0


@pytest.mark.both_databases
def test_hands_have_a_row_a_seat_and_keep_the_voided_ones(home):
    lines = rows("hands-csv", home, home.owner)
    assert len(lines) == 30
    assert Counter(r["state"] for r in lines) == {"entered": 25, "voided": 5}
    assert Counter(r["outcome"] for r in lines) == {"played": 20, "walkover": 5, "passed_out": 5}
    hands: dict[str, int] = Counter()
    for row in lines:
        hands[row["hand"]] += int(row["change_minor"])
    pots = {r["hand"]: int(r["pot_after_minor"]) for r in lines}
    # The changes of each hand and the pot after it add up to the pot before it.
    assert [-hands[h] for h in "12345"] == [pots[h] - (pots[str(int(h) - 1)] if h != "1" else 0) for h in "12345"]
    assert {(r["seat"], r["role"], r["made"], r["tricks"]) for r in lines if r["hand"] == "5"} == {
        ("0", "joiner", "1", "1"),
        ("1", "declarer", "1", "3"),
        ("2", "out", "", "0"),
        ("3", "joiner", "0", "0"),
        ("4", "out", "", "0"),
    }


# --- Visible cells ---------------------------------------------------------------------------------------


def money_cells(lines: list[dict[str, str]]) -> set[str]:
    # Only a formula of amounts fills `counted_minor` (test_shown_standings.py).
    return {row[column] for row in lines for column in row if column.endswith("_minor") and column != "counted_minor"}


@pytest.mark.parametrize("name", ["standings-csv", "results-csv", "hands-csv", "evenings-csv"])
def test_amounts_are_only_in_files_of_people_who_may_see_them(home, name):
    for person in (None, home.member, home.recorder):
        assert money_cells(rows(name, home, person)) == {""}
    for person in (home.treasurer, home.owner):
        assert "" not in money_cells(rows(name, home, person))
    home.club.publishes_money = True
    home.club.save()
    assert "" not in money_cells(rows(name, home))


@pytest.mark.parametrize("name", ["standings-csv", "results-csv", "hands-csv", "evenings-csv"])
def test_members_get_their_own_amounts_and_no_pot(home, name):
    mine = Player.objects.get(nickname="Beni")
    mine.user = home.member
    mine.save()
    column = "balance_minor" if name == "standings-csv" else "change_minor"
    lines = rows(name, home, home.member)
    assert all(bool(row[column]) == (row["player"] == "Beni") for row in lines)
    if name == "hands-csv":
        assert {row["pot_minor"] for row in lines} == {""}


def test_the_file_of_a_person_has_the_evenings_of_the_page_over_all_seasons(home):
    before = SeasonFactory(club=home.club, slug="2025", starts_on=home.season.starts_on - timedelta(400))
    enter(create_table(club=home.club, season=before, held_on=before.starts_on), MADE)
    count_season(before.pk)
    lines = rows("evenings-csv", home, home.owner)
    beni = Player.objects.get(club=home.club, nickname="Beni")
    scores = EveningScore.objects.filter(player=beni, hands__gt=0).order_by("evening__held_on")
    assert [(row["season"], int(row["points"]), int(row["change_minor"])) for row in lines] == [
        (score.season.slug, score.points, score.change_minor) for score in scores
    ]
    assert [row["season"] for row in lines] == ["2025", "2026"]
    assert (lines[0]["hands"], lines[0]["declared"], lines[0]["night_rank"], lines[0]["players"]) == (
        "1",
        "0",
        "2",
        "5",
    )
    # For Excel with words, francs and a sum; the sum only for who sees all amounts.
    answer = signed_in(home.owner).get(address("evenings-csv", home) + "?for=excel", headers={"Accept-Language": "de"})
    text = b"".join(answer.streaming_content).decode()
    assert "Chratze" in text
    assert text.splitlines()[-1].startswith('"Summe";')
    assert '"Summe"' not in body(signed_in(home.member), address("evenings-csv", home) + "?for=excel")


def test_the_file_of_a_person_follows_consent_club_and_merging(home):
    Player.objects.filter(club=home.club).update(publicity=Player.Publicity.INITIALS)
    url = address("evenings-csv", home)
    assert "Beni" not in body(signed_in(), url)
    assert "Beni" in body(signed_in(home.member), url)
    beni, other = Player.objects.filter(club=home.club).order_by("pk")[1:3]
    away = reverse("evenings-csv", kwargs={"club": "sternen", "player": beni.pk})
    assert signed_in(home.owner).get(away).status_code == 404
    Player.objects.filter(pk=beni.pk).update(main=other)
    assert signed_in(home.owner).get(url).status_code == 404


def test_the_ledger_names_the_author_without_a_mail_address(home):
    enter(create_table(club=home.club, season=home.season), MADE, author=home.recorder)
    authors = {row["author"] for row in rows("ledger-csv", home, home.treasurer)}
    assert authors - {""} == {str(home.recorder)}
    assert not any("@" in author for author in authors)


def test_the_ledger_is_for_treasurer_and_owner(home):
    url = address("ledger-csv", home)
    assert signed_in(home.member).get(url).status_code == 403
    assert signed_in(home.recorder).get(url).status_code == 403
    assert signed_in().get(url).status_code == 302
    assert Transfer.objects.filter(season=home.season).count() == len(rows("ledger-csv", home, home.treasurer))


# --- Cost ------------------------------------------------------------------------------------------------


def queries(name: str, house: House) -> int:
    client, url = signed_in(house.owner), address(name, house)
    with CaptureQueriesContext(connection) as caught:
        body(client, url)
    return len(caught)


@pytest.mark.both_databases
@pytest.mark.parametrize("name", COLUMNS)
def test_more_rows_cost_no_more_queries(home, name):
    few = queries(name, home)
    table = Table.objects.get()
    for _ in range(10):
        enter(table, MADE)
    count_season(home.season.pk)
    # One of them stores the line of the audit log.
    assert queries(name, home) == few <= 8


def test_rows_are_sent_while_they_are_read():
    taken = []

    def endless() -> Iterator[dict[str, int]]:
        n = 0
        while True:
            taken.append(n)
            yield {"a": n}
            n += 1

    sent = csv_download.lines(("a",), endless())
    assert [next(sent) for _ in range(3)] == ["a\r\n", "0\r\n", "1\r\n"]
    assert len(taken) == 2


def test_asking_for_the_head_reads_no_rows(home):
    client = signed_in(home.owner)
    with CaptureQueriesContext(connection) as caught:
        answer = client.head(address("ledger-csv", home))
    assert answer.status_code == 200
    assert not any("league_transfer" in query["sql"] for query in caught)
