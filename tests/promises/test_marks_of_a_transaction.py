"""The postings of one transaction raise the mark of their season once, and all of them are counted. Hands of an import
store the state of their table once."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta

import pytest
from django.db import connection, transaction

from games.integrity import verify
from games.models import Table
from league.imports import services
from league.ledger.season_mark import mark_for_recount
from league.models import Season, SeasonCount, UncountedPosting
from league.standings import counting
from tests.cast import House
from tests.factories import FAILED, MADE, SeasonFactory, create_table, enter
from tests.imported import HANDS, club_of, uploaded

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

FEW = 3
"""The most versions of a season's row that a transaction may leave."""
HANDS_OF_ONE_TRANSACTION = 12
DAYS = 8


class GaveUp(Exception):
    """Rolls back to a savepoint."""


@contextmanager
def given_up() -> Iterator[None]:
    """Roll back what is done within."""
    try:
        with transaction.atomic():
            yield
            raise GaveUp
    except GaveUp:
        pass


def season_with_table() -> tuple[Season, Table]:
    season = SeasonFactory()
    table = create_table(season=season, held_on=date(2026, 10, 5))
    enter(table, MADE)
    counting.count_season(season.pk)
    return season, table


def mark_of(season: Season) -> int:
    return int(Season.objects.values_list("ledger_mark", flat=True).get(pk=season.pk))


def count(season: Season, ways: list[str]) -> str:
    """Count the season, compare it with a count from scratch, and return how it was counted."""
    del ways[:]
    counting.count_season(season.pk)
    assert SeasonCount.objects.get(season=season).counted_mark == mark_of(season)
    assert not UncountedPosting.objects.filter(season=season).exists()
    assert list(verify.differences([season])) == []
    return ways[0] if ways else "not"


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """How seasons were counted since the list was emptied."""
    used: list[str] = []
    for name in ("recount", "count_waiting"):
        function = getattr(counting, name)
        monkeypatch.setattr(counting, name, lambda *a, f=function, n=name, **k: used.append(n) or f(*a, **k))
    return used


def versions_of(table: str = "league_season") -> int:
    """The versions of rows of this database table that this transaction has left, as the server counts them."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT n_tup_upd FROM pg_stat_xact_user_tables WHERE relname = %s", [table])
        return int(cursor.fetchone()[0])


def versions_by_import(home: House, text: str) -> tuple[int, int]:
    """Import a file of hands; return the versions of rows of seasons and of card tables that it left."""
    upload = uploaded(home.season, home.owner, text, kind="hands")
    before = [versions_of(), versions_of("games_table")]
    services.import_store(upload=upload, author=home.owner, key=uuid.uuid4())
    return versions_of() - before[0], versions_of("games_table") - before[1]


@pytest.mark.needs_postgres
def test_many_hands_of_one_transaction_leave_one_version_of_their_season(ways):
    season, table = season_with_table()
    before = versions_of()
    for _nth in range(HANDS_OF_ONE_TRANSACTION):
        enter(table, MADE)
    assert versions_of() - before == 1
    assert UncountedPosting.objects.filter(season=season).count() == HANDS_OF_ONE_TRANSACTION
    assert count(season, ways) == "count_waiting"


@pytest.mark.needs_postgres
def test_an_import_of_many_evenings_leaves_few_versions_of_its_season():
    home = club_of("Anna", "Beni", "Carlo")
    first, *lines = HANDS.strip().splitlines()
    days = [(date(2026, 8, 7) + timedelta(days=7 * nth)).strftime("%d.%m.%Y") for nth in range(DAYS)]
    text = "\n".join([first, *(line.replace("7.8.2026", day) for day in days for line in lines)])
    seasons, _tables = versions_by_import(home, text)
    assert UncountedPosting.objects.filter(season=home.season).count() > 3 * DAYS
    assert seasons <= FEW


@pytest.mark.needs_postgres
def test_many_hands_of_an_imported_evening_leave_few_versions_of_their_table():
    home = club_of("Anna", "Beni", "Carlo")
    lines = [HANDS.splitlines()[0]]
    for number in range(1, HANDS_OF_ONE_TRANSACTION + 1):
        lines += [f"7.8.2026;{number};{name};weg;;-0.20;" for name in ("Anna", "Beni", "Carlo")]
    _seasons, tables = versions_by_import(home, "\n".join(lines))
    assert UncountedPosting.objects.filter(season=home.season).count() > HANDS_OF_ONE_TRANSACTION
    assert tables <= FEW


def test_a_hand_that_was_rolled_back_leaves_the_next_one_a_mark(ways):
    season, table = season_with_table()
    mark = mark_of(season)
    with given_up():
        enter(table, FAILED)
        assert mark_of(season) == mark + 1
    assert mark_of(season) == mark
    enter(table, MADE)
    assert mark_of(season) == mark + 1
    assert count(season, ways) == "count_waiting"


def test_a_hand_after_one_that_was_rolled_back_is_counted_with_those_before(ways):
    season, table = season_with_table()
    enter(table, MADE)
    with given_up():
        enter(table, FAILED)
    enter(table, MADE)
    assert count(season, ways) == "count_waiting"


def test_a_season_is_counted_from_scratch_if_one_of_several_marks_was_no_posting(ways):
    season, table = season_with_table()
    enter(table, MADE)
    mark_for_recount(season.pk)
    enter(table, FAILED)
    enter(table, MADE)
    assert count(season, ways) == "recount"
    mark_for_recount(season.pk)
    enter(table, MADE)
    assert count(season, ways) == "recount"
    with given_up():
        mark_for_recount(season.pk)
    enter(table, MADE)
    assert count(season, ways) == "count_waiting"


def test_hands_after_a_count_in_the_same_transaction_get_a_new_mark(ways):
    season, table = season_with_table()
    for record in (MADE, FAILED):
        enter(table, record)
        assert count(season, ways) == "count_waiting"


def test_each_season_of_a_transaction_has_its_own_mark(ways):
    pairs = [season_with_table() for _nth in range(2)]
    marks = [mark_of(season) for season, _table in pairs]
    for record in (MADE, FAILED):
        for _season, table in pairs:
            enter(table, record)
    assert all(mark_of(season) > mark for (season, _table), mark in zip(pairs, marks, strict=True))
    assert [count(season, ways) for season, _table in pairs] == ["count_waiting"] * 2


@pytest.mark.django_db(transaction=True)
def test_the_next_transaction_raises_the_mark_again(ways):
    season, table = season_with_table()
    mark = mark_of(season)
    for nth in (1, 2):
        with transaction.atomic():
            enter(table, MADE)
            enter(table, FAILED)
        shared = connection.vendor == "postgresql"
        assert mark_of(season) == mark + (nth if shared else 2 * nth)
    assert count(season, ways) == "count_waiting"
