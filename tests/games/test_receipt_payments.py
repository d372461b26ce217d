"""A receipt by its link: paid and outstanding payments with their times; hands of several tables."""

from __future__ import annotations

import re
import uuid

import pytest
import time_machine
from django.urls import reverse

from games.closing.receipts import token_for
from games.closing.services import evening_close, evening_reopen, payments_mark
from games.corrections.edits import TakeOut
from games.corrections.services import correct
from games.models import Table
from games.seating.changes import Split
from games.seating.services import carry_out
from league.models import Closing, Player
from tests.cast import House, cast
from tests.clients import reader
from tests.factories import FAILED, MADE, create_table, enter

pytestmark = pytest.mark.django_db

CLOSED_AT, PAID_AT, READ_AT = "2026-11-20 23:10:00+01:00", "2026-11-22 18:05:00+01:00", "2026-12-01 09:00:00+01:00"


@pytest.fixture
def home() -> House:
    return cast().home


@pytest.fixture
def table(home: House) -> Table:
    table = create_table(season=home.season, club=home.club)
    for record in (MADE, FAILED):
        enter(table, record)
    return table


def close(table: Table) -> Closing:
    with time_machine.travel(CLOSED_AT, tick=False):
        people = list(table.places.values_list("player_id", flat=True))
        return evening_close(evening=table.evening, author=None, key=uuid.uuid4(), pot="share", present=people)


def mark(table: Table, *, paid: bool) -> None:
    with time_machine.travel(PAID_AT, tick=False):
        payments_mark(evening=table.evening, author=None, key=uuid.uuid4(), paid=paid)


def shown(closing: Closing, nickname: str, where: str = "receipt") -> str:
    """The text of the page of a participant's receipt, without its marks."""
    token = token_for(closing.pk, Player.objects.get(nickname=nickname).pk)
    with time_machine.travel(READ_AT, tick=False):
        page = reader().get(reverse(where, kwargs={"token": token})).content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def payer_of(closing: Closing) -> str:
    return str(closing.payments.order_by("number")[0].payer)


def test_a_receipt_says_since_when_a_payment_is_outstanding(table):
    closing = close(table)
    name = payer_of(closing)
    page = shown(closing, name)
    assert re.search(rf"{name} gives \w+ open since 20 Nov 2026 CHF \d", page), page
    assert "all paid" not in page
    # On paper it has the time of printing.
    assert "As of 1 Dec 2026, 09:00." in page


def test_a_receipt_adds_up_outstanding_payments(home):
    table = create_table(season=home.season, club=home.club, seats=3)
    enter(table, {"declarer": 0, "joiners": [1, 2], "made": [1, 2]})
    closing = close(table)
    name = payer_of(closing)
    total = sum(closing.payments.values_list("amount_minor", flat=True))
    assert closing.payments.count() == 2
    assert f"To settle up CHF {total / 100:.2f} open" in shown(closing, name).replace("\xa0", " ")
    payments_mark(
        evening=table.evening,
        author=None,
        key=uuid.uuid4(),
        paid=True,
        numbers=[closing.payments.order_by("number")[0].pk],
    )
    left = closing.payments.order_by("number")[1].amount_minor
    assert f"To settle up CHF {left / 100:.2f} open" in shown(closing, name).replace("\xa0", " ")


def test_a_receipt_says_when_a_payment_was_paid(table):
    closing = close(table)
    name = payer_of(closing)
    mark(table, paid=True)
    page = shown(closing, name)
    assert re.search(rf"{name} gave \w+ ✓ paid on 22 Nov 2026 CHF \d", page), page
    assert "all paid" in page
    assert f"{name} gives" not in page
    mark(table, paid=False)
    assert "open since 20 Nov 2026" in shown(closing, name)


def test_a_receipt_that_was_replaced_asks_for_no_payment(table):
    first = close(table)
    name = payer_of(first)
    with time_machine.travel(PAID_AT, tick=False):
        evening_reopen(evening=table.evening, author=None, key=uuid.uuid4(), owner=True)
    page = shown(first, name)
    assert "not paid; worked out again when the evening is closed" in page
    second = close(table)
    assert f"not paid; receipt {second.receipt.number} counts now" in shown(first, name)
    assert "open since" in shown(second, name)


def test_payments_before_a_correction_are_on_the_new_receipt(table):
    closing = close(table)
    name = payer_of(closing)
    mark(table, paid=True)
    with time_machine.travel(PAID_AT, tick=False):
        correct(table=table, edit=TakeOut(2), author=None, key=uuid.uuid4())
    newest = Closing.objects.latest("number")
    assert newest.pk != closing.pk
    page = shown(newest, name)
    assert re.search(rf"{name} gave \w+ ✓ paid on 22 Nov 2026", page)


def test_a_program_gets_the_state_of_each_payment(table):
    closing = close(table)
    player = Player.objects.get(nickname=payer_of(closing))
    url = f"/api/v1/receipts/{token_for(closing.pk, player.pk)}"
    before = reader().get(url).json()
    assert {line["state"] for line in before["payment_states"]} == {"outstanding"}
    assert before["outstanding_minor"] == sum(line["amount_minor"] for line in before["payment_states"]) > 0
    mark(table, paid=True)
    after = reader().get(url).json()
    assert {line["state"] for line in after["payment_states"]} == {"paid"}
    assert after["outstanding_minor"] == 0


def test_hands_of_several_tables_are_listed_by_table(home):
    table = create_table(season=home.season, club=home.club, seats=7)
    enter(table, MADE)
    people = list(table.places.order_by("seat").values_list("player_id", flat=True))
    carry_out(table=table, change=Split(tuple(people[:3]), people[0]), author=None, key=uuid.uuid4())
    other = Table.objects.get(evening=table.evening, number=2)
    enter(other, {"declarer": 0, "joiners": [1], "made": [0, 1]})
    enter(table, {"declarer": 0, "joiners": [1], "made": [0, 1]})
    closing = close(table)
    page = shown(closing, Player.objects.get(pk=people[0]).nickname)
    assert re.search(r"Table 1 1 .* Table 2 1 ", page), page
    single = create_table(season=home.season, club=home.club)
    enter(single, FAILED)
    assert "Table 1" not in shown(close(single), "Anna")
