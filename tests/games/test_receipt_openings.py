"""The link of a receipt notes that it was opened: its holder and the club's owners see it."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
import time_machine
from django.db import OperationalError
from django.test import Client
from django.urls import reverse

from games.closing import receipt_openings
from games.closing.receipts import token_for
from games.closing.services import evening_close
from games.models import Table
from league.models import Closing, Player, ReceiptOpening
from league.privacy.forgetting import player_forget
from tests.cast import Cast
from tests.factories import FAILED, body, create_table, enter

pytestmark = pytest.mark.django_db

NOTED = "This link was opened"


@pytest.fixture
def table(people: Cast) -> Table:
    table = create_table(club=people.home.club, season=people.home.season)
    enter(table, FAILED)
    evening_close(evening=table.evening, author=None, key=uuid.uuid4())
    return table


def address(table: Table, seat: int = 0, name: str = "receipt") -> str:
    token = token_for(Closing.objects.get().pk, body(table, FAILED)["players"][seat])
    return reverse(name, kwargs={"token": token})


def opened(url: str, **headers: str) -> str:
    answer = Client().get(url, headers={"Accept-Language": "en", **headers})
    assert answer.status_code == 200
    return answer.content.decode()


def counts() -> list[int]:
    return list(ReceiptOpening.objects.order_by("player").values_list("count", flat=True))


@pytest.mark.both_databases
def test_the_holder_of_a_link_sees_that_it_was_opened_before(table: Table):
    with time_machine.travel("2026-11-21 20:04:00+01:00", tick=False):
        assert NOTED not in opened(address(table))
    with time_machine.travel("2026-11-22 09:30:00+01:00", tick=False):
        assert "This link was opened 1 time before, last on 21 November 2026, 20:04." in opened(address(table))
    text = opened(address(table))
    assert "This link was opened 2 times before, last on 22 November 2026, 09:30." in text
    assert "Whoever has it can read this receipt." in text
    assert NOTED not in opened(address(table, 1))
    assert counts() == [3, 1]


def test_the_api_notes_it_too(table: Table):
    opened(address(table, name="api-receipt"))
    assert counts() == [1]
    assert NOTED in opened(address(table))


def test_a_request_without_a_reader_is_no_opening(table: Table):
    Client().head(address(table))
    opened(address(table), **{"Sec-Purpose": "prefetch;prerender"})
    assert Client().get(address(table)[:-2] + "x/").status_code == 404
    assert counts() == []


@pytest.mark.parametrize(("who", "sees"), [("owner", True), ("treasurer", False), ("recorder", False)])
def test_the_clubs_owners_see_which_links_were_opened(people: Cast, table: Table, who: str, sees: bool):
    opened(address(table))
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(people.home.person(who))
    text = client.get(reverse("receipts", kwargs={"club": "roessli", "evening": table.evening_id})).content.decode()
    assert ("opened 1 time, last" in text, text.count("not opened yet")) == (sees, 4 if sees else 0)
    links = client.get(f"/api/v1/clubs/roessli/evenings/{table.evening_id}/receipts").json()["links"]
    assert sorted(str(link["openings"]) for link in links) == (["0"] * 4 + ["1"] if sees else ["None"] * 5)
    assert any(link["opened_at"] for link in links) is sees


@pytest.mark.both_databases
def test_a_receipt_is_shown_if_the_opening_cannot_be_noted(table: Table, monkeypatch: pytest.MonkeyPatch):
    def locked(*args: Any) -> bool:
        raise OperationalError("database is locked")

    monkeypatch.setattr(receipt_openings, "_one_more", locked)
    assert "Anna" in opened(address(table))
    assert counts() == []


@pytest.mark.both_databases
def test_two_first_openings_at_once_are_counted_both(table: Table, monkeypatch: pytest.MonkeyPatch):
    opened(address(table))
    one_more, answers = receipt_openings._one_more, iter([False])
    monkeypatch.setattr(receipt_openings, "_one_more", lambda *args: next(answers, None) is None and one_more(*args))
    opened(address(table))
    assert counts() == [2]


@pytest.mark.both_databases
def test_forgetting_a_player_deletes_the_note(people: Cast, table: Table):
    opened(address(table))
    opened(address(table, 1))
    player_forget(player=Player.objects.get(pk=body(table, FAILED)["players"][0]), actor=people.home.owner)
    assert counts() == [1]
