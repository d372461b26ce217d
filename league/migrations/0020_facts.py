"""Facts that workers count from hands: decisions, feats and ratings. Hands stored before are counted by the next
sweep."""

import django.db.models.deletion
from django.db import migrations, models


def wait(apps, _schema_editor):
    """Let every season that was counted be counted for its pages as well."""
    counted = apps.get_model("league", "SeasonCount").objects.filter(season__in_chips=False)
    uncounted = apps.get_model("league", "UncountedEvening")
    uncounted.objects.bulk_create(uncounted(season_id=pk) for pk in counted.values_list("pk", flat=True))


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0019_imports"),
    ]

    operations = [
        migrations.CreateModel(
            name="SeasonFacts",
            fields=[
                (
                    "season",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="facts",
                        serialize=False,
                        to="league.season",
                    ),
                ),
                ("version", models.PositiveBigIntegerField(default=0)),
                ("method", models.CharField(blank=True, default="", max_length=80)),
            ],
            options={
                "verbose_name": "count of a season's hands",
                "verbose_name_plural": "counts of seasons' hands",
            },
        ),
        migrations.CreateModel(
            name="EveningFacts",
            fields=[
                (
                    "evening",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="facts",
                        serialize=False,
                        to="league.evening",
                    ),
                ),
                ("decisions", models.JSONField(default=list)),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="evening_facts", to="league.season"
                    ),
                ),
            ],
            options={
                "verbose_name": "count of an evening's hands",
                "verbose_name_plural": "counts of evenings' hands",
            },
        ),
        migrations.CreateModel(
            name="UncountedEvening",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "evening",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.evening",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="uncounted_evenings",
                        to="league.season",
                    ),
                ),
            ],
            options={
                "verbose_name": "uncounted evening",
                "verbose_name_plural": "uncounted evenings",
            },
        ),
        migrations.CreateModel(
            name="DecisionCount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("situation", models.PositiveIntegerField()),
                ("hands", models.IntegerField(verbose_name="hands")),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="decision_counts", to="league.player"
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="decision_counts",
                        to="league.season",
                    ),
                ),
            ],
            options={
                "verbose_name": "count of decisions",
                "verbose_name_plural": "counts of decisions",
                "constraints": [
                    models.UniqueConstraint(fields=("season", "player", "situation"), name="decision_count_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Feat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(choices=[("pot", "pot"), ("run", "run of goals"), ("susi", "Susi")], max_length=4),
                ),
                ("value", models.BigIntegerField()),
                ("in_antes", models.BigIntegerField(default=0)),
                ("table", models.PositiveSmallIntegerField()),
                ("hand", models.PositiveIntegerField()),
                (
                    "evening",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="feats",
                        to="league.evening",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="feats",
                        to="league.player",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="feats",
                        to="league.season",
                    ),
                ),
            ],
            options={
                "verbose_name": "feat of an evening",
                "verbose_name_plural": "feats of evenings",
                "indexes": [
                    models.Index(fields=["season", "kind", "value"], name="feat_value"),
                    models.Index(fields=["season", "kind", "in_antes"], name="feat_in_antes"),
                    models.Index(fields=["player", "kind"], name="feat_of_player"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("evening", "player", "kind"), name="feat_once_an_evening")
                ],
            },
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("held_on", models.DateField()),
                ("mu", models.IntegerField()),
                ("sigma", models.PositiveIntegerField()),
                ("evenings", models.PositiveIntegerField(verbose_name="evenings")),
                (
                    "club",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ratings",
                        to="league.club",
                    ),
                ),
                (
                    "evening",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ratings",
                        to="league.evening",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ratings",
                        to="league.player",
                    ),
                ),
            ],
            options={
                "verbose_name": "rating",
                "verbose_name_plural": "ratings",
                "indexes": [
                    models.Index(fields=["player", "held_on", "evening"], name="rating_of_player"),
                    models.Index(fields=["club", "held_on", "evening"], name="rating_of_club"),
                ],
                "constraints": [models.UniqueConstraint(fields=("evening", "player"), name="rating_once_an_evening")],
            },
        ),
        migrations.RunPython(wait, migrations.RunPython.noop, elidable=False),
    ]
