"""A migration only adds, so that the program of the version before runs on the new tables: an upgrade has no gap.

Expand, backfill, contract: a version adds a column that rows may leave out; the next one fills it and reads it; a later
one removes what nobody uses any more, and is named in `CONTRACTS` with the version that stopped to use it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation

FROM = {"league": 13, "games": 5}
"""The first migrations after 0.2.0. Those before it were not made for an upgrade without a gap."""
CONTRACTS: dict[tuple[str, str], str] = {}
"""Migrations that remove, and the released version whose program no longer used what they remove."""

REMOVES = (migrations.DeleteModel, migrations.RemoveField)
RENAMES = (migrations.RenameModel, migrations.RenameField, migrations.AlterModelTable)

ADDS = (migrations.AddField, migrations.AlterField)

Before = Callable[[str, str], bool]
"""Says if the column of a table may be left out before the migration."""


def faults(operations: list[Operation], optional: Before, made_here: set[str] | None = None) -> Iterator[str]:
    """Yield what the program of the version before would stumble over."""
    made = set(made_here or ())
    for operation in operations:
        name = type(operation).__name__
        table = str(getattr(operation, "model_name", getattr(operation, "name", ""))).lower()
        if isinstance(operation, migrations.CreateModel):
            made.add(table)
        elif isinstance(operation, migrations.SeparateDatabaseAndState):
            yield from faults(operation.database_operations, optional, made)
        elif table in made:
            # Nobody uses a table that is new.
            continue
        elif isinstance(operation, REMOVES):
            yield f"{name} {table}: it removes what the version before reads"
        elif isinstance(operation, RENAMES):
            yield f"{name} {table}: the version before knows the old name only"
        elif (
            isinstance(operation, ADDS)
            and needs_a_value(operation.field)
            and (is_added(operation) or optional(table, operation.name))
        ):
            yield f"{name} {table}.{operation.name}: the version before leaves it out (null, or db_default)"


def is_added(operation: Operation) -> bool:
    return isinstance(operation, migrations.AddField)


def needs_a_value(field: models.Field) -> bool:  # type: ignore[type-arg]
    """Return True if the database refuses a row without this column: Django's `default` is only the program's."""
    return not (field.null or field.many_to_many or field.has_db_default() or getattr(field, "generated", False))


def before(loader: MigrationLoader, migration: migrations.Migration) -> Before:
    """Return the state of the columns before a migration."""

    def optional(table: str, column: str) -> bool:
        parents = loader.graph.node_map[migration.app_label, migration.name].parents
        state = loader.project_state([parent.key for parent in parents])
        return not needs_a_value(state.models[migration.app_label, table].fields[column])

    return optional


def is_new(app: str, name: str) -> bool:
    return app in FROM and int(name.split("_")[0]) >= FROM[app]


def test_each_migration_after_the_first_release_only_adds() -> None:
    problems, loader = [], MigrationLoader(None)
    for (app, name), migration in loader.disk_migrations.items():
        if is_new(app, name) and (app, name) not in CONTRACTS:
            problems += [f"{app}.{name}: {fault}" for fault in faults(migration.operations, before(loader, migration))]
    assert problems == []


def test_what_is_named_as_a_contract_is_there() -> None:
    assert set(CONTRACTS) <= set(MigrationLoader(None).disk_migrations)


@pytest.mark.parametrize(
    ("operation", "fault"),
    [
        (migrations.RemoveField("club", "slug"), "it removes"),
        (migrations.DeleteModel("Club"), "it removes"),
        (migrations.RenameField("club", "slug", "short"), "the old name only"),
        (migrations.RenameModel("Club", "Society"), "the old name only"),
        (migrations.AlterModelTable("Club", "society"), "the old name only"),
        (migrations.AddField("club", "motto", models.TextField()), "leaves it out"),
        # The default of Django is not in the table.
        (migrations.AddField("club", "motto", models.TextField(default="")), "leaves it out"),
        (migrations.AlterField("club", "motto", models.TextField(default="")), "leaves it out"),
        (migrations.SeparateDatabaseAndState([migrations.RemoveField("club", "slug")]), "it removes"),
    ],
)
def test_a_migration_that_takes_something_away_is_found(operation: Operation, fault: str) -> None:
    """The twins."""
    [problem] = faults([operation], lambda table, column: True)
    assert fault in problem


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddField("club", "motto", models.TextField(null=True)),
        migrations.AddField("club", "motto", models.TextField(db_default="")),
        migrations.AddField("club", "friends", models.ManyToManyField("league.Club")),
        migrations.AddIndex("club", models.Index(fields=["slug"], name="club_slug")),
        migrations.RunPython(migrations.RunPython.noop),
    ],
)
def test_a_migration_that_only_adds_is_taken(operation: Operation) -> None:
    assert list(faults([operation], lambda table, column: True)) == []


def no_column(table: str, column: str) -> bool:
    raise AssertionError(table, column)


def test_a_column_that_was_needed_before_may_change() -> None:
    longer = migrations.AlterField("club", "slug", models.CharField(max_length=80))
    assert list(faults([longer], lambda table, column: False)) == []


def test_a_table_that_is_new_may_have_anything() -> None:
    create = migrations.CreateModel("Motto", [("id", models.BigAutoField(primary_key=True))])
    assert list(faults([create, migrations.AddField("motto", "text", models.TextField())], no_column)) == []


def test_the_rule_sees_the_migrations_of_before() -> None:
    """The twin of the beginning: 0.1.0 would not run on the tables of its next version."""
    loader = MigrationLoader(None)
    features = loader.disk_migrations["league", "0003_club_features"]
    assert any("leaves it out" in fault for fault in faults(features.operations, before(loader, features)))
    assert before(loader, features)("club", "slug") is False
    assert before(loader, features)("season", "closed_at") is True
