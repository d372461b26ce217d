"""Evenings that come from a file."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from league.triggers import create_imports, drop_imports


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0018_teams"),
    ]

    operations = [
        migrations.AddField(
            model_name="evening",
            name="undone_at",
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name="import undone at"),
        ),
        migrations.CreateModel(
            name="Import",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[("totals", "totals of evenings")],
                        max_length=10,
                        verbose_name="kind",
                    ),
                ),
                ("rows", models.PositiveIntegerField(verbose_name="rows")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("undone_at", models.DateTimeField(blank=True, null=True, verbose_name="undone at")),
                (
                    "author",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="imports", to="league.club"
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="imports", to="league.season"
                    ),
                ),
                (
                    "submission",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="imported", to="league.submission"
                    ),
                ),
                (
                    "undone_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "import",
                "verbose_name_plural": "imports",
                "ordering": ["-created_at"],
            },
        ),
        migrations.AddField(
            model_name="evening",
            name="imported",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="evenings",
                to="league.import",
            ),
        ),
        migrations.CreateModel(
            name="ImportedEvening",
            fields=[
                (
                    "evening",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="totals_posted",
                        serialize=False,
                        to="league.evening",
                    ),
                ),
                ("people", models.PositiveSmallIntegerField(verbose_name="people")),
                (
                    "paid",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="imported_payment",
                        to="league.posting",
                    ),
                ),
                (
                    "posting",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="imported_evening",
                        to="league.posting",
                    ),
                ),
            ],
            options={
                "verbose_name": "imported evening",
                "verbose_name_plural": "imported evenings",
            },
        ),
        migrations.CreateModel(
            name="Upload",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[("totals", "totals of evenings")],
                        max_length=10,
                        verbose_name="kind",
                    ),
                ),
                ("game", models.CharField(max_length=20, verbose_name="game")),
                ("rows", models.JSONField(verbose_name="rows")),
                ("columns", models.JSONField(null=True, verbose_name="columns")),
                ("names", models.JSONField(null=True, verbose_name="names")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="uploads", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="uploads", to="league.club"
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="uploads", to="league.season"
                    ),
                ),
            ],
            options={
                "verbose_name": "upload",
                "verbose_name_plural": "uploads",
            },
        ),
        migrations.CreateModel(
            name="ImportColumns",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("totals", "totals of evenings")],
                        max_length=10,
                        verbose_name="kind",
                    ),
                ),
                ("heading", models.CharField(max_length=64, verbose_name="heading")),
                ("columns", models.JSONField(verbose_name="columns")),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="import_columns", to="league.club"
                    ),
                ),
            ],
            options={
                "verbose_name": "columns of an import",
                "verbose_name_plural": "columns of imports",
                "constraints": [
                    models.UniqueConstraint(fields=("club", "kind", "heading"), name="import_columns_once_a_heading")
                ],
            },
        ),
        migrations.CreateModel(
            name="ImportedTotal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hands", models.PositiveIntegerField(verbose_name="hands")),
                ("points", models.IntegerField(verbose_name="points")),
                ("change_minor", models.BigIntegerField(verbose_name="change")),
                ("undone", models.BooleanField(default=False, verbose_name="undone")),
                (
                    "evening",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="imported_totals",
                        to="league.evening",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="imported_totals", to="league.player"
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="imported_totals", to="league.season"
                    ),
                ),
            ],
            options={
                "verbose_name": "imported total",
                "verbose_name_plural": "imported totals",
                "constraints": [
                    models.UniqueConstraint(fields=("evening", "player"), name="imported_total_once_a_player"),
                    models.CheckConstraint(condition=models.Q(("hands__gte", 1)), name="imported_total_hands_from_1"),
                ],
            },
        ),
        migrations.RunPython(create_imports, drop_imports, elidable=False),
    ]
