"""The kitty and the open balances through the API."""

from __future__ import annotations

import uuid

import pytest

from games.closing.services import evening_close
from league.models import Player
from league.treasury import books
from tests.api.api_client import ApiClient, done, is_problem, key_for
from tests.api.test_frame_behaviour import walk
from tests.cast import Cast
from tests.factories import FAILED, PlayerFactory, create_table, enter

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
    assert [entry["id"] for entry in walk(asks, "clubs/roessli/kitty/entries?limit=1")] == [second["id"], first["id"]]
    assert [entry["id"] for entry in walk(asks, "clubs/roessli/kitty/entries?until=2026-11-20")] == [first["id"]]
    assert done(asks.post(f"clubs/roessli/kitty/entries/{second['id']}/undo"))["undone"]
    assert is_problem(asks.post(f"clubs/roessli/kitty/entries/{second['id']}/undo"), 409, "undone")
    assert done(asks.get("clubs/roessli/kitty"))["kitty"]["there_minor"] == 5000
    ledger = walk(asks, "clubs/roessli/ledger?kind=spent")
    assert [(transfer["evening"], transfer["amount_minor"]) for transfer in ledger] == [(None, 1200), (None, 1200)]


def test_open_balances_add_up(people: Cast) -> None:
    table = create_table(club=people.home.club, season=people.home.season)
    enter(table, FAILED)
    evening_close(evening=table.evening, author=None, key=uuid.uuid4(), pot="kitty")
    balances = done(ApiClient(key=key_for(people.home.treasurer)).get("clubs/roessli/open-balances"))
    assert sum(balance["total_minor"] for balance in balances["items"]) == 0
    assert balances["outstanding_minor"] == sum(balance["gets_minor"] for balance in balances["items"]) > 0
    assert {balance["player"] for balance in balances["items"]} <= {None, *Player.objects.values_list("pk", flat=True)}


def test_lists_of_money_have_sums_and_books_have_balances(people: Cast) -> None:
    asks = ApiClient(key=key_for(people.home.treasurer))
    table = create_table(club=people.home.club, season=people.home.season)
    enter(table, FAILED)
    evening_close(evening=table.evening, author=None, key=uuid.uuid4(), pot="kitty")
    for sent in (BODY, BODY | {"day": "2026-11-21", "kind": "spent", "amount_minor": 700}):
        done(asks.post("clubs/roessli/kitty/entries", sent))
    wrong = done(asks.post("clubs/roessli/kitty/entries", BODY))
    done(asks.post(f"clubs/roessli/kitty/entries/{wrong['id']}/undo"))
    page = done(asks.get("clubs/roessli/kitty/entries?sums=true&limit=1"))
    assert page["sums"] == {
        "count": 2,
        "brought_minor": 5000,
        "spent_minor": 700,
        "fees_minor": 0,
        "difference_minor": 4300,
    }
    assert "sums" not in done(asks.get("clubs/roessli/kitty/entries"))
    player = Player.objects.filter(club=people.home.club, account__isnull=False).earliest("pk").pk
    for query in ("", "&kind=ante", f"&player={player}", "&season=2026", f"&evening={table.evening.pk}"):
        rows = walk(asks, f"clubs/roessli/ledger?limit=7{query}")
        sums = done(asks.get(f"clubs/roessli/ledger?sums=true{query}"))["sums"]
        assert sums == {"count": len(rows), "amount_minor": sum(transfer["amount_minor"] for transfer in rows)}
    balances = done(asks.get("clubs/roessli/balances"))
    assert balances["sum_minor"] == sum(balance["balance_minor"] for balance in balances["items"])
    balances = done(asks.get("clubs/roessli/open-balances"))
    for name in ("gets_minor", "pays_minor", "running_minor", "total_minor"):
        assert balances[name] == sum(balance[name] for balance in balances["items"])


def test_a_book_is_read_in_pages_with_its_balances(people: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    asks = ApiClient(key=key_for(people.home.treasurer))
    for day in (18, 19, 20):
        done(asks.post("clubs/roessli/kitty/entries", BODY | {"amount_minor": day, "day": f"2026-11-{day}"}))
    monkeypatch.setattr(books.read, "__defaults__", (None, 1))
    first = done(asks.get("clubs/roessli/books?since=2026-11-19"))
    assert (first["opening_minor"], first["closing_minor"], first["count"], first["in_minor"]) == (18, 57, 2, 39)
    second = done(asks.get(first["next"].removeprefix("/api/v1/")))
    assert [entry["in_minor"] for entry in (*first["items"], *second["items"])] == [20, 19]
    assert (second["next"], second["closing_minor"]) == (None, 57)
    for book in ("box", "payments", "evenings"):
        assert done(asks.get(f"clubs/roessli/books?book={book}"))["items"] == []
    assert done(asks.get("clubs/roessli/books?book=payments"))["closing_minor"] is None
    for query in ("after=2026-02-30.1", "after=x", "book=all", "since=2026-11-20&until=2026-11-19"):
        assert asks.get(f"clubs/roessli/books?{query}").status_code == 400
    stranger = PlayerFactory(club=people.away.club).pk
    assert asks.get(f"clubs/roessli/books?player={stranger}").status_code == 404
    year = done(asks.get("clubs/roessli/annual-account?since=2026-11-19&until=2026-11-20"))
    assert (year["kitty"]["opening_minor"], year["kitty"]["closing_minor"], year["agrees"]) == (18, 57, True)
    assert [entry["amount_minor"] for entry in year["income"]] == [39]
