"""The annual account and the balances of a day: they agree with the ledger on any day."""

from __future__ import annotations

import io
import uuid
from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from openpyxl import load_workbook
from pypdf import PdfReader

from games.closing.services import debts_mark
from league.models import Payment, Season
from league.payments.on_day import held_on, outstanding_on, sums_on
from league.payments.services import outstanding_payments
from league.treasury import annual, books
from league.treasury.books import Filters
from tests.cast import House
from tests.factories import FAILED, MADE, create_table, enter
from tests.league.test_treasury import DAY, book, closed, kitty, reader, undone

pytestmark = pytest.mark.django_db


@pytest.fixture
def busy(home: House) -> House:
    """A club with two closed evenings, an open one, entries, and an entry that was undone."""
    closed(home, FAILED, held_on=DAY - timedelta(days=2))
    closed(home, MADE, FAILED, held_on=DAY, pot="carry")
    enter(create_table(club=home.club, season=home.season, author=home.recorder, held_on=DAY), FAILED)
    book(home, amount_minor=5000, reason="Dues", day=DAY - timedelta(days=3))
    book(home, amount_minor=700, reason="dues", day=DAY - timedelta(days=1))
    book(home, "spent", 1250, reason="Two decks", day=DAY - timedelta(days=1))
    undone(home, book(home, "spent", 900, reason="Wrong", day=DAY - timedelta(days=2)))
    return home


@pytest.mark.rest
@pytest.mark.both_databases
def test_the_balance_of_a_day_is_that_of_the_ledger_on_every_day(busy: House) -> None:
    days = [DAY + timedelta(days=number) for number in range(-5, 3)]
    for account in ("kitty", "box"):
        held = [held_on(busy.club, account, day) for day in days]
        for first, before in zip(days[1:], held, strict=False):
            for last, after in zip(days, held, strict=True):
                if last >= first:
                    filters = Filters(book=account, first=first, last=last)
                    ends = books.read(busy.club, filters).ends
                    assert ends == books.Ends(before, after)
                    assert books.read(busy.club, Filters(**{**vars(filters), "undone": True})).ends == ends
    assert held_on(busy.club, "kitty", DAY) == kitty(busy.club)
    assert books.read(busy.club, Filters(book="payments", first=DAY)).ends is None


@pytest.mark.both_databases
@pytest.mark.usefixtures("en")
def test_an_account_of_a_year_adds_up_and_its_control_finds_a_difference(busy: House) -> None:
    first = DAY - timedelta(days=2)
    year = annual.annual_account(busy.club, first, DAY)
    assert year.kitty.ends == books.Ends(5000, kitty(busy.club))
    pots = kitty(busy.club) - 5000 - 700 + 1250
    assert {(group.kind, group.text.lower()): group.amount_minor for group in year.income} == {
        ("brought", "dues"): 700,
        ("moved", "pots of evenings"): pots,
    }
    assert [(group.text, group.amount_minor) for group in year.expenses] == [("Two decks", 1250)]
    assert year.agrees
    assert year.box.used
    assert [amount for _evening, amount in year.pots]
    assert sum(person.amount_minor for person in year.persons) == -(year.kitty.open_minor + year.box.open_minor) != 0
    closing = annual.annual_account(busy.club, first, DAY - timedelta(days=1))
    assert closing.agrees
    assert not closing.pots
    assert closing.kitty.ends.closing_minor == kitty(busy.club)


def test_a_wrong_book_is_found_by_the_control(busy: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(annual, "held_on", lambda club, kind, day: held_on(club, kind, day) + 5)
    year = annual.annual_account(busy.club, DAY, DAY)
    assert [control.difference_minor for control in year.controls] == [-5, -5, 0]
    assert not year.agrees


@pytest.mark.both_databases
def test_a_payment_is_outstanding_until_the_day_of_its_mark(busy: House) -> None:
    today = timezone.localdate()
    before = {payment.pk for payment in outstanding_payments(busy.club)}
    paid = Payment.objects.filter(closing__evening__club=busy.club).first()
    assert paid is not None
    debts_mark(club=busy.club, author=None, key=uuid.uuid4(), numbers=[paid.pk])
    assert {payment.pk for payment in outstanding_on(busy.club, today - timedelta(days=1))} == before
    assert {payment.pk for payment in outstanding_on(busy.club, today)} == before - {paid.pk}
    then, now = (sums_on(busy.club, day) for day in (today - timedelta(days=1), today))
    assert then.difference_minor == now.difference_minor == 0
    assert sum(abs(amount) for amount in then.persons.values()) > sum(abs(amount) for amount in now.persons.values())
    assert outstanding_on(busy.club, date(2020, 1, 1)) == []
    # The last day that a form accepts has no day after it.
    assert sums_on(busy.club, date.max) == now
    assert annual.annual_account(busy.club, DAY, date.max).agrees


def test_the_page_begins_with_the_last_season_and_has_a_pdf_and_sheets(busy: House) -> None:
    Season.objects.filter(pk=busy.season.pk).update(starts_on=date(2025, 1, 1), ends_on=date(2025, 12, 31))
    client = reader(busy.treasurer)
    url = reverse("treasury-year", kwargs={"club": busy.club.slug})
    page = client.get(url)
    assert (page.context["first"], page.context["last"]) == (date(2025, 1, 1), date(2025, 12, 31))
    days = {"from": (DAY - timedelta(days=9)).isoformat(), "to": DAY.isoformat()}
    text = client.get(url, days).content.decode()
    assert "The books agree with the ledger." in text
    assert "Two decks" in text
    pages = PdfReader(io.BytesIO(client.get(url, {**days, "for": "pdf"}).content)).pages
    words = " ".join(pdf_page.extract_text() for pdf_page in pages)
    assert "First auditor" in words
    assert "Page 1 of" in words
    answer = client.get(url, {**days, "for": "xlsx"})
    sheets = load_workbook(io.BytesIO(b"".join(answer.streaming_content)))
    assert sheets.sheetnames[:3] == ["Kitty", "Income", "Expenses"]
    assert sheets.sheetnames[-1] == "Control"


def test_the_treasurers_list_is_of_a_day(busy: House) -> None:
    client = reader(busy.treasurer)
    url = reverse("treasurer-list", kwargs={"club": busy.club.slug})
    early = client.get(url, {"day": (DAY - timedelta(days=3)).isoformat()}).content.decode()
    assert "50.00" in early
    assert "0 outstanding payments" in early
    report = client.get(url).context["report"]
    assert report.tables[1].sums() == {"balance": 0}
