"""Migrations: a new database, the way back, rows that later migrations find, and databases from before 0.1.0."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection
from django.db.migrations.exceptions import InconsistentMigrationHistory
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from league.management.commands import migrate, serve
from league.models import Posting, Transfer
from tests.factories import MADE, create_table, enter

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

OURS = ("league", "games")


def plan() -> list[str]:
    executor = MigrationExecutor(connection)
    return [str(migration) for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]


def record(*, applied: list[tuple[str, str]]) -> None:
    """Record these migrations of the league and the games as applied, and no others."""
    recorder = MigrationRecorder(connection)
    recorder.migration_qs.filter(app__in=OURS).delete()
    for app, name in applied:
        recorder.record_applied(app, name)


def test_no_migration_is_missing() -> None:
    assert plan() == []
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


FIRST_COMMITS = [("league", "0001_initial"), ("league", "0002_triggers"), ("league", "0003_kratzen")]
LAST_COMMITS = [("league", "0001_tables"), ("league", "0033_names_in_the_hall"), ("games", "0001_tables")]
BEFORE = {"first commits": FIRST_COMMITS, "last commits": LAST_COMMITS, "both": FIRST_COMMITS + LAST_COMMITS}


@pytest.mark.parametrize("applied", BEFORE.values(), ids=BEFORE)
@pytest.mark.parametrize("way", ["migrate", "serve"])
def test_a_database_from_before_the_first_release_is_refused(applied: list[tuple[str, str]], way: str) -> None:
    record(applied=applied)
    with pytest.raises(CommandError) as refused:
        call_command("migrate", verbosity=0) if way == "migrate" else serve.migrate()
    assert str(refused.value) == (
        "This database is from before version 0.1.0 and cannot be migrated: keep it with the last commit before that, "
        "or export its hands there and import them into a new database (docs/deploy.md, Upgrading)."
    )


def test_without_the_guard_django_names_a_fault_but_no_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "BEFORE_THE_FIRST_RELEASE", set())
    record(applied=LAST_COMMITS)
    with pytest.raises(InconsistentMigrationHistory, match=r"is applied before its dependency league\.0001_initial"):
        call_command("migrate", verbosity=0)


def triggers() -> set[str]:
    query = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    if connection.vendor == "postgresql":
        query = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal"
    with connection.cursor() as cursor:
        cursor.execute(query)
        return {name for (name,) in cursor.fetchall()}


@pytest.mark.rest
@pytest.mark.django_db(transaction=True)
def test_rows_of_the_first_tables_survive_the_way_back_and_forward() -> None:
    enter(create_table(), MADE)
    postings = set(Posting.objects.values_list("pk", flat=True))
    transfers = set(Transfer.objects.values_list("pk", "amount_minor"))
    before = triggers()
    try:
        call_command("migrate", "league", "0001_initial", verbosity=0)
        assert triggers() == set()
        Posting.objects.update(reason="changed")
    finally:
        call_command("migrate", verbosity=0)
    assert triggers() == before != set()
    assert set(Posting.objects.values_list("pk", flat=True)) == postings
    assert set(Transfer.objects.values_list("pk", "amount_minor")) == transfers
    with pytest.raises(DatabaseError, match="append-only"):
        Posting.objects.update(reason="changed again")


WITHOUT_OWN_INDEX = [
    ("league_transfer", ("season_id", "from_account_id", "to_account_id")),
    ("league_resultrow", ("season_id", "evening_id", "player_id")),
    ("games_revision", ("correction_id",)),
]


@pytest.mark.parametrize(("table", "columns"), WITHOUT_OWN_INDEX)
def test_a_foreign_key_has_an_index_but_not_two(table: str, columns: tuple[str, ...]) -> None:
    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, table)
    for column in columns:
        named = [
            name
            for name, constraint in constraints.items()
            if constraint["index"] and constraint["columns"][0] == column
        ]
        assert named
        # Names as Django gives them to the index of a foreign key.
        assert [name for name in named if name.startswith(f"{table}_{column}_")] == []
