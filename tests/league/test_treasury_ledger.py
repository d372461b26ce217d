"""The ledger as a page and as a file: the rows of a plain query, their sum, from an index, with a fixed number of
queries."""

from __future__ import annotations

import csv
import io
import itertools
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import Account, Player, Season, Transfer
from league.treasury import ledger_lines
from league.treasury.ledger_lines import LedgerFilters
from tests.cast import Cast, House
from tests.factories import FAILED, MADE
from tests.league.test_treasury import DAY, book, closed, reader, undone

pytestmark = pytest.mark.django_db


@pytest.fixture
def busy(people: Cast) -> House:
    home = people.home
    closed(home, FAILED, MADE, held_on=DAY - timedelta(days=3))
    closed(home, FAILED, held_on=DAY)
    closed(people.away, FAILED, held_on=DAY)
    book(home, day=DAY - timedelta(days=1))
    undone(home, book(home, "spent", 900, reason="Wrong", day=DAY))
    return home


def filters_of(home: House) -> list[LedgerFilters]:
    player = Account.objects.filter(club=home.club, player__isnull=False).earliest("pk").player_id
    days = (None, DAY - timedelta(days=1)), (None, DAY - timedelta(days=1))
    people = ((None, frozenset()), (player, frozenset([player])))
    return [
        LedgerFilters(first, last, *person, kind)
        for first, last, person, kind in itertools.product(*days, people, ("", "ante", "spent"))
    ]


def plain(home: House, filters: LedgerFilters) -> list[Transfer]:
    """Return the same transfers without any index: each one is asked for."""
    transfers = []
    for transfer in Transfer.objects.filter(season__club=home.club).order_by("-pk"):
        day = ledger_lines._day(transfer.posting)
        ends = {transfer.from_account.player_id, transfer.to_account.player_id}
        of_whom = filters.kind in ("", transfer.kind) and (not filters.players or ends & filters.players)
        if of_whom and (filters.first or day) <= day <= (filters.last or day):
            transfers.append(transfer)
    return transfers


@pytest.mark.rest
@pytest.mark.both_databases
def test_each_filter_finds_the_rows_of_a_plain_query_with_their_sum(busy: House) -> None:
    for filters in filters_of(busy):
        wanted = plain(busy, filters)
        numbers, before = [], None
        while True:
            page = ledger_lines.read(busy.club, filters, before, size=7)
            assert (page.count, page.amount_minor) == (len(wanted), sum(transfer.amount_minor for transfer in wanted))
            numbers += [line.pk for line in page.lines]
            before = page.older
            if before is None:
                break
        assert numbers == [transfer.pk for transfer in wanted], filters
    assert ledger_lines.read(busy.club, LedgerFilters(kind="spent")).count == 2
    Season.objects.filter(pk=busy.season.pk).update(points_only=True)
    assert {ledger_lines.read(busy.club, filters).count for filters in filters_of(busy)} == {0}


@pytest.mark.both_databases
def test_each_filter_is_read_from_an_index(busy: House) -> None:
    scan = "SCAN league_transfer" if connection.vendor == "sqlite" else "Seq Scan on league_transfer"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # The tables of a test are so small that reading all of them is cheapest.
            cursor.execute("SET LOCAL enable_seqscan = off")
        for filters in filters_of(busy):
            plan = ledger_lines.transfers(busy.club, filters).order_by().explain()
            assert scan not in "".join(line for line in plan.splitlines() if "USING" not in line), (filters, plan)


@pytest.mark.rest
@pytest.mark.servers_only
def test_a_page_of_a_period_or_a_person_is_sorted(busy: House) -> None:
    """PostgreSQL would read the transfers in the order of their key, and filter nearly all of them away."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_sort = off")
    for filters in filters_of(busy):
        rows = ledger_lines.transfers(busy.club, filters)
        plan = ledger_lines.newest_first(rows, filters).values_list("pk", flat=True)[:2].explain()
        assert ("Sort Key" in plan) == bool(filters.dated or filters.players), (filters, plan)


def test_the_page_has_a_fixed_number_of_queries_and_links_to_each_hand(busy: House) -> None:
    client = reader(busy.treasurer)
    url = reverse("treasury-ledger", kwargs={"club": busy.club.slug})
    with CaptureQueriesContext(
        connection,
    ) as few:
        page = client.get(url, {"from": "", "to": ""})
    assert "#hand-1-1" in page.content.decode()
    assert "Wrong" in page.content.decode()
    for number in range(4):
        closed(busy, FAILED, held_on=DAY - timedelta(days=number + 5))
    with CaptureQueriesContext(connection) as many:
        client.get(url, {"from": "", "to": ""})
    assert len(many) == len(few)
    # An address without days begins with the season; another club's player is nobody.
    assert client.get(url).context["filters"].first == busy.season.starts_on
    stranger = Player.objects.exclude(club=busy.club).earliest("pk")
    assert client.get(url, {"player": stranger.pk}).context["filters"].player is None
    assert client.get(url, {"for": "pdf"}).status_code == 404


def test_the_file_has_the_rows_of_the_page_and_their_sum(busy: House) -> None:
    client = reader(busy.treasurer)
    url = reverse("treasury-ledger", kwargs={"club": busy.club.slug})
    sent = {"from": (DAY - timedelta(days=1)).isoformat(), "to": DAY.isoformat(), "for": "csv"}
    text = b"".join(client.get(url, sent).streaming_content).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    page = client.get(url, {**sent, "for": ""}).context["page"]
    assert [int(row["transfer_id"]) for row in rows][::-1][:50] == [line.pk for line in page.lines]
    assert sum(int(row["amount_minor"]) for row in rows) == page.amount_minor
    assert {row["held_on"] for row in rows if row["kind"] == "spent"} == {DAY.isoformat()}
    excel = b"".join(client.get(url, {**sent, "for": "excel"}).streaming_content).decode().splitlines()
    assert excel[-1].startswith('"Sum";')
    assert f";{page.amount_minor / 100:.2f};" in excel[-1]
