"""Formulas of seasons by version, penalties and bonuses, and the end of a season."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from league.triggers import create_formulas, drop_formulas

PERSON = {"blank": True, "null": True, "on_delete": django.db.models.deletion.PROTECT, "to": settings.AUTH_USER_MODEL}


class Migration(migrations.Migration):
    dependencies = [("league", "0012_feeds_mark")]

    operations = [
        # Columns that may be empty: SQLite adds these without building the table again, which would lose its triggers.
        migrations.AddField(
            "season",
            "formula_version",
            models.PositiveIntegerField(blank=True, editable=False, null=True, verbose_name="version of the formula"),
        ),
        migrations.AddField(
            "season",
            "formula_scale",
            models.PositiveIntegerField(
                blank=True, editable=False, null=True, verbose_name="stored points for a point"
            ),
        ),
        migrations.AddField(
            "season",
            "closed_at",
            models.DateTimeField(blank=True, editable=False, null=True, verbose_name="closed at"),
        ),
        migrations.AddField(
            "standing", "counted_minor", models.BigIntegerField(null=True, verbose_name="counted amount")
        ),
        migrations.AddField(
            "standing",
            "unranked",
            models.CharField(blank=True, db_default="", default="", max_length=10, verbose_name="not ranked because"),
        ),
        migrations.CreateModel(
            name="SeasonFormula",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(verbose_name="version")),
                ("values", models.JSONField(default=dict, verbose_name="values")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("author", models.ForeignKey(**PERSON)),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="formulas", to="league.season"
                    ),
                ),
            ],
            options={
                "verbose_name": "formula of a season",
                "verbose_name_plural": "formulas of seasons",
                "constraints": [
                    models.UniqueConstraint(fields=("season", "version"), name="season_formula_version_once"),
                    models.CheckConstraint(condition=models.Q(version__gte=1), name="season_formula_version_from_1"),
                ],
            },
        ),
        migrations.CreateModel(
            name="SeasonAdjustment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("points", models.IntegerField(verbose_name="points")),
                ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                ("author", models.ForeignKey(**PERSON, related_name="+")),
                ("undone_by", models.ForeignKey(**PERSON, related_name="+")),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="adjustments", to="league.player"
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="adjustments", to="league.season"
                    ),
                ),
            ],
            options={
                "verbose_name": "penalty or bonus",
                "verbose_name_plural": "penalties and bonuses",
                "constraints": [
                    models.CheckConstraint(condition=~models.Q(points=0), name="season_adjustment_is_not_0"),
                ],
            },
        ),
        migrations.RunPython(create_formulas, drop_formulas, elidable=False),
    ]
