"""Files that a worker makes, with their parts."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

STATES = [("waiting", "waiting"), ("making", "being made"), ("ready", "ready"), ("failed", "not made")]


class Migration(migrations.Migration):
    dependencies = [("league", "0013_formulas")]

    operations = [
        migrations.CreateModel(
            name="LargeFile",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                ("kind", models.CharField(max_length=30, verbose_name="kind")),
                ("subject", models.BigIntegerField(verbose_name="subject")),
                ("form", models.CharField(max_length=8, verbose_name="form")),
                ("options", models.JSONField(blank=True, default=dict, verbose_name="options")),
                ("language", models.CharField(max_length=10, verbose_name="language")),
                ("state", models.CharField(choices=STATES, default="waiting", max_length=8, verbose_name="state")),
                ("fault", models.CharField(blank=True, max_length=20, verbose_name="fault")),
                ("attempts", models.SmallIntegerField(default=0, verbose_name="attempts")),
                ("maker", models.UUIDField(blank=True, null=True, verbose_name="maker")),
                ("lease_until", models.DateTimeField(blank=True, null=True, verbose_name="lease until")),
                ("rows", models.IntegerField(verbose_name="rows")),
                ("rows_done", models.IntegerField(default=0, verbose_name="rows done")),
                ("size", models.BigIntegerField(default=0, verbose_name="size")),
                ("asked_at", models.DateTimeField(auto_now_add=True, verbose_name="asked")),
                ("ready_at", models.DateTimeField(blank=True, null=True, verbose_name="made")),
                ("expires_at", models.DateTimeField(verbose_name="expires")),
                (
                    "asker",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="large_files",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="large_files", to="league.club"
                    ),
                ),
            ],
            options={
                "verbose_name": "large file",
                "verbose_name_plural": "large files",
                "ordering": ["-asked_at"],
                "indexes": [models.Index(fields=["state", "lease_until"], name="large_file_due")],
            },
        ),
        migrations.CreateModel(
            name="LargeFilePart",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("maker", models.UUIDField(verbose_name="maker")),
                ("number", models.IntegerField(verbose_name="number")),
                ("content", models.BinaryField(verbose_name="content")),
                (
                    "file",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="parts", to="league.largefile"
                    ),
                ),
            ],
            options={
                "verbose_name": "part of a large file",
                "verbose_name_plural": "parts of large files",
                "constraints": [
                    models.UniqueConstraint(fields=("file", "maker", "number"), name="large_file_part_once")
                ],
            },
        ),
    ]
