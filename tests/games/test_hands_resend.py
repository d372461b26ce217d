"""Each form that the outbox of a phone keeps until it has an answer: sent twice, it is stored once, with one answer."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.closing.services import evening_close
from games.disputes.services import dispute_raise
from games.models import Correction, Dispute, Happening, Revision, Table
from league.models import Closing, Evening, Payment, Player, Posting, Submission
from tests.cast import House
from tests.factories import FAILED, MADE, WITH_CARDS, PlayerFactory, create_table, enter
from tests.page_forms import page_forms

pytestmark = pytest.mark.django_db

STORED = (Revision, Happening, Correction, Dispute, Closing, Evening, Table, Posting, Submission)


@dataclass(frozen=True)
class Save:
    """The address and the fields of a form, without a key."""

    url: str
    fields: dict[str, Any]


def played(home: House, *hands: dict[str, Any]) -> Table:
    table = create_table(club=home.club, season=home.season, author=home.recorder, held_on=timezone.localdate())
    for record in hands:
        enter(table, record, author=home.recorder)
    return Table.objects.select_related("evening").get(pk=table.pk)


def at(table: Table, tail: str = "") -> str:
    return f"/c/roessli/t/{table.pk}/{tail}"


def seats(table: Table) -> list[int]:
    return list(table.places.order_by("seat").values_list("player_id", flat=True))


def tally(declarer: int, joiner: int, failed: int | None = None) -> dict[str, str]:
    data = {"mode": "made"}
    for seat in range(5):
        data[f"role-{seat}"] = "declarer" if seat == declarer else "joiner" if seat == joiner else "out"
        data[f"made-{seat}"] = "no" if seat == failed else "yes"
    return data


def next_hand(home: House) -> Save:
    table = played(home, MADE)
    players = ",".join(map(str, seats(table)))
    return Save(at(table), {"number": 2, "players": players, **tally(0, 1)})


def undone(home: House) -> Save:
    return Save(at(played(home, MADE, FAILED), "void/"), {"number": 2})


def pasted(home: House) -> Save:
    table = played(home, MADE)
    players = ",".join(map(str, seats(table)))
    return Save(at(table, "paste/"), {"number": 2, "players": players, "do": "save", "text": json.dumps(MADE)})


def with_cards(home: House) -> Save:
    table = played(home)
    players = ",".join(map(str, seats(table)))
    return Save(at(table, "cards/"), {"number": 1, "players": players, "do": "save", "record": json.dumps(WITH_CARDS)})


def typed(home: House) -> Save:
    table = played(home, MADE)
    players = ",".join(map(str, seats(table)))
    return Save(at(table, "type/"), {"number": 2, "players": players, "lines": "Anna Beni\nBeni Carlo"})


def comes(home: House) -> Save:
    table = played(home, MADE)
    return Save(at(table, "seating/"), {"do": "come", "name": "Zoe", "after": seats(table)[-1]})


def leaves(home: House) -> Save:
    table = played(home, MADE)
    return Save(at(table, "seating/"), {"do": "leave", "player": seats(table)[0]})


def divided(home: House) -> Save:
    table = played(home, MADE)
    _one, *others = seats(table)
    return Save(at(table, "seating/"), {"do": "split", "goes": others[:2], "dealer": others[0], "pot": "heads"})


def joined(home: House) -> Save:
    table = played(home, MADE)
    client = Client()
    client.force_login(home.recorder)
    _one, *others = seats(table)
    divide = {"do": "split", "goes": others[:2], "dealer": others[0], "pot": "stays", "key": str(uuid.uuid4())}
    assert client.post(at(table, "seating/"), divide).status_code == 303
    return Save(at(table, "seating/"), {"do": "merge", "into": Table.objects.get(number=2).pk, "after": others[0]})


def swapped(home: House) -> Save:
    table = played(home, MADE)
    first, two, *others = seats(table)
    return Save(at(table, "seating/"), {"do": "order", "order": ",".join(map(str, [two, first, *others]))})


def pauses(home: House) -> Save:
    return Save(at(played(home, MADE), "seating/"), {"do": "pause"})


def other_dealer(home: House) -> Save:
    table = played(home, MADE)
    return Save(at(table, "seating/"), {"do": "dealer", "player": seats(table)[3]})


def corrected(home: House) -> Save:
    table = played(home, MADE, FAILED)
    players = ",".join(map(str, seats(table)))
    fields = {"step": "save", "players": players, "keep": "0", "seen": "", "reason": "x", **tally(2, 3, failed=3)}
    return Save(at(table, "h/1/edit/"), fields)


def corrected_with_cards(home: House) -> Save:
    """A hand with its cards; the correction only changes a player."""
    table = played(home, WITH_CARDS)
    gian = PlayerFactory(club=home.club, nickname="Gian")
    first, _second, *others = seats(table)
    players = ",".join(map(str, [first, gian.pk, *others]))
    roles = {f"role-{seat}": "declarer" if seat == 0 else "out" for seat in range(5)}
    return Save(at(table, "h/1/edit/"), {"step": "save", "players": players, "mode": "made", "seen": "", **roles})


def put_in(home: House) -> Save:
    table = played(home, MADE, FAILED)
    players = ",".join(map(str, seats(table)))
    return Save(at(table, "h/2/insert/"), {"step": "save", "players": players, "seen": "", **tally(0, 1)})


def taken_out(home: House) -> Save:
    return Save(at(played(home, MADE, FAILED), "h/2/out/"), {"step": "save", "seen": ""})


def moved(home: House) -> Save:
    return Save(at(played(home, MADE, FAILED), "h/2/move/"), {"step": "save", "to": "1", "seen": ""})


def mixed_up(home: House) -> Save:
    table = played(home, MADE, FAILED)
    first, two, *_others = seats(table)
    return Save(at(table, "seats/"), {"step": "save", "from": "1", "last": "2", f"sat-{first}": two, "seen": ""})


def of_evening(table: Table, tail: str) -> str:
    return f"/c/roessli/e/{table.evening_id}/{tail}/"


def last_said(home: House) -> Save:
    return Save(of_evening(played(home, MADE), "last"), {})


def closes(home: House) -> Save:
    table = played(home, MADE, FAILED)
    return Save(of_evening(table, "close"), {"pot": "share", "present": seats(table)})


def closed(home: House) -> Table:
    table = played(home, MADE, FAILED)
    evening_close(evening=table.evening, author=None, key=uuid.uuid4(), pot="carry")
    return table


def reopens(home: House) -> Save:
    return Save(of_evening(closed(home), "reopen"), {"reason": "forgot one"})


def paid(home: House) -> Save:
    table = closed(home)
    return Save(of_evening(table, "paid"), {"paid": "yes", "payment": str(Payment.objects.first().pk)})


def all_paid(home: House) -> Save:
    return Save(of_evening(closed(home), "paid"), {"paid": "yes"})


def debt_paid(home: House) -> Save:
    closed(home)
    return Save(
        "/c/roessli/debts/paid/", {"paid": "yes", "payment": [str(payment.pk) for payment in Payment.objects.all()]}
    )


def settled(home: House) -> Save:
    table = played(home, MADE)
    first = seats(table)[0]
    text = "It was me."
    dispute_raise(table=table, number=1, player_id=first, author=None, key=uuid.uuid4(), text=text)
    return Save(at(table, "h/1/dispute/"), {"do": "settle", "player": first, "text": "Corrected."})


def disputed(home: House) -> Save:
    table = played(home, MADE)
    Player.objects.filter(pk=seats(table)[0]).update(user=home.recorder)
    return Save(at(table, "h/1/dispute/"), {"do": "raise", "text": "It was me."})


def begins(home: House) -> Save:
    people = [PlayerFactory(club=home.club, nickname=name).pk for name in ("Anna", "Beni")]
    seating = [*(f"p{pk}" for pk in people), "gZoe"]
    fields = {"season": home.season.pk, "held_on": "2026-11-20", "game": "chratze", "seating": seating}
    return Save("/c/roessli/e/new/", fields | {"first_dealer": seating[0]})


SAVES: list[Callable[[House], Save]] = [
    *(next_hand, undone, pasted, with_cards, typed, comes, leaves, divided, joined, swapped, pauses, other_dealer),
    *(corrected, corrected_with_cards, put_in, taken_out, moved, mixed_up, last_said, closes, reopens, paid, all_paid),
    *(debt_paid, begins, settled, disputed),
]


def said(answer: Any) -> str:
    """The text of the page, for the message of a failing test."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode().partition("<main")[2]))[:600]


