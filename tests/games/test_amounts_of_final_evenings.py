"""A recorder sees the amounts of a table until its evening is final: the same on each page of the table, in the history
and through the API. A late write still gets the sentence that the evening is closed."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.closing.services import evening_close
from games.hands import gate, selectors
from games.models import Table
from league.access import club_for
from league.models import Evening, Season
from tests.cast import Cast
from tests.factories import FAILED, MADE, body, create_table, enter

pytestmark = pytest.mark.django_db

AMOUNT = re.compile(r"[−+]?\d+\.\d\d\b")
PAGES = ("table", "table-live", "hand-paid", "hand-edit", "hand-insert", "hand-cards", "hand-type", "table-seating")
PAGES += ("table-difference", "hand-paste", "table-seats")


@pytest.fixture
def table(people: Cast) -> Table:
    """A table with two hands in a final evening."""
    table = create_table(club=people.home.club, season=people.home.season, author=people.home.recorder)
    enter(table, FAILED, author=people.home.recorder)
    enter(table, MADE, author=people.home.recorder)
    return table


def close(table: Table, *, final: bool = True) -> None:
    evening_close(evening=table.evening, author=None, key=uuid.uuid4())
    if final:
        Evening.objects.update(final_at=timezone.now() - timedelta(seconds=1))


def reader(person: Any) -> Client:
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(person)
    return client


def address(page: str, table: Table) -> str:
    names: dict[str, Any] = {"club": "roessli", "table": table.pk}
    if page in ("hand-paid", "hand-edit", "hand-insert"):
        names["number"] = 1
    return reverse(page, kwargs=names)


def shown(client: Client, page: str, table: Table) -> tuple[int, bool]:
    """Return the status of a page, and True if it shows an amount."""
    answer = client.get(address(page, table))
    return answer.status_code, bool(AMOUNT.search(answer.content.decode()))


def hand(table: Table, key: uuid.UUID, number: int) -> dict[str, Any]:
    """Return a hand as the table's page sends it: nobody declared."""
    players = ",".join(str(player) for player in body(table, MADE)["players"])
    return {"key": key, "number": number, "players": players, "passed": "1"}


@pytest.mark.parametrize("page", PAGES)
def test_a_recorder_sees_no_amount_of_a_final_evening_on_a_page_of_its_table(people: Cast, table: Table, page: str):
    close(table)
    status, amounts = shown(reader(people.home.recorder), page, table)
    assert (status, amounts) == (200, False)
    assert "This evening is closed." in reader(people.home.recorder).get(address(page, table)).content.decode()


@pytest.mark.parametrize("page", ["table", "hand-paid"])
def test_until_then_and_with_the_right_the_amounts_are_there(people: Cast, table: Table, page: str):
    assert shown(reader(people.home.recorder), page, table) == (200, True)
    close(table, final=False)
    assert shown(reader(people.home.recorder), page, table) == (200, True)
    close_for_good = {"final_at": timezone.now() - timedelta(seconds=1)}
    Evening.objects.update(**close_for_good)
    assert shown(reader(people.home.treasurer), page, table) == (200, True)


@pytest.mark.parametrize("page", ["table", "hand-paid"])
def test_without_the_rule_a_recorder_would_see_them(people: Cast, table: Table, page: str, monkeypatch):
    close(table)
    monkeypatch.setattr(gate.selectors, "sees_table_amounts", lambda access, evening: True)
    assert shown(reader(people.home.recorder), page, table) == (200, True)


def test_a_late_hand_is_refused_with_the_sentence(people: Cast, table: Table):
    close(table)
    answer = reader(people.home.recorder).post(address("table", table), hand(table, uuid.uuid4(), 3))
    text = answer.content.decode()
    assert answer.status_code == 409
    assert re.search(r"<h2 data-why>\s*This evening is closed\.", text)
    assert not AMOUNT.search(text)


def test_a_hand_that_was_stored_before_gets_its_answer_again(people: Cast, table: Table):
    client, sent = reader(people.home.recorder), hand(table, uuid.uuid4(), 3)
    first = client.post(address("table", table), sent)
    assert first.status_code == 303
    close(table)
    again = client.post(address("table", table), sent)
    assert (again.status_code, again["Location"]) == (303, first["Location"])


def test_in_a_season_of_points_the_counters_are_shown_while_the_evening_is_open(people: Cast, table: Table):
    Season.objects.update(points_only=True)
    assert shown(reader(people.home.owner), "table", table) == (200, True)
    close(table, final=False)
    assert shown(reader(people.home.owner), "table", table) == (200, False)
    assert "The season counts points only" in reader(people.home.owner).get(address("table", table)).content.decode()
    recorder = club_for(people.home.recorder, "roessli")
    assert not selectors.sees_table_amounts(recorder, Evening.objects.select_related("season").get())
