from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from league.triggers import GAMES_APPEND_ONLY, create, drop


def renew(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """What people wrote in append-only rows may be emptied from now on (`league.triggers.FREE_TEXT`)."""
    drop(editor.connection, GAMES_APPEND_ONLY)
    create(editor.connection, GAMES_APPEND_ONLY)


class Migration(migrations.Migration):
    dependencies = [("games", "0004_disputes"), ("league", "0010_receipts_without_names")]

    operations = [migrations.RunPython(renew, migrations.RunPython.noop, elidable=False)]
