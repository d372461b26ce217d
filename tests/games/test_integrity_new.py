"""`verify --new` checks the parts that changed since they last agreed; `--jobs` shares the work among processes."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import F

from games.integrity import tables, verified, verify
from games.models import Table, Verified
from league.models import Evening, Season
from league.standings.counting import count_season
from tests.factories import FAILED, MADE, PASSED_OUT, create_table, enter, void
from tests.processes import Process

pytestmark = pytest.mark.django_db


@pytest.fixture
def two_evenings() -> tuple[Table, Table]:
    """Two evenings of two clubs, counted."""
    both = create_table(), create_table()
    for table in both:
        for record in (MADE, FAILED, PASSED_OUT):
            enter(table, record)
        void(table)
    count_all()
    return both


def count_all() -> None:
    for season in Season.objects.all():
        count_season(season.pk)


def run(*options: str) -> str:
    """Run the command, and return its output."""
    out = StringIO()
    try:
        call_command("verify", *options, stdout=out, stderr=StringIO())
    except SystemExit as stop:
        out.write(f"status {stop.code}")
    return out.getvalue()


def spoil(table: Table, by: int = 5) -> None:
    Table.objects.filter(pk=table.pk).update(pot_minor=F("pot_minor") + by)


def test_a_part_that_agreed_is_left_out_until_a_row_is_stored(two_evenings):
    table, _other = two_evenings
    assert run("--new").startswith("2 of 2 evenings are new")
    assert run("--new").startswith("0 of 2 evenings are new")
    enter(table, MADE)
    printed = run("--new")
    assert printed.startswith("1 of 2 evenings are new")
    assert "Everything new agrees with the records (1 of 2 evenings)" in printed
    assert {part.kind for part in verified.only_new(verify.parts())} == {"players"}
    count_all()
    kinds = [part.kind for part in verified.only_new(verify.parts())]
    assert kinds == ["season", "players"], "a new count is new"


def test_a_part_that_differs_is_new_until_it_agrees(two_evenings):
    table, _other = two_evenings
    run()
    spoil(table)
    assert "agrees" in run("--new"), "a change that no hand explains is found by the whole check only"
    assert f"table {table.pk}: the ledger has" in run()
    for _ in range(2):
        assert f"table {table.pk}: the ledger has" in run("--new")
    spoil(table, -5)
    assert "1 of 2 evenings" in run("--new")
    assert "0 of 2 evenings" in run("--new")


def test_other_code_makes_everything_new(two_evenings, monkeypatch):
    run()
    assert len(verified.only_new(verify.parts())) == 1
    monkeypatch.setattr(verified, "_code", lambda: "other")
    assert len(verified.only_new(verify.parts())) == len(verify.parts())


def test_the_progress_names_hands_and_evenings(two_evenings):
    assert "4 of 4 hands (evening" in run()


def test_the_number_of_queries_does_not_grow_with_the_hands(django_assert_max_num_queries):
    table = create_table()
    for _ in range(30):
        enter(table, FAILED)
    evening = Evening.objects.get()
    with django_assert_max_num_queries(20):
        assert list(tables.differences(evening)) == []


def test_a_long_table_is_read_in_pages(two_evenings, monkeypatch):
    table = two_evenings[0]
    whole = [hand.number for hand in tables.hands_of(table)]
    monkeypatch.setattr(tables, "HANDS_AT_ONCE", 1)
    assert [hand.number for hand in tables.hands_of(table)] == whole == [1, 2, 3]
    assert list(verify.differences()) == []


@pytest.mark.needs_postgres
@pytest.mark.django_db(transaction=True)
def test_two_processes_find_the_same(two_evenings, start_process: Callable[..., Process]):
    for table in two_evenings:
        spoil(table)
    expected = list(verify.differences())
    assert len(expected) >= 4
    process = start_process("manage.py", "verify", "--jobs", "2")
    assert process.process.wait(60) == 1
    printed = process.output().splitlines()
    assert [line for line in printed if line in expected] == expected
    assert f"{len(expected)} differences" in printed
    assert {row.subject.partition(":")[0] for row in Verified.objects.all()} == {"season", "players"}


def test_on_sqlite_one_process_does_all(two_evenings, monkeypatch):
    if connection.vendor == "sqlite":
        monkeypatch.setattr(verify, "ProcessPoolExecutor", None)
        assert "agrees" in run("--jobs", "4")
