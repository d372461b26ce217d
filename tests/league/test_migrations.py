"""Databases of earlier versions: their migrations are replaced by one for each app."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.exceptions import NodeNotFoundError
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

FIRST = [("league", "0001_tables"), ("games", "0001_tables")]


def plan() -> list[str]:
    executor = MigrationExecutor(connection)
    return [str(migration) for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]


def test_a_database_with_all_earlier_migrations_is_recorded():
    recorder = MigrationRecorder(connection)
    for app, name in FIRST:
        recorder.record_unapplied(app, name)
    assert plan() == []
    call_command("migrate", verbosity=0)
    assert set(FIRST) <= set(recorder.applied_migrations())


@pytest.mark.parametrize("last", ["0016_club_publishes_rules", "0001_initial"])
def test_a_database_with_a_part_of_them_is_refused(last):
    recorder = MigrationRecorder(connection)
    for app, name in [*FIRST, ("league", last)]:
        recorder.record_unapplied(app, name)
    with pytest.raises(NodeNotFoundError, match="some of the replaced migrations are already applied"):
        plan()


WITHOUT_OWN_INDEX = [
    ("league_transfer", ("season_id", "from_account_id", "to_account_id")),
    ("league_resultrow", ("season_id", "evening_id", "player_id")),
    ("games_revision", ("correction_id",)),
]


@pytest.mark.parametrize(("table", "columns"), WITHOUT_OWN_INDEX)
def test_a_foreign_key_has_an_index_but_not_two(table, columns):
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, table)
    for column in columns:
        named = [name for name, one in found.items() if one["index"] and one["columns"][0] == column]
        assert named
        # Names as Django gives them to the index of a foreign key.
        assert [name for name in named if name.startswith(f"{table}_{column}_")] == []
