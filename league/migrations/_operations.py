"""An operation for migrations that begin an app."""

from collections.abc import Sequence
from typing import Any

from django.db.migrations.operations import CreateModel, SeparateDatabaseAndState


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
