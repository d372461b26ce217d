"""Teams of a season: their names and members, their ranking as counted."""

import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0017_final_guests"),
    ]

    operations = [
        migrations.CreateModel(
            name="Team",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(verbose_name="number")),
                ("name", models.CharField(blank=True, max_length=40, verbose_name="name")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
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
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="teams", to="league.season"
                    ),
                ),
            ],
            options={
                "verbose_name": "team",
                "verbose_name_plural": "teams",
                "constraints": [
                    models.UniqueConstraint(fields=("season", "number"), name="team_number_once_a_season"),
                    models.UniqueConstraint(
                        models.F("season"),
                        django.db.models.functions.text.Lower("name"),
                        condition=models.Q(("name", ""), _negated=True),
                        name="team_name_once_a_season",
                    ),
                    models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="team_number_from_1"),
                ],
            },
        ),
        migrations.CreateModel(
            name="TeamShare",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("points", models.BigIntegerField(verbose_name="points")),
                ("counted_minor", models.BigIntegerField(null=True, verbose_name="counted amount")),
                ("counts", models.BooleanField(verbose_name="counts")),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="team_shares", to="league.player"
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="team_shares", to="league.season"
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="shares", to="league.team"
                    ),
                ),
            ],
            options={
                "verbose_name": "share of a member",
                "verbose_name_plural": "shares of members",
                "constraints": [
                    models.UniqueConstraint(fields=("team", "player"), name="team_share_once_a_player"),
                ],
            },
        ),
        migrations.CreateModel(
            name="TeamStanding",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("rank", models.PositiveIntegerField(verbose_name="rank")),
                ("points", models.BigIntegerField(verbose_name="points")),
                ("counted_minor", models.BigIntegerField(null=True, verbose_name="counted amount")),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="team_standings", to="league.season"
                    ),
                ),
                (
                    "team",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="standing", to="league.team"
                    ),
                ),
            ],
            options={
                "verbose_name": "standing of a team",
                "verbose_name_plural": "standings of teams",
            },
        ),
        migrations.CreateModel(
            name="TeamStay",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("since", models.DateField(verbose_name="from")),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="team_stays", to="league.player"
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="team_stays", to="league.season"
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="stays",
                        to="league.team",
                    ),
                ),
            ],
            options={
                "verbose_name": "member of a team",
                "verbose_name_plural": "members of teams",
                "constraints": [
                    models.UniqueConstraint(fields=("season", "player", "since"), name="team_stay_once_a_day"),
                ],
            },
        ),
    ]
