"""The treasurer's books and lists as files, and the statements through the API."""

from __future__ import annotations

import io
import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook
from pypdf import PdfReader

from games.closing.services import evening_close
from league.large_files import kinds, store
from league.large_files.services import claim, file_ask, file_make
from league.models import LargeFile, Membership
from league.standings.counting import count_season
from league.treasury.billing_account import billing_set
from league.treasury.large_files import BILL_ROWS
from league.treasury.services import NewEntry, kitty_book, kitty_undo
from league.treasury.statement_files import statements_of
from tests.api.api_client import ApiClient, done, is_problem, key_for
from tests.cast import House, house
from tests.factories import FAILED, MADE, create_table, enter
from tests.league.test_treasury_bills import VALUES
from tests.page_forms import form_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def home() -> House:
    club_house = house("roessli")
    table = create_table(season=club_house.season, club=club_house.club)
    for record in (MADE, FAILED):
        enter(table, record)
    evening_close(evening=table.evening, author=club_house.owner, key=uuid.uuid4(), pot="kitty")
    count_season(club_house.season.pk)
    day = table.evening.held_on
    for kind, amount, reason in (("brought", 5000, "=Dues"), ("spent", 1250, "Two decks"), ("spent", 900, "Wrong")):
        entry = kitty_book(
            club=club_house.club, author=club_house.owner, key=uuid.uuid4(), entry=NewEntry(kind, amount, reason, day)
        )
    kitty_undo(club=club_house.club, author=club_house.owner, key=uuid.uuid4(), entry_id=entry.pk)
    return club_house


def file(person: Any, form: str, **filters: str) -> Any:
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(person)
    answer = client.get(reverse("treasury-report", kwargs={"club": "roessli"}), {"for": form, **filters})
    assert answer.status_code == 200
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def test_a_book_has_the_same_sums_on_its_page_and_in_each_file(home):
    header, *lines, end = file(home.treasurer, "csv").decode().splitlines()
    assert header == "day,text,place,in_minor,out_minor,balance_minor"
    into, out = (sum(int(line.split(",")[place] or 0) for line in lines) for place in (-3, -2))
    assert (out, len(lines)) == (1250, 3)
    # The balance after each line, and at the end.
    assert lines[-1].split(",")[-1] == end.split(",")[-1] == str(into - out)
    assert end.split(",")[1:5] == ['"Balance at the end"', "", "", ""]
    excel = file(home.treasurer, "excel").decode().splitlines()
    assert excel[0] == '\ufeff"Date";"What";"Evening";"in (CHF)";"out (CHF)";"Balance (CHF)"'
    assert excel[-1] == f';"Sum";;{into // 100}.{into % 100:02d};12.50;'
    assert any('"\'=Dues"' in line for line in excel)
    (sheet,) = load_workbook(io.BytesIO(file(home.treasurer, "xlsx")), data_only=True).worksheets
    assert [cell.value for cell in sheet[sheet.max_row]][-3:] == [into / 100, 12.5, None]
    assert sheet.cell(sheet.max_row - 1, 6).value == (into - out) / 100
    pdf = PdfReader(io.BytesIO(file(home.treasurer, "pdf"))).pages[0].extract_text()
    assert f"{into // 100}.{into % 100:02d}" in pdf
    assert "At the end" in pdf
    undone = file(home.treasurer, "csv", undone="1").decode().splitlines()
    assert (len(undone), undone[0]) == (7, "day,text,place,state,in_minor,out_minor,balance_minor")
    for book in ("box", "payments", "evenings"):
        assert file(home.treasurer, "csv", book=book).startswith(b"day,text")