def counts() -> list[int]:
    return [model.objects.count() for model in STORED]  # type: ignore[attr-defined]


@pytest.mark.both_databases
@pytest.mark.parametrize("save", SAVES, ids=lambda save: save.__name__)
def test_a_form_sent_twice_is_stored_once_and_gets_the_same_answer(save: Any, home: House, recorder: Client) -> None:
    wanted = save(home)
    sent = wanted.fields | {"key": str(uuid.uuid4())}
    first = recorder.post(wanted.url, sent, headers={"Outbox": "1"})
    assert (first.status_code, bool(first.headers.get("Outbox-Stored"))) == (204, True), said(first)
    once = counts()
    again = recorder.post(wanted.url, sent, headers={"Outbox": "1"})
    assert (again.status_code, again.headers.get("Outbox-Stored")) == (204, first.headers["Outbox-Stored"])
    assert counts() == once


@pytest.mark.parametrize("save", SAVES, ids=lambda save: save.__name__)
def test_the_same_form_with_a_new_key_is_refused_or_stored_twice(save: Any, home: House, recorder: Client) -> None:
    wanted = save(home)
    first = recorder.post(wanted.url, wanted.fields | {"key": str(uuid.uuid4())}, headers={"Outbox": "1"})
    assert first.status_code == 204
    once = counts()
    again = recorder.post(wanted.url, wanted.fields | {"key": str(uuid.uuid4())}, headers={"Outbox": "1"})
    assert again.status_code >= 400 or counts() != once


