"""One recorder at a time writes; the others look on. Nothing of it decides whether a hand is stored."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client, RequestFactory
from django.utils import timezone, translation

from games import pencil
from games.audit import differences
from games.device import device_of
from games.errors import Refused
from games.models import Hand, Pencil, Table
from league.models import Evening, User
from tests.cast import House, house
from tests.factories import MADE, enter, open_table

from .test_recording_pages import entry, text, url

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def english() -> Any:
    with translation.override("en"):
        yield


@pytest.fixture
def home() -> House:
    return house("roessli")


@pytest.fixture
def table(home: House) -> Table:
    return open_table(club=home.club, season=home.season, author=home.recorder)


def browser(user: User) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(user)
    return client


@pytest.fixture
def anna(home: House) -> Client:
    return browser(home.recorder)


@pytest.fixture
def beni(home: House) -> Client:
    return browser(home.owner)


def beat(client: Client, table: Table) -> int:
    status: int = client.post(url(table, "pencil/"), {"act": "beat"}).status_code
    return status


def act(client: Client, table: Table, act: str, **more: Any) -> str:
    """What the page says after it."""
    answer = client.post(url(table, "pencil/"), {"act": act} | more, follow=True)
    assert answer.redirect_chain == [(url(table), 303)]
    return text(answer)


def writes(client: Client, table: Table) -> bool:
    """Whether the table's screen has the entry on it."""
    return 'id="hand"' in text(client.get(url(table)))


def later(table: Table, after: timedelta) -> None:
    """So much time has gone by since the holder was there."""
    Pencil.objects.filter(table=table).update(seen_at=Pencil.objects.get(table=table).seen_at - after)


# --- Taking, looking on -----------------------------------------------------------------------------------


def test_who_opens_the_entry_first_has_the_pencil_and_the_next_one_looks_on(anna, beni, table):
    assert writes(anna, table)
    assert beat(anna, table) == 204
    assert not writes(beni, table)
    page = text(beni.get(url(table)))
    assert "Recorder writes, since" in page
    assert "Take over" in page
    assert beat(beni, table) == 409
    assert Pencil.objects.get().holder.first_name == "Recorder"


def test_the_same_person_on_another_device_looks_on_too(anna, home, table):
    beat(anna, table)
    tablet = browser(home.recorder)
    assert "You write on another device" in text(tablet.get(url(table)))
    act(tablet, table, "over")
    assert writes(tablet, table)
    assert not writes(anna, table)


def test_looking_on_shows_pot_seats_balances_and_the_hands(anna, beni, table):
    beat(anna, table)
    enter(table, MADE)
    page = text(beni.get(url(table, "live/")))
    for words in ("Anna", "+0.60", "1.00", "Beni", "in the pot", "deals", "Hands of tonight"):
        assert words in page
    assert 'name="key"' not in page


def test_an_unchanged_table_is_not_sent_again(anna, beni, table, django_assert_num_queries):
    beat(anna, table)
    beni.get(url(table))
    etag = beni.get(url(table, "live/"))["ETag"]
    with django_assert_num_queries(7):
        assert beni.get(url(table, "live/"), headers={"if-none-match": etag}).status_code == 304
    enter(table, MADE)
    assert beni.get(url(table, "live/"), headers={"if-none-match": etag}).status_code == 200


@pytest.mark.parametrize("change", [{"dealer_set": True, "deal_number": 2}, {"last_hand": True}, {"dissolved": True}])
def test_a_change_without_a_hand_is_sent_too(beni, table, change):
    etag = beni.get(url(table, "live/"))["ETag"]
    Table.objects.filter(pk=table.pk).update(**change)
    assert beni.get(url(table, "live/"), headers={"if-none-match": etag}).status_code == 200


def test_the_writers_own_piece_is_the_same_while_the_heart_beats(anna, table):
    anna.get(url(table))
    beat(anna, table)
    etag = anna.get(url(table, "live/?as=writer"))["ETag"]
    later(table, timedelta(seconds=30))
    beat(anna, table)
    assert anna.get(url(table, "live/?as=writer"), headers={"if-none-match": etag}).status_code == 304


def test_who_was_not_seen_for_a_while_is_told_with_the_time(anna, beni, table):
    beat(anna, table)
    assert "Seen just now." in text(beni.get(url(table)))
    later(table, timedelta(minutes=5))
    at = timezone.localtime(Pencil.objects.get().seen_at).strftime("%H:%M")
    assert f"Last seen at {at}." in text(beni.get(url(table)))


def test_a_pencil_of_another_night_lies_free(anna, beni, table):
    beat(anna, table)
    later(table, pencil.LAPSES)
    assert writes(beni, table)
    assert beat(beni, table) == 204
    assert beat(anna, table) == 409


