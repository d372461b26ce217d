"""The chances of seasons, as last computed."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0015_club_logo")]

    operations = [
        migrations.CreateModel(
            name="SeasonChances",
            fields=[
                (
                    "season",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="chances",
                        serialize=False,
                        to="league.season",
                    ),
                ),
                ("counted_mark", models.PositiveBigIntegerField()),
                ("seed", models.PositiveBigIntegerField()),
                ("inputs", models.CharField(max_length=64)),
                ("computed_at", models.DateTimeField()),
                ("took_ms", models.PositiveIntegerField(default=0)),
                ("values", models.JSONField(default=dict)),
                (
                    "running",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.evening",
                    ),
                ),
            ],
            options={
                "verbose_name": "chances of a season",
                "verbose_name_plural": "chances of seasons",
            },
        ),
    ]
