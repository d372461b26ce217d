"""The ledger of a club with every filter: the same rows as a plain query finds, read from an index."""

from __future__ import annotations

import itertools
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.db.models import Q
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.api import paging
from league.models import Account, Player, Posting, Transfer
from tests.api.api_client import ApiClient, key_for
from tests.api.test_frame_behaviour import walk
from tests.cast import Cast
from tests.factories import FAILED, MADE, WALKOVER, SeasonFactory, create_table, enter

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

RECORDS = (MADE, FAILED, WALKOVER)


@pytest.fixture
def asks(people: Cast) -> ApiClient:
    """Three evenings in two seasons of one club, whose rows alternate, and one of another club."""
    other = SeasonFactory(club=people.home.club, slug="2025")
    held = timezone.localdate()
    tables = [create_table(club=people.home.club, season=people.home.season, held_on=held - timedelta(days=2))]
    tables += [create_table(club=people.home.club, season=season) for season in (other, people.home.season)]
    tables.append(create_table(club=people.away.club, season=people.away.season))
    for record, table in itertools.product(RECORDS, tables):
        enter(table, record)
    return ApiClient(key=key_for(people.home.owner))


def plain(people: Cast, *, player: int = 0, evening: int = 0, season: str = "", kind: str = "") -> list[int]:
    """Return the ids of the transfers that these filters find."""
    transfers = Transfer.objects.filter(season__club=people.home.club)
    if player:
        accounts = list(Account.objects.filter(player=player, club=people.home.club).values_list("pk", flat=True))
        transfers = transfers.filter(Q(from_account__in=accounts) | Q(to_account__in=accounts))
    transfers = transfers.filter(posting__evening=evening) if evening else transfers
    transfers = transfers.filter(season__slug=season) if season else transfers
    transfers = transfers.filter(kind=kind) if kind else transfers
    return list(transfers.order_by("pk").values_list("pk", flat=True))


@pytest.mark.rest
def test_every_filter_finds_the_rows_of_a_plain_query(people, asks):
    mine, foreign = (
        Player.objects.filter(club=house.club, account__paid__isnull=False).earliest("pk").pk
        for house in (people.home, people.away)
    )
    evenings = sorted({posting.evening_id for posting in Posting.objects.all()})
    season = people.home.season.slug
    choices: dict[str, list[Any]] = {
        "player": [0, mine, foreign],
        "evening": [0, evenings[0], evenings[-1]],
        "season": ["", "2025", season, "nowhere"],
        "kind": ["", "ante", "payout", "paid"],
    }
    lengths = set()
    for values in itertools.product(*choices.values()):
        sent = {name: value for name, value in zip(choices, values, strict=True) if value}
        expected = plain(people, **sent)
        transfers = walk(asks, f"clubs/roessli/ledger?{urlencode(sent | {'limit': 7})}")
        assert [transfer["id"] for transfer in transfers] == expected, sent
        lengths.add(len(expected))
    assert len(lengths) > 10
    as_decimal = asks.get(f"clubs/roessli/ledger?player={mine}.0&evening={evenings[0]}.0&season=%20{season}%20")
    assert [transfer["id"] for transfer in as_decimal.json()["items"]] == plain(
        people, player=mine, evening=evenings[0]
    )


ACCOUNT = ("transfer_from_kind_id", "transfer_to_kind_id")
INDEXES = {
    "": ("transfer_season_id",),
    "season={season}": ("transfer_season_id",),
    "kind=paid": ("transfer_season_kind_id",),
    "season={season}&kind=paid": ("transfer_season_kind_id",),
    "player={player}": ACCOUNT,
    "player={player}&kind=paid": ACCOUNT,
    "player={player}&season={season}": ACCOUNT,
    "evening={evening}": ("league_posting_evening_id", "league_transfer_posting_id"),
}


def plan_of(people: Cast, asks: ApiClient, filters: str) -> str:
    """Return SQLite's plan of the statement that reads a page of the ledger."""
    player = Player.objects.filter(club=people.home.club, account__paid__isnull=False).earliest("pk").pk
    evening = Posting.objects.filter(club=people.home.club).earliest("created_at").evening_id
    sent = filters.format(player=player, evening=evening, season=people.home.season.slug)
    with CaptureQueriesContext(connection) as queries:
        page = asks.get(f"clubs/roessli/ledger?limit=2&{sent}").json()
        if page["next"]:
            assert asks.get(page["next"]).status_code == 200
    # The statement with the accounts is that of the page.
    statements = [query["sql"] for query in queries if "reason" in query["sql"] and "league_transfer" in query["sql"]]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {statements[-1]}")
        return "\n".join(line[3] for line in cursor.fetchall())


@pytest.mark.needs_sqlite
@pytest.mark.parametrize("filters", INDEXES)
def test_a_page_is_read_from_the_index_of_its_filters(people, asks, filters):
    plan = plan_of(people, asks, filters)
    assert [index for index in INDEXES[filters] if index not in plan] == []
    assert "SCAN league_transfer" not in plan


@pytest.mark.needs_sqlite
@pytest.mark.parametrize("filters", ["player={player}&kind=paid", "evening={evening}"])
def test_without_parts_a_page_would_read_the_rows_of_all(people, asks, filters, monkeypatch):
    monkeypatch.setattr(paging, "_in_one_of", lambda things, parts: things)
    plan = plan_of(people, asks, filters)
    assert any(index not in plan for index in INDEXES[filters])
