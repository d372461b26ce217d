"""Triggers: append-only tables, and versions of card tables."""

from django.db import migrations

from games.version_triggers import GAMES_VERSIONED
from league import triggers, version_triggers


def create(apps, editor):
    triggers.create(editor.connection, triggers.GAMES_APPEND_ONLY, practice=False)
    version_triggers.create(editor.connection, GAMES_VERSIONED)


def drop(apps, editor):
    triggers.drop(editor.connection, triggers.GAMES_APPEND_ONLY)
    version_triggers.drop(editor.connection, GAMES_VERSIONED)


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial"), ("league", "0002_triggers_of_tables")]

    operations = [migrations.RunPython(create, drop, elidable=False)]
