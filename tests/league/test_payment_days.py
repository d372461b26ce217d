"""The day of a payment: annual account, books, ledger and lists go by it, and a closed season keeps its own."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.closing.services import debts_mark, payments_mark
from league.errors import Refused
from league.models import Payment, PaymentDay, Season
from league.payments import days
from league.payments.on_day import outstanding_on, sums_on
from league.payments.services import outstanding_payments
from league.treasury import annual, books, ledger_lines
from league.treasury.books import Filters
from league.treasury.ledger_lines import LedgerFilters
from tests.api.api_client import ApiClient, done, key_for
from tests.cast import House, cast
from tests.clients import reader
from tests.factories import FAILED
from tests.league.test_treasury import closed
from tests.page_forms import form_with, page_forms

pytestmark = pytest.mark.django_db
TODAY = timezone.localdate
NEW_KEY = uuid.uuid4


@pytest.fixture
def home() -> House:
    """A club with an evening of forty days ago in a season of its own, which is not closed yet, and one of ten days
    ago in the season after it."""
    home = cast().home
    old = Season.objects.create(club=home.club, slug="old", name="Old", starts_on=before(60), ends_on=before(20))
    Season.objects.filter(pk=home.season.pk).update(starts_on=before(19), ends_on=None)
    closed(home, FAILED, held_on=before(10))
    closed(replace(home, season=old), FAILED, held_on=before(40))
    return home


def before(number: int) -> date:
    """Return the day that was so many days ago."""
    return TODAY() - timedelta(days=number)


def owed(home: House, held_on: date) -> list[Payment]:
    """Return the payments of the evening of this day."""
    return list(Payment.objects.filter(closing__evening__held_on=held_on, closing__evening__club=home.club))


def close_old(home: House) -> None:
    Season.objects.filter(club=home.club, slug="old").update(closed_at=timezone.now() - timedelta(days=15))


def mark(home: House, payment: Payment, day: date | None = None, **more: Any) -> int:
    return debts_mark(club=home.club, author=home.treasurer, key=NEW_KEY(), numbers=[payment.pk], day=day, **more).count


@pytest.mark.both_databases
def test_all_accounts_go_by_the_day_of_a_payment(home: House) -> None:
    payment, day = owed(home, before(40))[0], before(30)
    assert mark(home, payment, day) == 1
    for when, outstanding in ((before(31), True), (day, False), (TODAY(), False)):
        assert (payment in outstanding_on(home.club, when)) is outstanding
        assert sums_on(home.club, when).difference_minor == 0
    in_book = {
        when: books.sums_of(home.club, Filters(book="payments", first=when, last=when)).in_minor
        for when in (before(40), day, TODAY())
    }
    assert in_book == {before(40): 0, day: payment.amount_minor, TODAY(): 0}
    [line] = ledger_lines.read(home.club, LedgerFilters(first=day, last=day)).lines
    assert (line.day, line.amount_minor) == (day, payment.amount_minor)
    at_end = annual.annual_account(home.club, before(60), day)
    assert at_end.agrees
    # Taken back, it was never paid on any day.
    mark(home, payment, paid=False)
    assert payment in outstanding_on(home.club, day)
    assert not books.sums_of(home.club, Filters(book="payments", first=day, last=day)).count
    assert books.sums_of(home.club, Filters(book="payments", first=day, last=day, undone=True)).count == 2


@pytest.mark.usefixtures("en")
def test_without_a_day_it_is_today_and_wrong_days_are_refused(home: House) -> None:
    old, new = owed(home, before(40))[0], owed(home, before(10))[0]
    evening = new.closing.evening
    mark(home, new)
    assert PaymentDay.objects.get().day == TODAY()
    assert payments_mark(evening=evening, author=None, key=NEW_KEY(), paid=False).count == 1
    for day, sentence in ((TODAY() + timedelta(days=1), "still to come"), (before(11), "cannot be paid before")):
        status, _code, said = refused(home, [old, new], day)
        assert (status, sentence in said) == (422, True)
        assert PaymentDay.objects.count() == 2, "all or none"
    mark(home, new, before(10))
    mark(home, old, before(10))


def test_a_payment_that_is_marked_once_more_has_the_newer_day(home: House) -> None:
    payment = owed(home, before(40))[0]
    for day in (before(30), before(10), before(20)):
        mark(home, payment, day)
        assert days.with_paid_on(Payment.objects.filter(pk=payment.pk)).get().paid_on == day
        mark(home, payment, paid=False)


def refused(home: House, numbers: list[Payment], day: date | None, **more: Any) -> tuple[int, str, str]:
    """Return status, code and sentence of the refusal of marks."""
    call: dict[str, Any] = {
        "author": None,
        "numbers": [payment.pk for payment in numbers],
        "day": day,
        "key": NEW_KEY(),
    }
    with pytest.raises(Refused) as caught:
        debts_mark(club=home.club, **call, **more)
    return caught.value.status, caught.value.code, caught.value.sentence


@pytest.mark.both_databases
@pytest.mark.usefixtures("en")
def test_a_closed_season_keeps_its_payments(home: House) -> None:
    first, second = owed(home, before(40))[:2]
    mark(home, first, before(30))
    close_old(home)
    then = sums_on(home.club, before(20)).persons
    status, code, sentence = refused(home, [second], before(30))
    assert (status, code) == (409, "season_closed")
    assert "The season Old is closed" in sentence
    assert refused(home, [second], before(20))[:2] == (409, "season_closed")
    assert refused(home, [first], None, paid=False)[:2] == (409, "season_closed")
    # A later day changes nothing in the closed season, also for a payment of one of its evenings.
    assert mark(home, second, before(19)) == 1
    assert sums_on(home.club, before(20)).persons == then
    assert mark(home, second, paid=False) == 1
    Season.objects.filter(slug="old").update(closed_at=None)
    assert mark(home, second, before(30)) == 1


def test_today_is_never_closed_and_a_season_ends_at_its_closing_or_the_next_one(home: House) -> None:
    payment = owed(home, before(10))[0]
    Season.objects.filter(pk=home.season.pk).update(closed_at=timezone.now(), ends_on=None)
    known = days.season_days(home.club, TODAY())
    assert [days.closed_season_on(known, day) for day in (before(1), TODAY())] == [home.season, None]
    assert refused(home, [payment], before(1))[:2] == (409, "season_closed")
    assert mark(home, payment) == 1
    assert mark(home, payment, paid=False) == 1
    Season.objects.filter(pk=home.season.pk).update(closed_at=timezone.now() - timedelta(days=5))
    assert mark(home, payment, before(4)) == 1
    # Without a last day a season lasts until the next one begins.
    Season.objects.filter(slug="old").update(ends_on=None)
    last_days = {period.season.slug: period.last for period in days.season_days(home.club, TODAY())}
    assert last_days["old"] == before(20)


@pytest.mark.usefixtures("en")
def test_pages_and_api_take_the_day(home: House) -> None:
    client, day = reader(home.treasurer), before(5)
    payments = owed(home, before(10))
    club = {"club": home.club.slug}
    evening = reverse("evening-close", kwargs=club | {"evening": payments[0].closing.evening_id})
    for nth, (url, button) in enumerate(((reverse("debts", kwargs=club), "Paid"), (evening, "Paid"))):
        page = client.get(url, {"day": day.isoformat()})
        assert f'value="{day.isoformat()}" max="{TODAY().isoformat()}"' in page.content.decode()
        form = form_with(page, "payment", str(payments[nth].pk))
        # The page after it goes on with the same day.
        assert f"?day={day.isoformat()}" in form.submit(client, button).url
    balances = reverse("treasury-balances", kwargs=club)
    form = next(
        page_form for page_form in page_forms(client.get(balances)) if any(c.name == "day" for c in page_form.controls)
    )
    # The sums of a pair are of all evenings.
    last, other, *_more = outstanding_payments(home.club)
    form.tick("payment", last.pk)
    form.control("day").value = day.isoformat()
    assert form.submit(client, "Mark the ticked ones as paid").status_code == 303
    assert set(PaymentDay.objects.values_list("day", flat=True)) == {day}
    assert client.get(balances).content.decode().count("paid on") == PaymentDay.objects.count() >= 3
    form.control("key").value = str(NEW_KEY())
    form.control("day").value = "never"
    assert "Give the date of the payment" in form.submit(client, "Mark the ticked ones").content.decode()
    _by_api(home, other, day)


def _by_api(home: House, payment: Payment, day: date) -> None:
    api: Any = ApiClient(key=key_for(home.treasurer))
    body = {"payments": [str(payment.pk)], "day": day.isoformat()}
    assert done(api.post(f"clubs/{home.club.slug}/debts", body))["changed"] == 1
    evening = payment.closing.evening_id
    shown = done(api.get(f"clubs/{home.club.slug}/evenings/{evening}/settlement"))["payments"]
    assert {item["id"]: item["paid_on"] for item in shown}[str(payment.pk)] == day.isoformat()
    close_old(home)
    mark(home, payment, paid=False)
    sent = body | {"day": before(30).isoformat()}
    assert api.post(f"clubs/{home.club.slug}/debts", sent).status_code == 409
    assert api.post(f"clubs/{home.club.slug}/debts", sent | {"day": "soon"}).status_code == 400


def test_files_have_the_day(home: House) -> None:
    payment, day = owed(home, before(40))[0], before(30)
    mark(home, payment, day)
    client: Client = reader(home.treasurer)
    url = reverse("treasury-ledger", kwargs={"club": home.club.slug})
    sent = {"for": "csv", "from": day.isoformat(), "to": day.isoformat()}
    head, row, *_rest = b"".join(client.get(url, sent).streaming_content).decode().splitlines()
    assert head.split(",")[-2:] == ["season", "paid_on"]
    assert row.endswith(f',"old",{day.isoformat()}')