def test_a_long_book_is_made_by_a_worker_with_the_filters_of_the_page(home, monkeypatch):
    monkeypatch.setitem(kinds.LARGE, "xlsx", 1)
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(home.treasurer)
    url = reverse("treasury-report", kwargs={"club": "roessli"})
    offer = client.get(url, {"for": "xlsx", "undone": "1"}).content.decode()
    assert '<input type="hidden" name="undone" value="1">' in offer
    sent = {"kind": "treasury-book", "subject": home.club.pk, "form": "xlsx", "book": "kitty", "undone": "1"}
    client.post(reverse("club-files", kwargs={"club": "roessli"}), sent)
    assert file_make(claim())
    (sheet,) = load_workbook(io.BytesIO(b"".join(store.read(LargeFile.objects.get())))).worksheets
    assert sheet.max_row == 8


TREASURER = {
    "treasurer-list": ("treasurer-list", {"day": "2027-01-31"}, {"de": "Kassierliste", "en": "Treasurer’s list"}),
    "annual-account": (
        "treasury-year",
        {"from": "2026-01-01", "to": "2026-12-31"},
        {"de": "Jahresrechnung", "en": "Annual account"},
    ),
}


def text_of(content: bytes) -> list[str]:
    """Return the text of each page of a PDF, without the minute of printing."""
    texts = [page.extract_text() for page in PdfReader(io.BytesIO(content)).pages]
    return [re.sub(r"\d\d:\d\d(?= (?:Page|Seite) )", "now", text) for text in texts]


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("kind", TREASURER)
def test_a_long_list_of_the_treasurer_is_made_by_a_worker(home, kind, language, monkeypatch):
    view, query, titles = TREASURER[kind]
    url, here = (reverse(name, kwargs={"club": "roessli"}) for name in (view, "club-files"))
    client = Client(headers={"Accept-Language": language})
    client.force_login(home.treasurer)
    at_once = text_of(client.get(url, {"for": "pdf", **query}).content)
    monkeypatch.setitem(kinds.LARGE, "pdf", 1)
    assert client.get(url, query).status_code == 200
    offer = client.get(url, {"for": "pdf", **query})
    assert titles[language] in offer.content.decode()
    form_with(offer, "kind", kind).submit(client, "PDF")
    assert file_make(claim())
    (line,) = client.get(here).context["lines"]
    assert line["label"] == titles[language]
    assert line["title"] in at_once[0]
    answer = client.get(line["link"])
    assert answer.headers["Content-Disposition"].endswith('.pdf"')
    texts = text_of(b"".join(answer.streaming_content))
    assert titles[language] in texts[0]
    assert texts == at_once
    # A report of one page counts half of its rows: it needs no second run for the number of its pages.
    assert 1 < LargeFile.objects.get().rows_done <= offer.context["rows"]


@pytest.mark.parametrize("kind", TREASURER)
def test_without_the_right_a_list_of_the_treasurer_is_neither_asked_for_nor_made(home, kind):
    client = Client()
    client.force_login(home.member)
    sent = {"kind": kind, "subject": home.club.pk, "form": "pdf"}
    here = reverse("club-files", kwargs={"club": "roessli"})
    assert client.post(here, sent).status_code == 403
    client.force_login(home.treasurer)
    assert client.post(here, sent).status_code == 303
    Membership.objects.filter(user=home.treasurer).update(role="member")
    assert not file_make(claim())
    assert LargeFile.objects.get().fault == "not_allowed"


