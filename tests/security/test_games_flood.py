"""A flood of hands: the sender is refused for a while, and other clubs are not affected."""

from __future__ import annotations

import http.client
import json
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import pytest

from games.models import Hand, Table
from tests.api.api_client import ApiClient, is_problem, key_for
from tests.cast import Cast, cast
from tests.factories import MADE, body, create_table
from tests.processes import Process

pytestmark = [pytest.mark.rest, pytest.mark.both_databases]

HANDS = 25
FLOODERS = 3
LIMIT = 60
"""The allowed writes in a minute: fewer than in the product, so that the limit is reached soon."""


@dataclass
class Sender:
    """A program that enters hands on its own connection."""

    url: str
    key: str
    table: Table
    players: list[int] = field(default_factory=list)
    number: int = 0

    def __post_init__(self) -> None:
        self.players = body(self.table, MADE)["players"]
        self.connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=60)

    def enter(self) -> tuple[int, str]:
        """Enter the next hand; return status and Retry-After."""
        sent = {"number": self.number + 1, "players": self.players, "record": MADE}
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        headers["Idempotency-Key"] = str(uuid.uuid4())
        path = f"/api/v1/clubs/{self.table.evening.club.slug}/tables/{self.table.pk}/hands"
        self.connection.request("POST", path, json.dumps(sent), headers)
        answer = self.connection.getresponse()
        answer.read()
        self.number += answer.status == 201
        return answer.status, answer.headers.get("Retry-After", "")


@pytest.fixture
def people(transactional_db: None) -> Cast:
    people = cast()
    for house in (people.home, people.away):
        create_table(club=house.club, season=house.season)
    return people


def table_of(people: Cast, slug: str) -> Table:
    del people
    return Table.objects.select_related("evening__club").get(evening__club__slug=slug)


def flooded(server: Process, people: Cast) -> tuple[Counter[int], Counter[int], set[str]]:
    """Return the answers to the flood, those to another club beside it, and the flood's Retry-After."""
    away = Sender(server.url, key_for(people.away.recorder), table_of(people, "sternen"))
    stop, seen, waits = threading.Event(), Counter[int](), set[str]()
    key = key_for(people.home.recorder)
    senders = [Sender(server.url, key, table_of(people, "roessli")) for _ in range(FLOODERS)]

    def flood(sender: Sender) -> None:
        while not stop.is_set():
            status, wait = sender.enter()
            if status == 409:
                # Another sender was faster; take the next number.
                sender.number += 1
            seen[status] += 1
            waits.update({wait} if wait else ())

    threads = [threading.Thread(target=flood, args=(sender,)) for sender in senders]
    for thread in threads:
        thread.start()
    give_up = time.monotonic() + 60
    while seen[429] == 0 and seen[201] <= LIMIT + HANDS and time.monotonic() < give_up:
        time.sleep(0.05)
    beside = Counter(away.enter()[0] for _ in range(HANDS))
    stop.set()
    for thread in threads:
        thread.join()
    return seen, beside, waits


def test_a_flood_is_refused_for_a_while_and_another_club_is_not(web_server: Callable[..., Process], people: Cast):
    # The speed of the answers to the other club is measured in `bench`.
    seen, beside, waits = flooded(web_server(TEST_API_WRITES=str(LIMIT)), people)
    assert beside == {201: HANDS}
    assert seen[429] > 0
    # The limit of one minute, or of two if the next minute began.
    assert seen[201] <= 2 * LIMIT
    assert Hand.objects.filter(table__evening__club=people.home.club).count() == seen[201]
    assert all(1 <= int(wait) <= 60 for wait in waits)


def test_without_a_limit_the_whole_flood_is_stored(web_server: Callable[..., Process], people: Cast):
    seen, _beside, _waits = flooded(web_server(TEST_API_WRITES="0"), people)
    assert seen[429] == 0
    assert seen[201] > LIMIT


@pytest.mark.django_db
def test_limits_count_by_api_key_and_person_and_not_by_club(settings: Any, one_minute: None):
    settings.API_LIMITS = settings.API_LIMITS | {"key": {"read": 100, "write": 3}, "person": {"read": 100, "write": 6}}
    people = cast()
    table = create_table(club=people.home.club, season=people.home.season)
    url = f"clubs/roessli/tables/{table.pk}/hands"
    first, second = (ApiClient(key=key_for(people.home.recorder)) for _ in range(2))
    statuses = [first.post(url, body(table, MADE)).status_code for _ in range(4)]
    assert statuses == [201, 201, 201, 429]
    answer = first.post(url, body(table, MADE))
    assert is_problem(answer, 429, "throttled")
    assert int(answer["Retry-After"]) >= 1
    # Another API key of the same person counts towards the limit of the person, as did the first refused hand.
    assert [second.post(url, body(table, MADE)).status_code for _ in range(3)] == [201, 201, 429]
    assert ApiClient(key=key_for(people.home.owner)).post(url, body(table, MADE)).status_code == 201
    assert Hand.objects.count() == 6
