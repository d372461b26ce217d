"""The evenings that are planned in a season, and the version of a club that changes with them."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from league.version_triggers import create_plan, drop_plan


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0023_formula_games_and_days"),
    ]

    operations = [
        migrations.CreateModel(
            name="PlannedEvening",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("held_on", models.DateField(verbose_name="date")),
                ("begins_at", models.TimeField(verbose_name="begins at")),
                ("place", models.CharField(blank=True, max_length=120, verbose_name="place")),
                ("note", models.CharField(blank=True, max_length=200, verbose_name="note")),
                ("cancelled_at", models.DateTimeField(blank=True, null=True, verbose_name="cancelled at")),
                ("sequence", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("changed_at", models.DateTimeField(auto_now=True)),
                (
                    "author",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="plan", to="league.club"
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="plan", to="league.season"
                    ),
                ),
            ],
            options={
                "verbose_name": "planned evening",
                "verbose_name_plural": "planned evenings",
                "indexes": [models.Index(fields=["club", "held_on"], name="planned_evening_club_date")],
                "constraints": [
                    models.UniqueConstraint(fields=("season", "held_on"), name="planned_evening_once_a_day"),
                ],
            },
        ),
        migrations.RunPython(create_plan, drop_plan, elidable=False),
    ]
