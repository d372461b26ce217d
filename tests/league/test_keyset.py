"""Long results are read in pages, each after the last row of the page before."""

from __future__ import annotations

import re

import pytest

from league import keyset
from league.models import Club, Player
from tests.factories import ClubFactory, PlayerFactory
from tests.processes import PROJECT

pytestmark = pytest.mark.django_db


@pytest.fixture
def players() -> list[Player]:
    """Seven players of two clubs; the nicknames of the clubs are the same."""
    clubs = [ClubFactory(), ClubFactory()]
    return [PlayerFactory(club=clubs[n % 2], nickname=f"Player {n // 2}") for n in range(7)]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8])
def test_all_rows_come_once_and_in_order(players, size):
    order = ("nickname", "club__slug")
    rows = list(keyset.each(Player.objects.select_related("club"), order, size))
    assert [row.pk for row in rows] == [row.pk for row in Player.objects.order_by(*order)]
    dicts = Player.objects.values("pk", *order)
    assert [row["pk"] for row in keyset.each(dicts, order, size)] == [row.pk for row in rows]


def test_a_page_is_one_query(players, django_assert_num_queries):
    with django_assert_num_queries(3):
        assert [len(page) for page in keyset.pages(Player.objects.all(), size=3)] == [3, 3, 1]
    with django_assert_num_queries(1):
        assert list(keyset.pages(Player.objects.none() | Player.objects.filter(pk=0))) == []


def test_rows_that_vanish_meanwhile_end_nothing(players):
    seen = []
    for row in keyset.each(Player.objects.all(), size=2):
        seen.append(row.pk)
        Player.objects.filter(pk__lte=row.pk).delete()
    assert seen == [player.pk for player in players]
    assert not Player.objects.exists()
    assert Club.objects.count() == 2


def test_nothing_reads_with_a_cursor_that_stays_open():
    """`.iterator()` would read everything at once on PostgreSQL, where it has no cursor in the server."""
    files = [path for room in ("league", "games") for path in (PROJECT / room).rglob("*.py")]
    assert [str(path) for path in files if re.search(r"\.iterator\(", path.read_text(encoding="utf-8"))] == []
    assert len(files) > 200
