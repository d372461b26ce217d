"""The reports of season, evening, player and treasurer: their figures, and the view of each reader."""

from __future__ import annotations

import io
import re
import uuid
from itertools import product

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook
from pypdf import PdfReader

from games.closing.services import evening_close
from games.models import Table
from league.models import AuditEntry, Player, Standing
from league.reports import pdf_pages
from league.standings.counting import count_season
from league.web import xlsx
from tests.cast import House, house
from tests.clients import shown
from tests.factories import FAILED, MADE, WALKOVER, create_table, enter

pytestmark = pytest.mark.django_db
NAMES = ("season-report", "player-statement", "evening-report", "treasurer-list")


def counted_evening() -> House:
    """Return a club with an evening that was counted; nobody agreed to be named."""
    roessli = house("roessli")
    table = create_table(season=roessli.season, club=roessli.club)
    for record in (MADE, FAILED, WALKOVER, MADE):
        enter(table, record)
    count_season(roessli.season.pk)
    Player.objects.filter(club=roessli.club).update(publicity=Player.Publicity.INITIALS)
    return roessli


@pytest.fixture
def home() -> House:
    return counted_evening()


def address(name: str, home: House, form: str = "", table: str = "") -> str:
    current = Table.objects.select_related("evening").get(evening__club=home.club)
    things = {
        "season-report": {"season": home.season.slug},
        "player-statement": {"player": current.dealer_id},
        "evening-report": {"evening": current.evening_id},
        "treasurer-list": {},
    }
    query = "&".join(f"{key}={value}" for key, value in (("for", form), ("table", table)) if value)
    return reverse(name, kwargs={"club": home.club.slug, **things[name]}) + (f"?{query}" if query else "")


def signed_in(person: object = None) -> Client:
    client = Client(headers={"Accept-Language": "en"})
    if person is not None:
        client.force_login(person)  # type: ignore[arg-type]
    return client


def content(answer: object) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]


def nicknames_in(text: str) -> list[str]:
    return [name for name in Player.objects.values_list("nickname", flat=True) if re.search(rf"\b{name}\b", text)]


def words(form: str, body: bytes) -> str:
    if form == "pdf":
        return " ".join(page.extract_text() for page in PdfReader(io.BytesIO(body)).pages)
    if form == "xlsx":
        book = load_workbook(io.BytesIO(body), data_only=True)
        return " ".join(str(cell.value) for sheet in book for row in sheet.iter_rows() for cell in row)
    return body.decode()


def test_each_report_has_every_form(home):
    client = signed_in(home.owner)
    types = {"": "text/html", "pdf": "application/pdf", "xlsx": xlsx.TYPE, "csv": "text/csv", "excel": "text/csv"}
    for name in NAMES:
        for form, kind in types.items():
            answer = client.get(address(name, home, form))
            assert answer.status_code == 200, (name, form)
            assert answer.headers["Content-Type"].startswith(kind)
            assert words(form, content(answer))
        assert client.get(address(name, home, "odt")).status_code == 404
        assert client.get(address(name, home, "csv", "nothing")).status_code == 404
        assert client.head(address(name, home, "pdf")).status_code == 200


def test_a_visitor_gets_public_names_and_no_amount_in_any_form(home):
    names = ("season-report", "player-statement", "evening-report")
    forms = [("", ""), ("pdf", ""), ("xlsx", ""), ("csv", ""), ("csv", "evenings"), ("excel", "hands")]
    for name, (form, table) in product(names, forms):
        answer = signed_in().get(address(name, home, form, table))
        if answer.status_code == 404:
            continue
        text = shown(words(form, content(answer)))
        assert nicknames_in(text) == [], (name, form)
        assert "balance" not in text.lower()
        assert "CHF" not in text


def test_people_of_the_club_get_nicknames_and_the_treasurer_amounts(home):
    for name, form in product(("season-report", "evening-report"), ("", "pdf", "xlsx", "csv")):
        text = words(form, content(signed_in(home.treasurer).get(address(name, home, form))))
        assert len(nicknames_in(text)) > 2, (name, form)
        assert re.search(r"\d\.\d|_minor", text), (name, form)


