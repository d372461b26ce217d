import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from league.triggers import create_games, drop_games


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0002_triggers"),
        ("league", "0005_closing"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        # SQLite makes altered tables anew, and a new table has no triggers.
        migrations.RunPython(drop_games, create_games, elidable=False),
        migrations.CreateModel(
            name="Happening",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                ("after", models.PositiveIntegerField(verbose_name="after hand")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("arrived", "came"),
                            ("left", "left"),
                            ("swapped", "changed seats"),
                            ("dealer", "other dealer"),
                            ("paused", "pause"),
                            ("resumed", "on again"),
                            ("split", "table divided"),
                            ("merged", "tables joined"),
                            ("carried", "pot of the last evening"),
                            ("last", "last hand for all"),
                        ],
                        max_length=10,
                        verbose_name="kind",
                    ),
                ),
                ("data", models.JSONField(default=dict, verbose_name="data")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name": "happening",
                "verbose_name_plural": "happenings",
                "ordering": ["created_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Pencil",
            fields=[
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="pencil",
                        serialize=False,
                        to="games.table",
                    ),
                ),
                ("device", models.CharField(max_length=36, verbose_name="device")),
                ("taken_at", models.DateTimeField(verbose_name="taken")),
                ("seen_at", models.DateTimeField(verbose_name="last seen")),
                ("asked_device", models.CharField(blank=True, max_length=36, verbose_name="device that asks")),
                ("asked_at", models.DateTimeField(blank=True, null=True, verbose_name="asked")),
            ],
            options={
                "verbose_name": "pencil",
                "verbose_name_plural": "pencils",
            },
        ),
        migrations.AddField(
            model_name="revision",
            name="dealer_set",
            field=models.BooleanField(default=False, verbose_name="dealer named"),
        ),
        migrations.AddField(
            model_name="revision",
            name="moved_minor",
            field=models.BigIntegerField(default=0, verbose_name="moved into the pot"),
        ),
        migrations.AddField(
            model_name="revision",
            name="recorder",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="table",
            name="dealer_set",
            field=models.BooleanField(default=False, verbose_name="dealer named"),
        ),
        migrations.AddField(
            model_name="table",
            name="dissolved",
            field=models.BooleanField(default=False, verbose_name="dissolved"),
        ),
        migrations.AddField(
            model_name="table",
            name="last_hand",
            field=models.BooleanField(default=False, verbose_name="last hand for all"),
        ),
        migrations.AddField(
            model_name="table",
            name="moved_minor",
            field=models.BigIntegerField(default=0, verbose_name="moved into the pot"),
        ),
        migrations.AddField(
            model_name="table",
            name="paused_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="paused since"),
        ),
        migrations.AlterField(
            model_name="revision",
            name="submission",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="hand_revision",
                to="league.submission",
            ),
        ),
        migrations.CreateModel(
            name="Correction",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("changed", "corrected"),
                            ("voided", "removed"),
                            ("inserted", "added"),
                            ("moved", "moved"),
                            ("seats", "seats corrected"),
                        ],
                        max_length=10,
                        verbose_name="kind",
                    ),
                ),
                ("number", models.PositiveIntegerField(verbose_name="hand")),
                ("before", models.JSONField(default=dict, verbose_name="before")),
                ("after", models.JSONField(default=dict, verbose_name="after")),
                ("details", models.JSONField(default=dict, verbose_name="details")),
                ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "author",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "submission",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="correction", to="league.submission"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="corrections", to="games.table"
                    ),
                ),
            ],
            options={
                "verbose_name": "correction",
                "verbose_name_plural": "corrections",
                "ordering": ["-created_at"],
            },
        ),
        migrations.AddField(
            model_name="revision",
            name="correction",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="revisions",
                to="games.correction",
            ),
        ),
        migrations.AddConstraint(
            model_name="revision",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("correction__isnull", True), ("submission__isnull", False)),
                    models.Q(("correction__isnull", False), ("submission__isnull", True)),
                    _connector="OR",
                ),
                name="revision_of_a_submission_or_a_correction",
            ),
        ),
        migrations.AddField(
            model_name="happening",
            name="author",
            field=models.ForeignKey(
                blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="happening",
            name="posting",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="happening",
                to="league.posting",
            ),
        ),
        migrations.AddField(
            model_name="happening",
            name="submission",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="happening",
                to="league.submission",
            ),
        ),
        migrations.AddField(
            model_name="happening",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="happenings", to="games.table"
            ),
        ),
        migrations.AddField(
            model_name="pencil",
            name="asked_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="pencil",
            name="holder",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddConstraint(
            model_name="correction",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["changed", "voided", "inserted", "moved", "seats"])),
                name="correction_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="correction",
            constraint=models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="correction_hand_from_1"),
        ),
        migrations.AddConstraint(
            model_name="happening",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "arrived",
                            "left",
                            "swapped",
                            "dealer",
                            "paused",
                            "resumed",
                            "split",
                            "merged",
                            "carried",
                            "last",
                        ],
                    )
                ),
                name="happening_kind_known",
            ),
        ),
        migrations.RunPython(create_games, drop_games, elidable=False),
    ]
