"""The texts of an evening and of its payments for a chat."""

from __future__ import annotations

import html
import re
import uuid
from typing import Any

import pytest
from django.urls import reverse

from games.closing.services import evening_close
from games.models import Table
from league.models import Season
from tests.cast import House
from tests.clients import reader
from tests.factories import MADE, create_table, enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(home: House) -> Table:
    return create_table(season=home.season, club=home.club)


def shared(table: Table, person: Any, name: str = "evening") -> list[str]:
    """Return the lines of the text that a page shares; none if it has no button."""
    address = reverse(name, kwargs={"club": table.evening.club.slug, "evening": table.evening_id})
    page = reader(person).get(address).content.decode()
    match = re.search(r"<textarea readonly[^>]*>(.*?)</textarea>", page, re.DOTALL)
    return html.unescape(match[1]).replace("\xa0", " ").splitlines() if match else []


def link(table: Table) -> str:
    return f"http://testserver{table.evening.get_absolute_url()}"


def test_an_evening_is_shared_with_its_day_its_winner_and_its_link(home, table):
    assert shared(table, home.owner)[1:] in ([], [link(table)])
    enter(table, MADE)
    first, winner, last = shared(table, home.owner)
    assert first.startswith(f"{home.club.name}, Evening {table.evening.number}, ")
    assert re.fullmatch(r"Most points: .+, \+\d+ points?", winner)
    assert last == link(table)


def test_an_amount_is_shared_only_by_those_who_see_it(home, table):
    Season.objects.filter(pk=home.season.pk).update(ranking=Season.Ranking.BALANCE)
    enter(table, MADE)
    assert re.search(r"^Won most: \w+, \+CHF \d", shared(table, home.owner)[1])
    assert re.fullmatch(r"Won most: \w+\.?", shared(table, None)[1])


def test_payments_are_shared_a_line_each(home, table):
    enter(table, MADE)
    assert shared(table, home.owner, "evening-close") == []
    evening_close(evening=table.evening, author=home.owner, key=uuid.uuid4(), pot="kitty")
    first, *payments, last = shared(table, home.owner, "evening-close")
    assert (first.startswith(home.club.name), last) == (True, link(table))
    assert payments
    assert all(re.fullmatch(r"\w+ → \w+ CHF \d+\.\d\d", line) for line in payments)