@pytest.mark.parametrize("language", ["de", "en"])
def test_many_bills_are_made_by_a_worker(home, language, monkeypatch):
    billing_set(club=home.club, actor=home.treasurer, values=VALUES | {"least_minor": 1})
    client = Client(headers={"Accept-Language": language})
    client.force_login(home.treasurer)
    url, here = (reverse(name, kwargs={"club": "roessli"}) for name in ("statements-pdf", "club-files"))
    at_once = client.get(url)
    assert at_once.headers["Content-Type"] == "application/pdf"
    pages = text_of(at_once.content)
    monkeypatch.setitem(kinds.LARGE, "pdf", BILL_ROWS * len(pages) - 1)
    offer = client.get(url)
    words = {"de": ("Rechnungen", f"{len(pages)} Seite"), "en": ("Bills", f"{len(pages)} page")}[language]
    assert all(word in offer.content.decode() for word in words)
    # A single statement is never large.
    player = statements_of(home.club, None, None).bills()[0].player_id
    assert client.get(url, {"player": player}).headers["Content-Type"] == "application/pdf"
    form_with(offer, "kind", "treasury-bills").submit(client, "PDF")
    file = LargeFile.objects.get()
    assert file_make(claim())
    assert (file.rows, LargeFile.objects.get().rows_done) == (BILL_ROWS * len(pages),) * 2
    (line,) = client.get(here).context["lines"]
    assert (line["label"], line["pages"], line["pages_done"]) == (words[0], len(pages), len(pages))
    answer = client.get(line["link"])
    assert answer.headers["Content-Disposition"].split("=")[1] == at_once.headers["Content-Disposition"].split("=")[1]
    assert text_of(b"".join(answer.streaming_content)) == pages
    LargeFile.objects.update(state="failed", fault="broken")
    failed = client.get(here).content.decode()
    assert ("CSV" in failed, 'class="errors"' in failed) == (False, True)


def test_without_an_account_or_a_sum_no_bills_are_made(home):
    about = {"kind": "treasury-bills", "subject": home.club.pk, "form": "pdf", "language": "en"}
    with pytest.raises(Http404):
        file_ask(club=home.club, asker=home.treasurer, options={}, **about)
    billing_set(club=home.club, actor=home.treasurer, values=VALUES | {"least_minor": 1})
    with pytest.raises(Http404):
        file_ask(club=home.club, asker=home.treasurer, options={"to": "1999-01-01"}, **about)
    assert file_ask(club=home.club, asker=home.treasurer, options={}, **about)
    with pytest.raises(PermissionDenied):
        file_ask(club=home.club, asker=home.member, options={}, **about)


def test_the_list_of_no_day_is_refused(home):
    client = Client()
    client.force_login(home.treasurer)
    sent = {"kind": "treasurer-list", "subject": home.club.pk, "form": "pdf", "day": "2026-02-30"}
    assert client.post(reverse("club-files", kwargs={"club": "roessli"}), sent).status_code == 404


def test_programs_read_statements_and_bills(home):
    asks = ApiClient(key=key_for(home.treasurer))
    day = home.season.evenings.get().held_on
    listed = done(asks.get("clubs/roessli/statements"))
    assert listed["total_minor"] == sum(statement["total_minor"] for statement in listed["items"]) != 0
    assert all(
        statement["total_minor"]
        == statement["carried_minor"] + sum(line["amount_minor"] for line in statement["lines"])
        for statement in listed["items"]
    )
    assert {statement["pdf"] for statement in listed["items"]} == {None}
    assert is_problem(asks.get("clubs/roessli/statements.pdf"), 409, "billing")
    later = done(asks.get(f"clubs/roessli/statements?since={day + timedelta(days=1)}"))
    assert (later["period_minor"], later["carried_minor"]) == (0, listed["total_minor"])

    billing_set(club=home.club, actor=home.treasurer, values=VALUES | {"least_minor": 1})
    listed = done(asks.get("clubs/roessli/statements"))
    billed = [statement for statement in listed["items"] if statement["billed"]]
    for address, pages in ((listed["pdf"], len(billed)), (billed[0]["pdf"], 1)):
        answer = asks.get(address.removeprefix("/api/v1/"))
        assert len(PdfReader(io.BytesIO(answer.content)).pages) == pages
    wrong = ("since=2026-W47-5", "since=x", "until=2026-02-30", "since=2026-11-20&until=2026-11-19", "to=2026-11-20")
    assert [asks.get(f"clubs/roessli/statements?{query}").status_code for query in wrong] == [400] * 5
    assert asks.get("clubs/roessli/statements.pdf?player=99999999").status_code == 404
    member = ApiClient(key=key_for(home.member))
    assert [member.get(f"clubs/roessli/statements{end}").status_code for end in ("", ".pdf")] == [403, 403]
