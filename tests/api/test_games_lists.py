"""The lists of one evening come in pages, as every list does; nothing is left out or repeated if the list grows."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from games.models import Table
from league.api import paging
from league.models import Player
from tests.api.api_client import ApiClient, at, done, is_problem, key_for
from tests.cast import Cast
from tests.factories import FAILED, MADE, WALKOVER, body, enter

pytestmark = pytest.mark.django_db

RECORDS = (MADE, WALKOVER, FAILED)


def corrections(api: ApiClient, table: Table) -> Iterator[None]:
    """Correct hand 1, again and again."""
    for turn in range(9):
        sent = {"kind": "changed", "number": 1, "players": body(table, MADE)["players"], "record": RECORDS[turn % 3]}
        done(api.post(at(table, "/corrections"), sent))
        yield


def changes(api: ApiClient, table: Table) -> Iterator[None]:
    """Pause the table and continue, again and again."""
    for turn in range(9):
        done(api.post(at(table, "/seating-changes"), {"kind": "resume" if turn % 2 else "pause"}))
        yield


def disputer(table: Table) -> tuple[int, ApiClient]:
    """Return a player of the table, and the API with a key of that player's person."""
    player = Player.objects.get(pk=body(table, MADE)["players"][0])
    return player.pk, ApiClient(key=key_for(player.user, "read", "record"))


def disputes(api: ApiClient, table: Table) -> Iterator[None]:
    """Let a player dispute hand 1 and withdraw that, again and again."""
    player, member = disputer(table)
    for _ in range(9):
        done(member.post(at(table, "/hands/1/disputes"), {"player": player, "text": "Beni joined."}))
        yield
        done(member.post(at(table, "/hands/1/disputes/withdraw"), {"player": player}))


def unsettled(api: ApiClient, table: Table) -> Iterator[None]:
    """Let a player dispute one hand after another."""
    player, member = disputer(table)
    for turn in range(9):
        enter(table, MADE)
        done(member.post(at(table, f"/hands/{turn + 2}/disputes"), {"player": player, "text": "No."}))
        yield


Grow = Callable[[ApiClient, Table], Iterator[None]]
LISTS: dict[str, tuple[Grow, str, bool]] = {
    "corrections": (corrections, "clubs/roessli/evenings/EVENING/corrections", True),
    "history": (corrections, "clubs/roessli/tables/TABLE/hands/1/history", True),
    "timeline": (changes, "clubs/roessli/tables/TABLE/seating-changes", True),
    "disputes": (disputes, "clubs/roessli/tables/TABLE/hands/1/disputes", False),
    "unsettled disputes": (unsettled, "clubs/roessli/disputes", False),
}


@pytest.fixture
def grow(people: Cast, api: ApiClient, table: Table, request: Any) -> tuple[Callable[[], None], str, bool]:
    """Return a function that adds one item to a list, its address, and True if it is newest first. It has four
    items."""
    make, path, newest_first = LISTS[request.param]
    enter(table, FAILED)
    Player.objects.filter(pk=body(table, MADE)["players"][0]).update(user=people.home.member)
    growing = make(api, table)

    def one_more() -> None:
        next(growing)

    for _ in range(4):
        one_more()
    return one_more, path.replace("EVENING", str(table.evening_id)).replace("TABLE", str(table.pk)), newest_first


def pages(api: ApiClient, path: str, between: Callable[[], None] = lambda: None) -> list[Any]:
    """Return the items of a list, read in pages of two. `between`: an action after the first page."""
    first = done(api.get(f"{path}?limit=2"))
    items, address = list(first["items"]), first["next"]
    between()
    while address:
        got = done(api.get(address))
        assert len(got["items"]) <= 2
        items, address = items + got["items"], got["next"]
    return items


@pytest.mark.parametrize("grow", LISTS, indirect=True)
def test_a_list_comes_in_pages(api: ApiClient, grow: Any):
    _one_more, path, _newest_first = grow
    whole = done(api.get(path))
    assert whole["next"] is None
    assert len(whole["items"]) >= 4
    assert pages(api, path) == whole["items"]


@pytest.mark.parametrize("grow", LISTS, indirect=True)
def test_nothing_is_left_out_or_repeated_if_the_list_grows(api: ApiClient, grow: Any):
    one_more, path, newest_first = grow
    before = [item["at"] for item in done(api.get(path))["items"]]
    read = [item["at"] for item in pages(api, path, one_more)]
    assert (read if newest_first else read[: len(before)]) == before


@pytest.mark.parametrize("place", ["", "x", "-1", "1.5"])
def test_an_invalid_place_is_refused(api: ApiClient, table: Table, place: str):
    enter(table, MADE)
    after = base64.urlsafe_b64encode(f'["{place}"]'.encode()).decode()
    for path in ("/seating-changes", "/hands/1/history"):
        assert is_problem(api.get(at(table, f"{path}?after={after}")), 400)
        assert is_problem(api.get(at(table, f"{path}?after={place}")), 400)


def test_without_the_limit_a_list_would_be_whole(api: ApiClient, table: Table, monkeypatch: pytest.MonkeyPatch):
    for _ in changes(api, table):
        pass
    assert len(done(api.get(at(table, "/seating-changes?limit=2")))["items"]) == 2
    monkeypatch.setattr(paging, "limit_of", lambda request: 100)
    assert len(done(api.get(at(table, "/seating-changes?limit=2")))["items"]) == 9