def test_the_season_report_has_sum_zero_and_the_winner_of_each_evening(home):
    body = content(signed_in(home.treasurer).get(address("season-report", home, "xlsx")))
    standings, _rules, evenings = load_workbook(io.BytesIO(body), data_only=True).worksheets
    heads = [cell.value for cell in standings[1]]
    column = [row[heads.index("Balance (CHF)")] for row in standings.iter_rows(2, values_only=True)]
    assert column[-1] == pytest.approx(sum(column[:-1]))
    winners = ["Anna", "Beni"]
    row = dict(zip((cell.value for cell in evenings[1]), (cell.value for cell in evenings[2]), strict=True))
    assert (row["Hands"], row["Won by"]) == (4, ", ".join(winners))


def test_a_member_sees_only_the_own_amounts(home):
    player = Player.objects.filter(club=home.club).order_by("pk").first()
    player.user = home.member
    player.save()
    lines = content(signed_in(home.member).get(address("season-report", home, "csv"))).decode().splitlines()
    place = lines[0].split(",").index("balance_minor")
    assert sum(bool(line.split(",")[place]) for line in lines[1:]) == 1


def test_the_treasurers_list_has_outstanding_payments_and_balances_with_sum_zero(home):
    table = Table.objects.select_related("evening").get(evening__club=home.club)
    evening_close(evening=table.evening, author=home.owner, key=uuid.uuid4(), pot="kitty")
    count_season(home.season.pk)
    client = signed_in(home.treasurer)
    outstanding = content(client.get(address("treasurer-list", home, "csv"))).decode().splitlines()
    assert outstanding[0] == "held_on,season,evening,payer,payee,stage,amount_minor"
    assert len(outstanding) > 1
    balances = content(client.get(address("treasurer-list", home, "csv", "balances"))).decode().splitlines()
    assert sum(int(line.rsplit(",", 1)[1]) for line in balances[1:]) == 0


def test_a_file_that_a_member_takes_is_logged_and_the_page_is_not(home):
    client = signed_in(home.member)
    client.get(address("season-report", home))
    assert not AuditEntry.objects.filter(what="exported").exists()
    client.get(address("season-report", home, "pdf"))
    entry = AuditEntry.objects.get(what="exported")
    assert (entry.data, entry.about) == ({"file": "report"}, f"season:{home.season.pk}")


def test_the_files_of_lists_are_xlsx_as_well(home):
    url = reverse("results-csv", kwargs={"club": "roessli", "season": "2026"}) + "?for=xlsx"
    answer = signed_in(home.owner).get(url)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="roessli-2026-results.xlsx"'
    (sheet,) = load_workbook(io.BytesIO(content(answer))).worksheets
    assert sheet.max_row == 22
    assert sheet.freeze_panes == "A2"
    visitor = words("xlsx", content(signed_in().get(url)))
    assert nicknames_in(visitor) == []


def test_a_long_name_cuts_no_amount_off_on_paper(home):
    season = home.season
    season.ranking = season.Ranking.BALANCE
    season.save()
    table = Table.objects.get(evening__club=home.club)
    Player.objects.filter(pk=table.dealer_id).update(nickname="W" * 40)
    Standing.objects.filter(season=season).update(balance_minor=12_345_678)
    text = words("pdf", content(signed_in(home.owner).get(address("season-report", home, "pdf"))))
    lines = Standing.objects.filter(season=season).count()
    assert re.sub(r"[^\d.]+", "", text).count("123456.78") >= lines, text
    assert "WWWW" in text


@pytest.mark.parametrize(
    ("wanted", "texts", "fits"),
    [
        ([10, 90, 20], [1], [10, 70, 20]),
        ([10, 90, 20, 20], [1, 3], [10, 50, 20, 20]),
        ([10, 90, 20, 60], [1, 3], [10, 35, 20, 35]),
        ([100, 50, 50], [1], [50, 25, 25]),
        ([150, 50], [], [75, 25]),
    ],
)
def test_the_widest_texts_of_a_table_become_narrower_and_its_numbers_do_not(wanted, texts, fits):
    assert pdf_pages._narrowed(wanted, texts, 100) == pytest.approx(fits)
