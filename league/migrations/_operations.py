"""Operations for migrations."""

from collections.abc import Sequence
from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations import AddField, AlterField, CreateModel, SeparateDatabaseAndState


class CreateModels(SeparateDatabaseAndState):
    """Create the tables of these models.

    As operations of their own they would take twice as long: after each, Django builds all models again that are
    connected with it.
    """

    def __init__(self, models: Sequence[CreateModel]) -> None:
        super().__init__(database_operations=models, state_operations=models)

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return self.__class__.__name__, [self.state_operations], {}

    def state_forwards(self, app_label: str, state: Any) -> None:
        # The built models; Django builds them at the next use.
        state.__dict__.pop("apps", None)
        super().state_forwards(app_label, state)

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        for operation in self.database_operations:
            operation.database_forwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        return f"Create {len(self.state_operations)} models"


class WithoutOwnIndex(AlterField):
    """Drop the index of a foreign key: it is the beginning of another index, or no query needs it.

    SQLite would build the table again and lose its triggers: only the index is dropped.
    """

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        model = from_state.apps.get_model(app_label, self.model_name)
        for name in _own_indexes(schema_editor, model, self.name):
            schema_editor.execute(f"DROP INDEX {schema_editor.quote_name(name)}")

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        model = to_state.apps.get_model(app_label, self.model_name)
        schema_editor.execute(schema_editor._create_index_sql(model, fields=[model._meta.get_field(self.name)]))


class AddCheckedColumn(AddField):
    """Add a Boolean column that is false in every row, with a check constraint.

    SQLite would build the table again and lose its triggers: there the column is added to the table as it is.
    """

    def __init__(self, model_name: str, name: str, field: Any, constraint: Any) -> None:
        super().__init__(model_name, name, field)
        self.constraint = constraint

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return self.__class__.__name__, [self.model_name, self.name, self.field, self.constraint], {}

    def state_forwards(self, app_label: str, state: Any) -> None:
        super().state_forwards(app_label, state)
        state.add_constraint(app_label, self.model_name_lower, self.constraint)

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        model = to_state.apps.get_model(app_label, self.model_name)
        if schema_editor.connection.vendor == "sqlite":
            check = self.constraint.constraint_sql(model, schema_editor)
            column, table = schema_editor.quote_name(self.name), schema_editor.quote_name(model._meta.db_table)
            schema_editor.execute(f"ALTER TABLE {table} ADD COLUMN {column} bool NOT NULL DEFAULT 0 {check}", None)
            return
        super().database_forwards(app_label, schema_editor, from_state, to_state)
        schema_editor.add_constraint(model, self.constraint)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        model = from_state.apps.get_model(app_label, self.model_name)
        if schema_editor.connection.vendor == "sqlite":
            column, table = schema_editor.quote_name(self.name), schema_editor.quote_name(model._meta.db_table)
            schema_editor.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
            return
        schema_editor.remove_constraint(model, self.constraint)
        super().database_backwards(app_label, schema_editor, from_state, to_state)


def _own_indexes(schema_editor: BaseDatabaseSchemaEditor, model: Any, field: str) -> list[str]:
    column, table = model._meta.get_field(field).column, model._meta.db_table
    named = {index.name for index in model._meta.indexes}
    with schema_editor.connection.cursor() as cursor:
        found = schema_editor.connection.introspection.get_constraints(cursor, table)
    return [
        name
        for name, one in found.items()
        if one["columns"] == [column] and one["index"] and not one["unique"] and name not in named
    ]
