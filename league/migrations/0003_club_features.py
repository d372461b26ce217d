"""The features of a club. The table of clubs has triggers, which SQLite drops with the table that it builds again."""

from django.db import migrations, models

from league import version_triggers as versions


def create(apps, editor):
    versions.create(editor.connection, versions.CLUBS_VERSIONED)


def drop(apps, editor):
    versions.drop(editor.connection, versions.CLUBS_VERSIONED)


class Migration(migrations.Migration):
    dependencies = [("league", "0002_triggers_of_tables")]

    operations = [
        migrations.RunPython(drop, create, elidable=False),
        migrations.AddField(
            model_name="club",
            name="features",
            field=models.JSONField(blank=True, default=list, verbose_name="features"),
        ),
        migrations.RunPython(create, drop, elidable=False),
    ]
