"""The kitty and the open balances through the API."""

from __future__ import annotations

import uuid

import pytest

from games.closing.services import evening_close
from league.models import Player
from tests.api.api_client import ApiClient, done, is_problem, key_for
from tests.api.test_frame_behaviour import walk
from tests.cast import Cast
from tests.factories import FAILED, create_table, enter

pytestmark = [pytest.mark.django_db]

BODY = {"kind": "brought", "amount_minor": 5000, "reason": "Dues", "day": "2026-11-20"}


def test_the_kitty_is_booked_and_undone(people: Cast) -> None:
    asks = ApiClient(key=key_for(people.home.treasurer))
    key = uuid.uuid4()
    first = done(asks.post("clubs/roessli/kitty/entries", BODY, key=key))
    assert done(asks.post("clubs/roessli/kitty/entries", BODY, key=key)) == first
    spent = BODY | {"kind": "spent", "amount_minor": 1200, "day": "2026-11-21"}
    second = done(asks.post("clubs/roessli/kitty/entries", spent))
    assert is_problem(asks.post("clubs/roessli/kitty/entries", spent | {"amount_minor": 10_000}), 409, "kitty")
    assert done(asks.get("clubs/roessli/kitty"))["kitty"]["there_minor"] == 3800
    assert [one["id"] for one in walk(asks, "clubs/roessli/kitty/entries?limit=1")] == [second["id"], first["id"]]
    assert [one["id"] for one in walk(asks, "clubs/roessli/kitty/entries?until=2026-11-20")] == [first["id"]]
    assert done(asks.post(f"clubs/roessli/kitty/entries/{second['id']}/undo"))["undone"]
    assert is_problem(asks.post(f"clubs/roessli/kitty/entries/{second['id']}/undo"), 409, "undone")
    assert done(asks.get("clubs/roessli/kitty"))["kitty"]["there_minor"] == 5000
    ledger = walk(asks, "clubs/roessli/ledger?kind=spent")
    assert [(one["evening"], one["amount_minor"]) for one in ledger] == [(None, 1200), (None, 1200)]


def test_open_balances_add_up(people: Cast) -> None:
    table = create_table(club=people.home.club, season=people.home.season)
    enter(table, FAILED)
    evening_close(evening=table.evening, author=None, key=uuid.uuid4(), pot="kitty")
    found = done(ApiClient(key=key_for(people.home.treasurer)).get("clubs/roessli/open-balances"))
    assert sum(one["total_minor"] for one in found["items"]) == 0
    assert found["outstanding_minor"] == sum(one["gets_minor"] for one in found["items"]) > 0
    assert {one["player"] for one in found["items"]} <= {None, *Player.objects.values_list("pk", flat=True)}
