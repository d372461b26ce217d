"""The append-only rows of practice clubs can be deleted."""

from django.db import migrations

from league import triggers


def allow(apps, editor):
    triggers.drop(editor.connection, triggers.GAMES_APPEND_ONLY)
    triggers.create(editor.connection, triggers.GAMES_APPEND_ONLY)


def refuse(apps, editor):
    triggers.drop(editor.connection, triggers.GAMES_APPEND_ONLY)
    triggers.create(editor.connection, triggers.GAMES_APPEND_ONLY, practice=False)


class Migration(migrations.Migration):
    dependencies = [("games", "0003_features_that_clubs_have_used"), ("league", "0007_practice_clubs")]

    operations = [migrations.RunPython(allow, refuse, elidable=False)]