# --- From hand to hand ------------------------------------------------------------------------------------


def test_taking_over_is_seen_by_the_one_who_had_it(anna, beni, table):
    beat(anna, table)
    act(beni, table, "over")
    assert writes(beni, table)
    piece = text(anna.get(url(table, "live/?as=writer")))
    assert "data-lost" in piece
    assert "<b>Owner</b> writes now, since" in piece


def test_asking_and_handing_over(anna, beni, table, home):
    beat(anna, table)
    act(beni, table, "ask")
    assert "<b>Owner</b> would like to write." in text(anna.get(url(table, "live/?as=writer")))
    assert "no longer ask" in text(beni.get(url(table)))
    assert "Owner has the pencil now." in act(anna, table, "give", to=home.owner.pk)
    assert "data-moved-on" in text(beni.get(url(table, "live/")))
    assert writes(beni, table)
    # The device that asked has it, no other one of the same person.
    assert not writes(browser(home.owner), table)


def test_not_now(anna, beni, table):
    beat(anna, table)
    act(beni, table, "ask")
    act(anna, table, "decline")
    assert "would like" not in text(anna.get(url(table, "live/?as=writer")))
    assert "Ask for the pencil" in text(beni.get(url(table)))


def test_handed_over_unasked_it_is_with_the_next_device_of_that_person(anna, beni, table, home):
    beat(anna, table)
    act(anna, table, "give", to=home.owner.pk)
    assert writes(beni, table)
    assert beat(beni, table) == 204
    assert beat(browser(home.owner), table) == 409


def test_put_down_it_is_with_who_opens_the_entry_next(anna, beni, table):
    beat(anna, table)
    act(anna, table, "down")
    assert not Pencil.objects.exists()
    assert "Nobody writes." in text(beni.get(url(table, "live/")))
    act(beni, table, "take")
    assert not writes(anna, table)


@pytest.mark.parametrize("who", ["member", "nobody"])
def test_only_somebody_who_may_write_gets_it(anna, table, home, who):
    beat(anna, table)
    to = home.member.pk if who == "member" else 10**9
    assert "does not write in this club" in act(anna, table, "give", to=to)
    assert Pencil.objects.get().holder == home.recorder


def test_what_is_not_in_the_hand_cannot_be_handed_over(anna, beni, table, home):
    beat(anna, table)
    assert "not with you any more" in text(
        beni.post(url(table, "pencil/"), {"act": "give", "to": home.owner.pk}, follow=True)
    )
    with pytest.raises(Refused):
        pencil.hand_over(table, home.owner, "x", home.recorder.pk)


@pytest.mark.parametrize("sent", [{}, {"act": "eat"}, {"act": "give", "to": "x"}])
def test_bad_input_changes_nothing(anna, table, sent):
    beat(anna, table)
    before = Pencil.objects.values().get()
    assert anna.post(url(table, "pencil/"), sent).status_code == 303
    assert Pencil.objects.values().get() == before


# --- It is no lock ----------------------------------------------------------------------------------------


def test_a_hand_is_stored_whoever_has_the_pencil(anna, beni, table):
    beat(anna, table)
    assert beni.post(url(table), entry(table, "dj---")).status_code == 303
    assert Hand.objects.count() == 1
    assert list(differences()) == []


def test_the_device_is_a_signed_number_that_a_browser_cannot_make_up(anna, table):
    anna.get(url(table))
    cookie = anna.cookies["device"]
    assert cookie["httponly"]
    assert cookie["max-age"] == 365 * 24 * 3600
    request = RequestFactory().get("/")
    request.COOKIES["device"] = cookie.value
    beat(anna, table)
    assert device_of(request) == Pencil.objects.get().device
    anna.cookies["device"] = Pencil.objects.get().device
    assert not writes(anna, table)


def test_a_closed_evening_is_nobodys_to_write(anna, beni, table):
    beat(anna, table)
    Evening.objects.filter(pk=table.evening_id).update(state=Evening.State.CLOSED)
    for client in (anna, beni):
        assert "This evening is closed." in text(client.get(url(table)))
    assert "data-over" in text(anna.get(url(table, "live/?as=writer")))


def test_a_table_that_was_joined_to_another_one_says_so(anna, table):
    Table.objects.filter(pk=table.pk).update(dissolved=True)
    page = text(anna.get(url(table)))
    assert "This table was joined to another one." in page
    assert 'id="hand"' not in page


def test_pause_and_last_hand_are_said_on_both_screens(anna, beni, table):
    beat(anna, table)
    Table.objects.filter(pk=table.pk).update(paused_at=timezone.now(), last_hand=True)
    for client in (anna, beni):
        page = text(client.get(url(table)))
        assert "Pause since" in page
        assert "Last hand for all." in page