@pytest.mark.parametrize("save", [corrected, put_in, taken_out, moved, mixed_up], ids=lambda save: save.__name__)
def test_a_key_with_another_correction_is_refused(save: Any, home: House, recorder: Client) -> None:
    wanted = save(home)
    sent = wanted.fields | {"key": str(uuid.uuid4())}
    assert recorder.post(wanted.url, sent).status_code == 303
    once = counts()
    assert recorder.post(wanted.url, sent | {"reason": "another one"}).status_code in (404, 409, 422)
    assert counts() == once


MARKED = [
    *("t/{table}/", "t/{table}/seating/?do=come&name=Zoe", "t/{table}/seating/?do=pause", "t/{table}/h/1/out/"),
    *("t/{table}/h/2/", "t/{table}/h/1/dispute/", "e/{evening}/close/"),
]


@pytest.mark.parametrize("address", MARKED)
@pytest.mark.parametrize("state", [played, closed], ids=["open", "closed"])
def test_every_form_with_a_key_is_marked_for_the_outbox(
    state: Any, address: str, home: House, recorder: Client
) -> None:
    table = state(home) if state is closed else state(home, MADE, FAILED)
    Player.objects.filter(pk=seats(table)[0]).update(user=home.recorder)
    page = recorder.get("/c/roessli/" + address.format(table=table.pk, evening=table.evening_id))
    forms = [form for form in page_forms(page) if any(control.name == "key" for control in form.controls)]
    # The table's own script puts a hand into the outbox.
    forms = [form for form in forms if form.attributes.get("id") != "hand"]
    assert forms or state is closed
    for form in forms:
        assert any("data-keep" in element.attributes for element in (form, *form.buttons)), form


def test_a_form_without_the_outbox_header_gets_a_redirect(home: House, recorder: Client) -> None:
    wanted = pauses(home)
    answer = recorder.post(wanted.url, wanted.fields | {"key": str(uuid.uuid4())})
    assert (answer.status_code, "Outbox-Stored" in answer.headers) == (303, False)


def test_a_form_after_the_session_ended_is_not_stored(home: House) -> None:
    wanted = pauses(home)
    answer = Client().post(wanted.url, wanted.fields | {"key": str(uuid.uuid4())}, headers={"Outbox": "1"})
    assert answer.status_code == 302
    assert "Outbox-Stored" not in answer.headers


def test_the_outbox_token_names_its_user(home: House, recorder: Client) -> None:
    said = recorder.get("/outbox/").json()
    assert said["user"] == str(home.recorder.pk)
    assert len(said["token"]) > 30
    assert Client().get("/outbox/").status_code == 302
