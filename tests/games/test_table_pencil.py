"""The pencil: one recorder at a time has it, the others watch. It does not affect the storing of hands."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client, RequestFactory
from django.utils import timezone

from games.errors import Refused
from games.integrity.verify import differences
from games.models import Hand, Pencil, Table
from games.table import pencil
from games.table.device import device_of
from league.models import Evening
from tests.cast import House
from tests.clients import reader
from tests.factories import MADE, create_table, enter

from .test_table_views import entry, text, url

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def table(home: House) -> Table:
    return create_table(club=home.club, season=home.season, author=home.recorder)


@pytest.fixture
def anna(home: House) -> Client:
    return reader(home.recorder)


@pytest.fixture
def beni(home: House) -> Client:
    return reader(home.owner)


def beat(client: Client, table: Table) -> int:
    status: int = client.post(url(table, "pencil/"), {"act": "beat"}).status_code
    return status


def act(client: Client, table: Table, act: str, **more: Any) -> str:
    """The text of the page after it."""
    answer = client.post(url(table, "pencil/"), {"act": act} | more, follow=True)
    assert answer.redirect_chain == [(url(table), 303)]
    return text(answer)


def writes(client: Client, table: Table) -> bool:
    """Return True if the table's screen has the entry."""
    return 'id="hand"' in text(client.get(url(table)))


def later(table: Table, after: timedelta) -> None:
    """Let this time pass since the holder was seen."""
    Pencil.objects.filter(table=table).update(seen_at=Pencil.objects.get(table=table).seen_at - after)


# --- Taking, watching -------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_the_first_recorder_gets_the_pencil_and_the_next_one_watches(anna, beni, table):
    assert writes(anna, table)
    assert beat(anna, table) == 204
    assert not writes(beni, table)
    page = text(beni.get(url(table)))
    assert "Recorder writes, since" in page
    assert "Take over" in page
    assert beat(beni, table) == 409
    assert Pencil.objects.get().holder.first_name == "Recorder"


def test_the_same_person_on_another_device_watches_too(anna, home, table):
    beat(anna, table)
    tablet = reader(home.recorder)
    assert "You write on another device" in text(tablet.get(url(table)))
    act(tablet, table, "over")
    assert writes(tablet, table)
    assert not writes(anna, table)


def test_a_device_that_lost_its_cookie_keeps_the_pencil_by_its_number(anna, beni, home, table):
    page = text(anna.get(url(table)))
    beat(anna, table)
    number = Pencil.objects.get().device
    assert f'data-device="{number}"' in page
    sent = {"act": "beat", "device": number}
    assert beni.post(url(table, "pencil/"), sent).status_code == 409
    again = reader(home.recorder)
    assert beat(again, table) == 409
    assert again.post(url(table, "pencil/"), sent).status_code == 204
    assert writes(again, table)


def test_the_live_view_shows_pot_seats_balances_and_hands(anna, beni, table):
    beat(anna, table)
    enter(table, MADE)
    page = text(beni.get(url(table, "live/")))
    for words in ("Anna", "+0.40", "1.00", "Beni", "in the pot", "deals", "Hands of tonight"):
        assert words in page
    assert 'name="key"' not in page


@pytest.mark.both_databases
def test_an_unchanged_table_is_not_sent_again(anna, beni, table, django_assert_num_queries):
    beat(anna, table)
    beni.get(url(table))
    etag = beni.get(url(table, "live/"))["ETag"]
    with django_assert_num_queries(6):
        assert beni.get(url(table, "live/"), headers={"if-none-match": etag}).status_code == 304
    enter(table, MADE)
    assert beni.get(url(table, "live/"), headers={"if-none-match": etag}).status_code == 200


@pytest.mark.both_databases
@pytest.mark.parametrize("change", [{"dealer_set": True, "deal_number": 2}, {"last_hand": True}, {"dissolved": True}])
def test_a_change_without_a_hand_is_sent_too(beni, table, change):
    etag = beni.get(url(table, "live/"))["ETag"]
    Table.objects.filter(pk=table.pk).update(**change)
    assert beni.get(url(table, "live/"), headers={"if-none-match": etag}).status_code == 200


@pytest.mark.both_databases
def test_the_recorders_fragment_stays_the_same_while_beats_arrive(anna, table):
    anna.get(url(table))
    beat(anna, table)
    etag = anna.get(url(table, "live/?as=recorder"))["ETag"]
    later(table, timedelta(seconds=30))
    beat(anna, table)
    assert anna.get(url(table, "live/?as=recorder"), headers={"if-none-match": etag}).status_code == 304


def test_an_absent_holder_is_shown_with_the_time(anna, beni, table):
    beat(anna, table)
    assert "Seen just now." in text(beni.get(url(table)))
    later(table, timedelta(minutes=5))
    seen_at = timezone.localtime(Pencil.objects.get().seen_at).strftime("%H:%M")
    assert f"Last seen at {seen_at}." in text(beni.get(url(table)))


@pytest.mark.both_databases
def test_a_pencil_of_an_earlier_evening_is_free(anna, beni, table):
    beat(anna, table)
    later(table, pencil.LAPSES)
    assert writes(beni, table)
    assert beat(beni, table) == 204
    assert beat(anna, table) == 409


# --- From hand to hand ------------------------------------------------------------------------------------


