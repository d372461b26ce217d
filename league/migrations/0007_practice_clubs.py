"""Practice clubs: the day on which a club is deleted. Only their append-only rows can be deleted."""

from django.db import migrations, models

from league import triggers
from league import version_triggers as versions


def drop_versions(apps, editor):
    versions.drop(editor.connection, versions.CLUBS_VERSIONED)


def create_versions(apps, editor):
    versions.create(editor.connection, versions.CLUBS_VERSIONED)


def allow(apps, editor):
    triggers.drop(editor.connection, triggers.LEAGUE_APPEND_ONLY)
    triggers.create(editor.connection, triggers.LEAGUE_APPEND_ONLY)
    triggers.create_practice(editor.connection)


def refuse(apps, editor):
    triggers.drop_practice(editor.connection)
    triggers.drop(editor.connection, triggers.LEAGUE_APPEND_ONLY)
    triggers.create(editor.connection, triggers.LEAGUE_APPEND_ONLY, practice=False)


class Migration(migrations.Migration):
    dependencies = [("league", "0006_names_for_visitors")]

    operations = [
        migrations.RunPython(drop_versions, create_versions, elidable=False),
        migrations.AddField(
            model_name="club",
            name="practice_until",
            field=models.DateField(blank=True, editable=False, null=True, verbose_name="practice club until"),
        ),
        migrations.AddConstraint(
            model_name="club",
            constraint=models.CheckConstraint(
                condition=models.Q(("practice_until", None), ("visibility", "private"), _connector="OR"),
                name="club_practice_private",
            ),
        ),
        migrations.RunPython(create_versions, drop_versions, elidable=False),
        migrations.RunPython(allow, refuse, elidable=False),
    ]
