"""Tournaments, and seasons that hold their chips."""

import django.db.models.manager
from django.conf import settings
from django.db import migrations, models

from league import triggers, version_triggers
from league.migrations import _tournaments
from league.migrations._operations import AddCheckedColumn, CreateModels


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0005_indexes_of_lists"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="season",
            options={
                "base_manager_name": "every",
                "ordering": ["-starts_on", "-pk"],
                "verbose_name": "season",
                "verbose_name_plural": "seasons",
            },
        ),
        migrations.AlterModelManagers(
            name="season",
            managers=[
                ("objects", django.db.models.manager.Manager()),
                ("every", django.db.models.manager.Manager()),
            ],
        ),
        AddCheckedColumn(
            "season",
            "in_chips",
            models.BooleanField(default=False, editable=False, verbose_name="in chips"),
            models.CheckConstraint(
                condition=models.Q(in_chips=False) | models.Q(points_only=True), name="season_in_chips_has_no_money"
            ),
        ),
        CreateModels(_tournaments.MODELS),
        migrations.RunPython(triggers.create_tournaments, triggers.drop_tournaments, elidable=False),
        migrations.RunPython(version_triggers.create_tournaments, version_triggers.drop_tournaments, elidable=False),
    ]
