"""A pot that is carried on: into the club's box, and from there into the evening that begins with it."""

from __future__ import annotations

import uuid
from functools import partial

import pytest

from games import audit
from games.closing.carried import stayed, would_stay
from games.closing.services import standing
from games.errors import Refused
from games.evenings import carried, evening_start
from games.mending.corrections import correct, plan
from games.mending.edits import PutIn, TakeOut
from games.models import Happening, Table
from tests.factories import FAILED, MADE, PASSED_OUT, enter, open_table

from .test_closing import close, entry_players, fresh, lies_in, mark, open_sums, reopen, seated, sound

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Table:
    table = open_table()
    for record in (MADE, FAILED, FAILED, PASSED_OUT):
        enter(table, record)
    return fresh(table)


def begin(table: Table, *, carry: bool = True) -> Table:
    seating = [f"p{player.pk}" for player in seated(table)]
    return evening_start(
        club=table.evening.club,
        season=table.evening.season,
        author=None,
        seating=seating,
        first_dealer=seating[0],
        held_on=table.evening.held_on,
        carry=carry,
    )


def test_the_next_evening_begins_with_what_lies_in_the_box(table):
    lay = table.pot_minor
    close(table)
    assert carried(table.evening.club, "chratze") == lay
    following = begin(table)
    assert fresh(following).pot_minor == lay
    assert lies_in("box") == 0
    assert Happening.objects.get(table=following).kind == "carried"
    assert enter(following, PASSED_OUT).result["pot_after"] > lay
    assert sound()
    with pytest.raises(Refused) as caught:
        begin(table)
    assert caught.value.code == "carry"


def test_without_the_tick_the_box_stays_as_it_is(table):
    lay = table.pot_minor
    close(table)
    assert fresh(begin(table, carry=False)).pot_minor == 0
    assert lies_in("box") == lay


def test_no_correction_takes_from_the_box_what_another_evening_began_with(table):
    close(table)
    begin(table)
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


def test_what_was_paid_leaves_the_box_as_it_is(table):
    lay = table.pot_minor
    close(table)
    mark(table)
    assert carried(table.evening.club, "chratze") == lay
    following = begin(table)
    close(following)
    mark(following)
    assert carried(table.evening.club, "chratze") == lay
    assert sound()


@pytest.mark.parametrize("pot", ["carry", "share", "kitty"])
def test_an_evening_opened_again_leaves_the_pot_that_another_began_with(table, pot):
    close(table)
    following = begin(table)
    lay = fresh(following).pot_minor
    gone = would_stay(standing(fresh(table).evening))
    assert gone is not None
    assert "Evening 2 of" in gone.before_opening()
    reopen(table)
    assert (fresh(table).pot_minor, fresh(following).pot_minor, lies_in("box")) == (0, lay, 0)
    assert sound()
    close(fresh(table), pot, [seated(table)[0].pk])
    assert (lies_in("box"), lies_in("kitty")) == (0, 0)
    assert sound()
    # What the other evening leaves is another matter.
    close(fresh(following))
    assert lies_in("box") == lay
    mark(fresh(table))
    assert open_sums(table) == {0}
    assert sound()


def test_an_evening_opened_again_gets_back_what_the_box_still_holds(table):
    lay = table.pot_minor
    close(table)
    assert would_stay(standing(fresh(table).evening)) is None
    reopen(table)
    assert (fresh(table).pot_minor, lies_in("box")) == (lay, 0)
    assert stayed(fresh(table).evening) is None
    assert sound()


def test_the_twin_without_the_guard_leaves_the_box_below_nothing_and_the_recount_finds_it(table, monkeypatch):
    close(table)
    begin(table)
    monkeypatch.setattr("games.closing.carried.would_stay", lambda closing: None)
    reopen(table)
    close(fresh(table), "kitty")
    assert lies_in("box") < 0
    assert any("its box" in said for said in audit.differences())
