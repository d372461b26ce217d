"""The number of queries of every page, of every read of the API and of the writes: one more is a decision."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Table
from league.models import User
from tests.cast import Cast, cast
from tests.cell_checks import own_cache_keys
from tests.clients import forget_pages
from tests.factories import FAILED, MADE, WITH_CARDS, create_table, enter, void
from tests.league.test_access_permissions import more_of, things
from tests.league.test_page_versions import closed, corrected, counted, merged, renamed, seated
from tests.permissions import ROUTES, Anyone, ApiClub, Club, Own

pytestmark = [pytest.mark.django_db, pytest.mark.needs_sqlite]

COUNTS = Path(__file__).parent.parent / "data" / "query_counts.json"
"""The queries of an owner and of a visitor for each route, while no page is kept; and those of each write."""

WRITES: dict[str, Callable[[Table], object]] = {
    "enter a hand": lambda table: enter(table, MADE),
    "undo a hand": void,
    "enter it again": lambda table: enter(table, FAILED),
    "count": counted,
    "correct a hand": corrected,
    "change the seats": seated,
    "rename a player": renamed,
    "merge two players": merged,
    "close the evening": closed,
}


@pytest.fixture
def people() -> Cast:
    made = cast()
    for house in (made.home, made.away):
        table = create_table(club=house.club, season=house.season)
        for record in (WITH_CARDS, MADE, FAILED):
            enter(table, record)
    return made


def addresses(people: Cast) -> Iterator[tuple[str, str]]:
    """Every route that can be read without a personal link."""
    known = things(people.home)
    for name, route in ROUTES.items():
        if isinstance(route, Club | ApiClub) and "GET" in route.rights and route.names in known:
            yield name, reverse(name, kwargs={"club": people.home.club.slug, **known[route.names], **more_of(name)})
        elif isinstance(route, Anyone | Own) and "GET" in route.methods and not getattr(route, "names", ""):
            yield name, reverse(name)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_every_route_and_every_write_has_its_number_of_queries(people):
    clients = (signed_in(people.home.owner), Client())
    for client in clients:
        # The first request may count as the use of a session; the first look at this page stores the mail address.
        client.get(reverse("account_email"))
    # Django asks the database for this once in a process.
    assert connection.features.supports_json_field
    counts: dict[str, Any] = {name: [reading(client, url) for client in clients] for name, url in addresses(people)}
    table = Table.objects.get(evening__club=people.home.club)
    for name, write in WRITES.items():
        with CaptureQueriesContext(connection) as made:
            write(table)
        counts[name] = len(made)
        table = Table.objects.get(pk=table.pk)
    known = json.loads(COUNTS.read_text())
    assert len(known) > 90
    assert {name: count for name, count in counts.items() if known.get(name) != count} == {}
    assert set(known) == set(counts)


def reading(client: Client, url: str) -> int:
    """The queries of one reading."""
    # A refusal by a limit would have no queries.
    with own_cache_keys():
        forget_pages()
        with CaptureQueriesContext(connection) as made:
            client.get(url)
    return len(made)
