"""The tables of tournaments, in the order of foreign keys."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

MODELS = [
    migrations.CreateModel(
        name="Tournament",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            (
                "club",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT, related_name="tournaments", to="league.club"
                ),
            ),
            ("slug", models.SlugField(max_length=40, verbose_name="short name")),
            ("name", models.CharField(max_length=80, verbose_name="name")),
            ("starts_on", models.DateField(verbose_name="from")),
            ("ends_on", models.DateField(blank=True, null=True, verbose_name="to")),
            ("begins_at", models.TimeField(blank=True, null=True, verbose_name="begins at")),
            ("game", models.CharField(max_length=20, verbose_name="game")),
            (
                "house_rules",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT, related_name="tournaments", to="league.houserules"
                ),
            ),
            (
                "season",
                models.OneToOneField(
                    on_delete=django.db.models.deletion.PROTECT, related_name="tournament", to="league.season"
                ),
            ),
            (
                "state",
                models.CharField(
                    choices=[
                        ("draft", "in preparation"),
                        ("open", "open for entries"),
                        ("running", "running"),
                        ("finished", "finished"),
                        ("archived", "archived"),
                    ],
                    default="draft",
                    max_length=10,
                    verbose_name="state",
                ),
            ),
            ("format", models.JSONField(default=dict, verbose_name="format")),
            ("format_version", models.PositiveIntegerField(default=1, verbose_name="version of the format")),
            ("fee", models.CharField(blank=True, max_length=120, verbose_name="entry fee")),
            ("prizes", models.TextField(blank=True, max_length=1000, verbose_name="prizes")),
            ("lot_seed", models.PositiveBigIntegerField(default=0, verbose_name="seed of the lots")),
            ("closed_tables", models.JSONField(blank=True, default=list, verbose_name="table numbers left out")),
            (
                "award_season",
                models.ForeignKey(
                    blank=True,
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="awarding_tournaments",
                    to="league.season",
                ),
            ),
            ("award_points", models.JSONField(blank=True, default=list, verbose_name="points by place")),
            ("reopen_reason", models.CharField(blank=True, max_length=200, verbose_name="opened again because")),
            (
                "award_evening",
                models.OneToOneField(
                    blank=True,
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="awarding_tournament",
                    to="league.evening",
                ),
            ),
            (
                "opened_by",
                models.ForeignKey(
                    blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL
                ),
            ),
            (
                "submission",
                models.OneToOneField(
                    blank=True,
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="tournament",
                    to="league.submission",
                ),
            ),
            ("created_at", models.DateTimeField(auto_now_add=True)),
        ],
        options={
            "verbose_name": "tournament",
            "verbose_name_plural": "tournaments",
            "ordering": ["-starts_on", "-pk"],
            "constraints": [
                models.UniqueConstraint(fields=("club", "slug"), name="tournament_slug_once_a_club"),
                models.CheckConstraint(
                    condition=models.Q(("state__in", ["draft", "open", "running", "finished", "archived"])),
                    name="tournament_state_known",
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="SeasonAward",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("place", models.PositiveSmallIntegerField(verbose_name="place")),
            ("points", models.PositiveIntegerField(verbose_name="points")),
            (
                "season",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT, related_name="awards", to="league.season"
                ),
            ),
            (
                "evening",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT, related_name="awards", to="league.evening"
                ),
            ),
            (
                "player",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT, related_name="awards", to="league.player"
                ),
            ),
        ],
        options={
            "verbose_name": "points for a season",
            "verbose_name_plural": "points for a season",
            "constraints": [
                models.UniqueConstraint(fields=("evening", "player"), name="award_once_a_player_and_evening")
            ],
        },
    ),
    migrations.CreateModel(
        name="TournamentVersion",
        fields=[
            ("number", models.BigIntegerField(verbose_name="number")),
            (
                "tournament",
                models.OneToOneField(
                    db_constraint=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    primary_key=True,
                    related_name="version",
                    serialize=False,
                    to="league.tournament",
                ),
            ),
        ],
        options={
            "verbose_name": "version of a tournament",
            "verbose_name_plural": "versions of tournaments",
            "constraints": [],
        },
    ),
    migrations.CreateModel(
        name="DeskMember",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            (
                "tournament",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.CASCADE, related_name="desk", to="league.tournament"
                ),
            ),
            (
                "user",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                ),
            ),
        ],
        options={
            "verbose_name": "person at the desk",
            "verbose_name_plural": "people at the desk",
            "constraints": [
                models.UniqueConstraint(fields=("tournament", "user"), name="desk_member_once_a_tournament")
            ],
        },
    ),
    migrations.CreateModel(
        name="Entrant",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            (
                "tournament",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT, related_name="entrants", to="league.tournament"
                ),
            ),
            ("number", models.PositiveIntegerField(verbose_name="start number")),
            (
                "player",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT, related_name="entries", to="league.player"
                ),
            ),
            ("labels", models.JSONField(blank=True, default=list, verbose_name="labels")),
            ("team", models.CharField(blank=True, max_length=40, verbose_name="team")),
            ("paid", models.BooleanField(default=False, verbose_name="paid")),
            ("checked_in_at", models.DateTimeField(blank=True, null=True, verbose_name="here since")),
            ("joined_round", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="first round")),
            (
                "withdrawn_round",
                models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="withdrawn before round"),
            ),
            ("struck", models.BooleanField(default=False, verbose_name="struck")),
            ("fixed_table", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="fixed table")),
            ("slip", models.JSONField(blank=True, null=True, verbose_name="slip")),
            ("created_at", models.DateTimeField(auto_now_add=True)),
        ],
        options={
            "verbose_name": "entrant",
            "verbose_name_plural": "entrants",
            "ordering": ["number"],
            "constraints": [
                models.UniqueConstraint(fields=("tournament", "number"), name="entrant_number_once_a_tournament"),
                models.UniqueConstraint(fields=("tournament", "player"), name="entrant_player_once_a_tournament"),
                models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="entrant_number_from_1"),
            ],
        },
    ),
    migrations.CreateModel(
        name="Substitution",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            (
                "entrant",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT, related_name="substitutions", to="league.entrant"
                ),
            ),
            (
                "left",
                models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="league.player"),
            ),
            (
                "came",
                models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="league.player"),
            ),
            ("from_round", models.PositiveSmallIntegerField(verbose_name="from round")),
            (
                "author",
                models.ForeignKey(
                    blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL
                ),
            ),
            ("created_at", models.DateTimeField(auto_now_add=True)),
        ],
        options={
            "verbose_name": "substitution",
            "verbose_name_plural": "substitutions",
            "ordering": ["pk"],
            "constraints": [],
        },
    ),
    migrations.CreateModel(
        name="Draw",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            (
                "tournament",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT, related_name="draws", to="league.tournament"
                ),
            ),
            ("round", models.PositiveSmallIntegerField(verbose_name="round")),
            ("number", models.PositiveSmallIntegerField(verbose_name="draw")),
            (
                "kind",
                models.CharField(
                    choices=[
                        ("drawn", "drawn"),
                        ("redrawn", "redrawn"),
                        ("swapped", "changed by hand"),
                        ("slips", "slips drawn at check-in"),
                    ],
                    default="drawn",
                    max_length=10,
                    verbose_name="kind",
                ),
            ),
            ("mode", models.CharField(max_length=10, verbose_name="mode")),
            ("seed", models.PositiveBigIntegerField(verbose_name="seed")),
            ("plan", models.JSONField(verbose_name="seating")),
            ("report", models.JSONField(default=dict, verbose_name="report")),
            ("changes", models.JSONField(blank=True, default=list, verbose_name="changes")),
            ("left_out", models.JSONField(blank=True, default=list, verbose_name="named to sit out")),
            (
                "submission",
                models.OneToOneField(
                    blank=True,
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="draw",
                    to="league.submission",
                ),
            ),
            (
                "author",
                models.ForeignKey(
                    blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL
                ),
            ),
            ("created_at", models.DateTimeField(auto_now_add=True)),
        ],
        options={
            "verbose_name": "draw",
            "verbose_name_plural": "draws",
            "ordering": ["round", "number"],
            "constraints": [
                models.UniqueConstraint(fields=("tournament", "round", "number"), name="draw_number_once_a_round"),
                models.CheckConstraint(
                    condition=models.Q(("number__gte", 1), ("round__gte", 1)), name="draw_numbers_from_1"
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="Round",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            (
                "tournament",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT, related_name="rounds", to="league.tournament"
                ),
            ),
            ("number", models.PositiveSmallIntegerField(verbose_name="round")),
            ("final", models.BooleanField(default=False, verbose_name="final")),
            (
                "state",
                models.CharField(
                    choices=[("drawn", "drawn"), ("playing", "playing"), ("finished", "finished")],
                    default="drawn",
                    max_length=10,
                    verbose_name="state",
                ),
            ),
            (
                "draw",
                models.OneToOneField(
                    on_delete=django.db.models.deletion.PROTECT, related_name="round_of", to="league.draw"
                ),
            ),
            (
                "evening",
                models.OneToOneField(
                    on_delete=django.db.models.deletion.PROTECT, related_name="round", to="league.evening"
                ),
            ),
            ("started_at", models.DateTimeField(blank=True, null=True, verbose_name="started")),
            ("running_since", models.DateTimeField(blank=True, null=True, verbose_name="running since")),
            (
                "running_ticks",
                models.FloatField(blank=True, null=True, verbose_name="computer's seconds at that moment"),
            ),
            ("boot", models.CharField(blank=True, max_length=40, verbose_name="start of the computer")),
            ("elapsed_seconds", models.FloatField(default=0, verbose_name="seconds that ran before")),
            ("added_seconds", models.IntegerField(default=0, verbose_name="seconds added")),
            ("finished_at", models.DateTimeField(blank=True, null=True, verbose_name="finished at")),
            ("sheets_in", models.PositiveIntegerField(default=0, verbose_name="sheets handed in")),
        ],
        options={
            "verbose_name": "round",
            "verbose_name_plural": "rounds",
            "ordering": ["number"],
            "constraints": [
                models.UniqueConstraint(fields=("tournament", "number"), name="round_number_once_a_tournament"),
                models.CheckConstraint(
                    condition=models.Q(("state__in", ["drawn", "playing", "finished"])), name="round_state_known"
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="Sheet",
        fields=[
            ("id", models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
            (
                "round",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT, related_name="sheets", to="league.round"
                ),
            ),
            ("table_number", models.PositiveSmallIntegerField(verbose_name="table")),
            ("number", models.PositiveSmallIntegerField(verbose_name="sheet")),
            ("chips", models.JSONField(verbose_name="net chips")),
            ("pot", models.BigIntegerField(default=0, verbose_name="left in the pot")),
            ("at_table", models.BooleanField(default=False, verbose_name="handed in at the table")),
            ("decides", models.BooleanField(default=False, verbose_name="decides")),
            ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
            (
                "submission",
                models.OneToOneField(
                    blank=True,
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="sheet",
                    to="league.submission",
                ),
            ),
            (
                "author",
                models.ForeignKey(
                    blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL
                ),
            ),
            ("created_at", models.DateTimeField(auto_now_add=True)),
        ],
        options={
            "verbose_name": "sheet",
            "verbose_name_plural": "sheets",
            "ordering": ["table_number", "number"],
            "constraints": [
                models.UniqueConstraint(fields=("round", "table_number", "number"), name="sheet_number_once_a_table"),
                models.CheckConstraint(condition=models.Q(("pot__gte", 0)), name="sheet_pot_not_negative"),
            ],
        },
    ),
    migrations.CreateModel(
        name="TableCard",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            (
                "tournament",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.CASCADE, related_name="cards", to="league.tournament"
                ),
            ),
            ("table_number", models.PositiveSmallIntegerField(verbose_name="table")),
            ("code", models.CharField(max_length=32, unique=True, verbose_name="code")),
            (
                "user",
                models.OneToOneField(
                    on_delete=django.db.models.deletion.PROTECT, related_name="table_card", to=settings.AUTH_USER_MODEL
                ),
            ),
        ],
        options={
            "verbose_name": "table card",
            "verbose_name_plural": "table cards",
            "constraints": [
                models.UniqueConstraint(fields=("tournament", "table_number"), name="table_card_once_a_table")
            ],
        },
    ),
]
