"""A pot that is carried on: into the club's box, and from there into the pot of a later evening."""

from __future__ import annotations

import uuid
from functools import partial

import pytest

from games.closing.services import valid_closing
from games.corrections.edits import PutIn, TakeOut
from games.corrections.services import correct, plan
from games.errors import Refused
from games.evening.services import carried_amount
from games.hands.carried_pots import missing_after_reopening, missing_since_reopening
from games.integrity import verify
from games.models import Happening, Table
from league.ledger.transfers import balance
from league.payments.services import outstanding_payments
from tests.factories import PASSED_OUT, enter, open_next_evening

from .test_closing import close, entry_players, fresh, lies_in, mark, open_sums, reopen, seated, sound, table_with_a_pot

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def table() -> Table:
    return table_with_a_pot()


@pytest.mark.both_databases
def test_the_next_evening_begins_with_the_coins_of_the_box(table):
    lay = table.pot_minor
    close(table)
    assert carried_amount(table.evening.club, "chratze") == lay
    following = open_next_evening(table)
    assert fresh(following).pot_minor == lay
    assert lies_in("box") == 0
    assert Happening.objects.get(table=following).kind == "carried"
    assert enter(following, PASSED_OUT).result["pot_after"] > lay
    assert sound()
    with pytest.raises(Refused) as caught:
        open_next_evening(table)
    assert caught.value.code == "carry"


def test_without_the_tick_the_box_stays_as_it_is(table):
    lay = table.pot_minor
    close(table)
    assert fresh(open_next_evening(table, carry=False)).pot_minor == 0
    assert lies_in("box") == lay


@pytest.mark.both_databases
def test_no_correction_takes_coins_of_another_evening_from_the_box(table):
    close(table)
    open_next_evening(table)
    # The pot that was carried would turn out to have been smaller; the coins are in another pot by now.
    for stores in (plan, partial(correct, author=None, key=uuid.uuid4())):
        with pytest.raises(Refused) as caught:
            stores(table=fresh(table), edit=TakeOut(4))
        assert caught.value.code == "box"
        assert "Evening 2 of" in caught.value.sentence
    assert lies_in("box") == 0
    # A larger one is put into the box.
    correct(table=table, edit=PutIn(5, entry_players(table), PASSED_OUT), author=None, key=uuid.uuid4())
    assert lies_in("box") > 0
    assert sound()


def test_paid_payments_leave_the_box_as_it_is(table):
    lay = table.pot_minor
    close(table)
    mark(table)
    assert carried_amount(table.evening.club, "chratze") == lay
    following = open_next_evening(table)
    close(following)
    mark(following)
    assert carried_amount(table.evening.club, "chratze") == lay
    assert sound()


def test_the_box_stands_below_0_until_an_evening_that_began_with_it_is_paid(table):
    """The evening begins with the pot of the box, and its own pot goes to the kitty: the box has to pay it there."""
    lay = table.pot_minor
    close(table)
    mark(table)
    club = table.evening.club
    box = club.accounts.get(kind="box")
    assert balance(box.pk) == 0
    following = open_next_evening(table)
    close(following, pot="kitty")
    unpaid = outstanding_payments(club)
    owed = sum(payment.amount_minor for payment in unpaid if payment.payer_id == box.pk)
    due = sum(payment.amount_minor for payment in unpaid if payment.payee_id == box.pk)
    assert (balance(box.pk), lies_in("box")) == (due - owed, 0)
    assert balance(box.pk) == -lay
    mark(following)
    assert balance(box.pk) == 0
    assert sound()


@pytest.mark.parametrize("pot", [pytest.param("carry", marks=pytest.mark.both_databases), "share", "kitty"])
def test_a_reopened_evening_leaves_the_pot_of_a_later_evening(table, pot):
    close(table)
    following = open_next_evening(table)
    lay = fresh(following).pot_minor
    gone = missing_after_reopening(valid_closing(fresh(table).evening))
    assert gone is not None
    assert "Evening 2 of" in gone.before_reopening()
    reopen(table)
    assert (fresh(table).pot_minor, fresh(following).pot_minor, lies_in("box")) == (0, lay, 0)
    assert sound()
    close(fresh(table), pot, [seated(table)[0].pk])
    assert (lies_in("box"), lies_in("kitty")) == (0, 0)
    assert sound()
    # The pot of the other evening is independent.
    close(fresh(following))
    assert lies_in("box") == lay
    mark(fresh(table))
    assert open_sums(table) == {0}
    assert sound()


def test_a_reopened_evening_gets_back_the_coins_that_the_box_still_holds(table):
    lay = table.pot_minor
    close(table)
    assert missing_after_reopening(valid_closing(fresh(table).evening)) is None
    reopen(table)
    assert (fresh(table).pot_minor, lies_in("box")) == (lay, 0)
    assert missing_since_reopening(fresh(table).evening) is None
    assert sound()


def test_the_twin_without_the_guard_makes_the_box_negative_and_the_recount_finds_it(table, monkeypatch):
    close(table)
    open_next_evening(table)
    monkeypatch.setattr("games.hands.carried_pots.missing_after_reopening", lambda closing: None)
    reopen(table)
    close(fresh(table), "kitty")
    assert lies_in("box") < 0
    assert any("its box" in said for said in verify.differences())