def test_the_former_holder_sees_that_the_pencil_was_taken(anna, beni, table):
    beat(anna, table)
    act(beni, table, "over")
    assert writes(beni, table)
    piece = text(anna.get(url(table, "live/?as=recorder")))
    assert "data-lost" in piece
    assert "<b>Owner</b> writes now, since" in piece


@pytest.mark.both_databases
def test_asking_and_handing_over(anna, beni, table, home):
    beat(anna, table)
    act(beni, table, "ask")
    assert "<b>Owner</b> would like to write." in text(anna.get(url(table, "live/?as=recorder")))
    assert "no longer ask" in text(beni.get(url(table)))
    assert "Owner has the pencil now." in act(anna, table, "give", to=home.owner.pk)
    assert "data-moved-on" in text(beni.get(url(table, "live/")))
    assert writes(beni, table)
    # The device that asked has the pencil; other devices of the same person do not.
    assert not writes(reader(home.owner), table)


def test_a_declined_request_disappears(anna, beni, table):
    beat(anna, table)
    act(beni, table, "ask")
    act(anna, table, "decline")
    assert "would like" not in text(anna.get(url(table, "live/?as=recorder")))
    assert "I would like to write" in text(beni.get(url(table)))


def test_a_pencil_handed_over_unasked_goes_to_the_next_device_of_that_person(anna, beni, table, home):
    beat(anna, table)
    act(anna, table, "give", to=home.owner.pk)
    assert writes(beni, table)
    assert beat(beni, table) == 204
    assert beat(reader(home.owner), table) == 409


def test_a_pencil_put_down_goes_to_the_next_recorder(anna, beni, table):
    beat(anna, table)
    act(anna, table, "down")
    assert not Pencil.objects.exists()
    assert "Nobody has the pencil." in text(beni.get(url(table, "live/")))
    act(beni, table, "take")
    assert not writes(anna, table)


@pytest.mark.parametrize("who", ["member", "nobody"])
def test_only_recorders_get_the_pencil(anna, table, home, who):
    beat(anna, table)
    to = home.member.pk if who == "member" else 10**9
    assert "does not record in this club" in act(anna, table, "give", to=to)
    assert Pencil.objects.get().holder == home.recorder


def test_only_the_holder_can_hand_the_pencil_over(anna, beni, table, home):
    beat(anna, table)
    assert "You no longer have the pencil" in text(
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


def test_a_hand_is_stored_without_the_pencil_too(anna, beni, table):
    beat(anna, table)
    assert beni.post(url(table), entry(table, "dj---")).status_code == 303
    assert Hand.objects.count() == 1
    assert list(differences()) == []


def test_the_device_is_a_signed_number_that_a_browser_cannot_forge(anna, table):
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


def test_a_closed_evening_has_no_pencil(anna, beni, table):
    beat(anna, table)
    Evening.objects.filter(pk=table.evening_id).update(state=Evening.State.CLOSED)
    for client in (anna, beni):
        assert "This evening is closed." in text(client.get(url(table)))
    part = anna.get(url(table, "live/?as=recorder"), headers={"hx-request": "true"})
    assert "data-moved-on" in text(part), "the page loads itself again and says it"


def test_a_merged_table_shows_that(anna, table):
    Table.objects.filter(pk=table.pk).update(dissolved=True)
    page = text(anna.get(url(table)))
    assert "This table was joined to another one." in page
    assert 'id="hand"' not in page


def test_pause_and_last_hand_are_shown_on_both_screens(anna, beni, table):
    beat(anna, table)
    Table.objects.filter(pk=table.pk).update(paused_at=timezone.now(), last_hand=True)
    for client in (anna, beni):
        page = text(client.get(url(table)))
        assert "Pause since" in page
        assert "Last hand for all." in page


def snapshot_in(page: str) -> dict[str, Any]:
    block = page.partition('<script id="night-snapshot" type="application/json">')[2].partition("</script>")[0]
    snapshot: dict[str, Any] = json.loads(block)
    return snapshot


def test_the_phone_of_who_watches_keeps_the_entry(anna, beni, table):
    """Its page is that of who watches, and the phone requests the entry to keep it. It changes no pencil."""
    beat(anna, table)
    seen = beni.get(url(table))
    assert 'id="hand"' not in text(seen)
    assert seen["Keep-Again"] == "1"
    assert "Keep" in seen, "else the phone requests nothing"
    kept = beni.get(url(table), headers={"To-Keep": "1"})
    assert "Keep" in kept
    assert "Keep-Again" not in kept
    page = text(kept)
    assert 'id="hand"' in page
    assert re.search(r'id="pencil"[^>]* data-lost', page)
    assert writes(anna, table)
    assert not writes(beni, table)


def test_who_watches_gets_the_state_with_each_change(anna, beni, table):
    """Without a network the phone goes on from the newest hand that it has seen."""
    beat(anna, table)
    assert snapshot_in(text(beni.get(url(table))))["table"]["hands"] == 0
    enter(table, MADE)
    state = snapshot_in(text(beni.get(url(table, "live/"))))
    assert state["table"]["hands"] == 1
    [stored] = state["stored"]
    assert (stored["number"], stored["voided"], stored["record"]["declarer"]) == (1, False, 0)


def test_live_is_said_only_by_a_script_that_has_an_answer(anna, beni, table):
    beat(anna, table)
    assert re.search(r"data-live hidden>", text(beni.get(url(table))))
