"""Guards of hands, each with its twin: the refusal by the guard, and the damage without it."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from games import engine_bridge
from games.closing.services import evening_close
from games.errors import Refused
from games.hands import services
from games.integrity import verify
from games.models import Hand, Revision, Table
from games.seating.changes import Merge, Split
from games.seating.services import carry_out
from league import ledger
from league.ledger import transfers
from league.models import Account, Transfer
from tests.factories import FAILED, MADE, create_table, enter, void

pytestmark = [pytest.mark.rest, pytest.mark.django_db]


def players_of(table: Table) -> tuple[int, ...]:
    return tuple(table.places.order_by("seat").values_list("player_id", flat=True))


# --- A hand is voided on an open evening alone, at a table that still plays -----------------------------------


@pytest.fixture
def closed() -> Table:
    """A table with two hands, of a closed evening; the second hand won the pot."""
    table = create_table()
    enter(table, FAILED)
    enter(table, MADE)
    evening_close(evening=table.evening, author=None, key=uuid.uuid4())
    return Table.objects.get(pk=table.pk)


def test_a_hand_of_a_closed_evening_is_not_voided(closed: Table) -> None:
    with pytest.raises(Refused) as caught:
        void(closed)
    assert (caught.value.status, caught.value.code) == (409, "closed")
    assert Revision.objects.count() == 2


def test_without_that_check_receipt_and_payments_of_the_evening_would_be_wrong(
    closed: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "_check_open", lambda evening: None)
    void(closed)
    assert any("receipt" in line for line in verify.differences())


@pytest.fixture
def joined() -> Table:
    """A table with a hand, joined to another table since."""
    table = create_table(seats=7)
    people = players_of(table)
    carry_out(table=table, change=Split(people[:3], people[0], by_heads=True), author=None, key=uuid.uuid4())
    new = Table.objects.get(evening=table.evening, number=2)
    enter(new, FAILED)
    carry_out(table=new, change=Merge(table.pk, people[3]), author=None, key=uuid.uuid4())
    return Table.objects.get(pk=new.pk)


def test_a_hand_of_a_joined_table_is_not_voided(joined: Table) -> None:
    with pytest.raises(Refused) as caught:
        void(joined)
    assert (caught.value.status, caught.value.code) == (409, "dissolved")


# --- The gains of the seats equal the loss of the pot ---------------------------------------------------------


@pytest.fixture
def wrong_pot(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine whose pot has 20 more than its seats have lost."""
    right = engine_bridge.replay

    def replay(record: dict[str, Any]) -> dict[str, Any]:
        result = right(record)
        return result | {"pot_after": result["pot_after"] + 20}

    monkeypatch.setattr(engine_bridge, "replay", replay)


def test_a_result_that_does_not_add_up_is_not_stored(wrong_pot: None) -> None:
    table = create_table()
    with pytest.raises(ledger.LedgerFault):
        enter(table, FAILED)
    assert not Hand.objects.exists()


def test_without_that_check_the_pot_would_hold_coins_that_nobody_paid(
    wrong_pot: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "_check_pot", lambda chain, result: None)
    table = create_table()
    enter(table, FAILED)
    table.refresh_from_db()
    assert table.pot_minor == ledger.balance(table.pot_account_id) + 20


def test_a_pot_below_0_is_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    right = engine_bridge.replay

    def replay(record: dict[str, Any]) -> dict[str, Any]:
        result = right(record)
        gained = result["pot_after"] + 20
        return result | {"pot_after": -20, "deltas": [result["deltas"][0] + gained, *result["deltas"][1:]]}

    monkeypatch.setattr(engine_bridge, "replay", replay)
    with pytest.raises(ledger.LedgerFault):
        enter(create_table(), FAILED)


# --- The ledger takes whole Rappen above 0, between two accounts -----------------------------------------------


def post(table: Table, amount: Any, *, same: bool = False) -> None:
    """Post one transfer from the first seat's account to the pot (to itself with `same`)."""
    account = Account.objects.get(player_id=players_of(table)[0]).pk
    event = ledger.Event(evening=table.evening, source=uuid.uuid4(), revision=1, author=None)
    # A payment moves coins without a result row.
    move = ledger.Move(account, account if same else table.pot_account_id, amount, Transfer.Kind.PAID)
    ledger.post(event=event, moves=[move])


@pytest.mark.parametrize("amount", [0, -20, True, 20.0, 20.5, "20", None, ledger.MAX_AMOUNT_MINOR + 1])
def test_an_amount_that_is_no_whole_number_above_0_is_refused(amount: Any) -> None:
    with pytest.raises(ledger.LedgerFault):
        post(create_table(), amount)
    assert not Transfer.objects.exists()


@pytest.mark.parametrize("amount", [1, ledger.MAX_AMOUNT_MINOR])
def test_the_smallest_and_the_largest_amount_are_stored(amount: int) -> None:
    post(create_table(), amount)
    assert Transfer.objects.get().amount_minor == amount


def test_a_transfer_from_an_account_to_itself_is_refused() -> None:
    with pytest.raises(ledger.LedgerFault):
        post(create_table(), 20, same=True)


def test_without_that_check_half_a_rappen_would_be_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfers, "_check", lambda move: None)
    post(create_table(), 20.5)
    assert Transfer.objects.get().amount_minor == 20


def test_a_player_without_an_account_gets_no_hand() -> None:
    table = create_table()
    Account.objects.filter(player_id=players_of(table)[0]).delete()
    with pytest.raises(ledger.LedgerFault):
        enter(table, MADE)
