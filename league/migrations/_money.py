"""House rules, seasons, evenings, and what they are in money (for 0001_tables)."""

from django.conf import settings
from django.db import migrations, models

tables = [
    migrations.CreateModel(
        name="HouseRules",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("club", models.ForeignKey(on_delete=models.PROTECT, related_name="house_rules", to="league.club")),
            ("game", models.CharField(max_length=20, verbose_name="game")),
            ("version", models.PositiveIntegerField(verbose_name="version")),
            ("values", models.JSONField(default=dict, verbose_name="values")),
            ("author", models.ForeignKey(blank=True, null=True, on_delete=models.PROTECT, to=settings.AUTH_USER_MODEL)),
            ("created_at", models.DateTimeField(auto_now_add=True)),
        ],
        options={
            "verbose_name": "house rules",
            "verbose_name_plural": "house rules",
            "constraints": [
                models.UniqueConstraint(fields=("club", "game", "version"), name="house_rules_version_once"),
                models.CheckConstraint(condition=models.Q(("version__gte", 1)), name="house_rules_version_from_1"),
            ],
        },
    ),
    migrations.CreateModel(
        name="Season",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("club", models.ForeignKey(on_delete=models.PROTECT, related_name="seasons", to="league.club")),
            ("slug", models.SlugField(max_length=40, verbose_name="short name")),
            ("name", models.CharField(max_length=80, verbose_name="name")),
            ("starts_on", models.DateField(verbose_name="from")),
            ("ends_on", models.DateField(blank=True, null=True, verbose_name="to")),
            (
                "planned_evenings",
                models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="planned evenings"),
            ),
            (
                "ranking",
                models.CharField(
                    choices=[("points", "by points"), ("balance", "by balance")],
                    default="points",
                    max_length=10,
                    verbose_name="ranking",
                ),
            ),
            (
                "games",
                models.CharField(
                    blank=True,
                    choices=[("", "every game"), ("chratze", "Chratze"), ("kratzen", "Kratzen")],
                    default="",
                    max_length=20,
                    verbose_name="games that count",
                ),
            ),
            (
                "best_evenings",
                models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="best evenings that count"),
            ),
            (
                "points_only",
                models.BooleanField(
                    default=False,
                    help_text="Amounts are shown to nobody and settled with nobody; only points count.",
                    verbose_name="points only",
                ),
            ),
            ("points_declared", models.SmallIntegerField(default=2, verbose_name="points: declared and made")),
            ("points_joined", models.SmallIntegerField(default=1, verbose_name="points: joined and made")),
            ("points_walkover", models.SmallIntegerField(default=1, verbose_name="points: walkover")),
            (
                "points_declared_failed",
                models.SmallIntegerField(default=-2, verbose_name="points: declared and failed"),
            ),
            ("points_joined_failed", models.SmallIntegerField(default=-1, verbose_name="points: joined and failed")),
            ("ledger_mark", models.PositiveBigIntegerField(default=0, editable=False)),
        ],
        options={
            "verbose_name": "season",
            "verbose_name_plural": "seasons",
            "ordering": ["-starts_on", "-pk"],
            "constraints": [
                models.UniqueConstraint(fields=("club", "slug"), name="season_slug_once_a_club"),
                models.CheckConstraint(
                    condition=models.Q(("best_evenings__isnull", True), ("best_evenings__gte", 1), _connector="OR"),
                    name="season_best_evenings_from_1",
                ),
                models.CheckConstraint(
                    condition=models.Q(("ranking__in", ["points", "balance"])), name="season_ranking_known"
                ),
                models.CheckConstraint(
                    condition=models.Q(("points_only", False), ("ranking", "points"), _connector="OR"),
                    name="season_in_points_is_ranked_by_points",
                ),
                models.CheckConstraint(
                    condition=models.Q(("games__in", ["", "chratze", "kratzen"])), name="season_games_known"
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="Submission",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("club", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="league.club")),
            ("key", models.UUIDField()),
            ("body_hash", models.CharField(max_length=64)),
            ("author", models.ForeignKey(blank=True, null=True, on_delete=models.PROTECT, to=settings.AUTH_USER_MODEL)),
            ("created_at", models.DateTimeField(auto_now_add=True)),
        ],
        options={
            "verbose_name": "submission",
            "verbose_name_plural": "submissions",
            "constraints": [models.UniqueConstraint(fields=("club", "key"), name="submission_key_once_a_club")],
        },
    ),
    migrations.CreateModel(
        name="Evening",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("club", models.ForeignKey(on_delete=models.PROTECT, related_name="evenings", to="league.club")),
            ("season", models.ForeignKey(on_delete=models.PROTECT, related_name="evenings", to="league.season")),
            ("number", models.PositiveIntegerField(verbose_name="number")),
            ("held_on", models.DateField(verbose_name="date")),
            ("game", models.CharField(max_length=20, verbose_name="game")),
            (
                "house_rules",
                models.ForeignKey(on_delete=models.PROTECT, related_name="evenings", to="league.houserules"),
            ),
            (
                "state",
                models.CharField(
                    choices=[("open", "open"), ("closed", "closed")],
                    default="open",
                    max_length=10,
                    verbose_name="state",
                ),
            ),
            ("final_at", models.DateTimeField(blank=True, null=True, verbose_name="final from")),
            (
                "settling",
                models.CharField(
                    choices=[("hands", "in coins after each hand"), ("end", "at the end of the evening")],
                    default="end",
                    max_length=10,
                    verbose_name="settles up",
                ),
            ),
            (
                "opened_by",
                models.ForeignKey(blank=True, null=True, on_delete=models.PROTECT, to=settings.AUTH_USER_MODEL),
            ),
            (
                "submission",
                models.OneToOneField(
                    blank=True, null=True, on_delete=models.PROTECT, related_name="evening", to="league.submission"
                ),
            ),
            ("created_at", models.DateTimeField(auto_now_add=True)),
        ],
        options={
            "verbose_name": "evening",
            "verbose_name_plural": "evenings",
            "ordering": ["-held_on", "-number"],
            "constraints": [
                models.UniqueConstraint(fields=("season", "number"), name="evening_number_once_a_season"),
                models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="evening_number_from_1"),
                models.CheckConstraint(
                    condition=models.Q(("state__in", ["open", "closed"])), name="evening_state_known"
                ),
                models.CheckConstraint(
                    condition=models.Q(("settling__in", ["hands", "end"])), name="evening_settling_known"
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="Account",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("club", models.ForeignKey(on_delete=models.PROTECT, related_name="accounts", to="league.club")),
            (
                "kind",
                models.CharField(
                    choices=[("player", "player"), ("pot", "pot"), ("kitty", "kitty"), ("box", "carried pot")],
                    max_length=10,
                    verbose_name="kind",
                ),
            ),
            (
                "player",
                models.OneToOneField(
                    blank=True, null=True, on_delete=models.PROTECT, related_name="account", to="league.player"
                ),
            ),
        ],
        options={
            "verbose_name": "account",
            "verbose_name_plural": "accounts",
            "constraints": [
                models.CheckConstraint(
                    condition=models.Q(
                        models.Q(("kind", "player"), ("player__isnull", False)),
                        models.Q(("kind__in", ["pot", "kitty", "box"]), ("player__isnull", True)),
                        _connector="OR",
                    ),
                    name="account_player_exactly_for_players",
                ),
                models.UniqueConstraint(
                    condition=models.Q(("kind", "kitty")), fields=("club",), name="account_one_kitty_a_club"
                ),
                models.UniqueConstraint(
                    condition=models.Q(("kind", "box")), fields=("club",), name="account_one_box_a_club"
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="Posting",
        fields=[
            ("id", models.UUIDField(primary_key=True, serialize=False)),
            ("club", models.ForeignKey(on_delete=models.PROTECT, related_name="postings", to="league.club")),
            ("season", models.ForeignKey(on_delete=models.PROTECT, related_name="postings", to="league.season")),
            ("evening", models.ForeignKey(on_delete=models.PROTECT, related_name="postings", to="league.evening")),
            ("source", models.UUIDField(verbose_name="source")),
            ("revision", models.PositiveIntegerField(verbose_name="revision")),
            (
                "reverses",
                models.OneToOneField(
                    blank=True, null=True, on_delete=models.PROTECT, related_name="reversed_by", to="league.posting"
                ),
            ),
            ("author", models.ForeignKey(blank=True, null=True, on_delete=models.PROTECT, to=settings.AUTH_USER_MODEL)),
            ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
            ("created_at", models.DateTimeField(auto_now_add=True)),
        ],
        options={
            "verbose_name": "posting",
            "verbose_name_plural": "postings",
            "constraints": [
                models.UniqueConstraint(fields=("source", "revision"), name="posting_once_a_revision"),
                models.CheckConstraint(condition=models.Q(("revision__gte", 1)), name="posting_revision_from_1"),
            ],
        },
    ),
    migrations.CreateModel(
        name="Transfer",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("posting", models.ForeignKey(on_delete=models.PROTECT, related_name="transfers", to="league.posting")),
            ("season", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="league.season")),
            ("from_account", models.ForeignKey(on_delete=models.PROTECT, related_name="paid", to="league.account")),
            ("to_account", models.ForeignKey(on_delete=models.PROTECT, related_name="received", to="league.account")),
            ("amount_minor", models.BigIntegerField(verbose_name="amount")),
            (
                "kind",
                models.CharField(
                    choices=[
                        ("ante", "ante"),
                        ("cut", "cut"),
                        ("payout", "payout"),
                        ("penalty", "penalty"),
                        ("moved", "pot moved"),
                        ("share", "share of the pot"),
                        ("paid", "paid"),
                    ],
                    max_length=10,
                    verbose_name="kind",
                ),
            ),
        ],
        options={
            "verbose_name": "transfer",
            "verbose_name_plural": "transfers",
            "constraints": [
                models.CheckConstraint(condition=models.Q(("amount_minor__gt", 0)), name="transfer_amount_above_0"),
                models.CheckConstraint(
                    condition=models.Q(("amount_minor__lte", 1000000000000000)), name="transfer_amount_within_limits"
                ),
                models.CheckConstraint(
                    condition=models.Q(("from_account", models.F("to_account")), _negated=True),
                    name="transfer_between_two_accounts",
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="ResultRow",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("posting", models.ForeignKey(on_delete=models.PROTECT, related_name="results", to="league.posting")),
            ("season", models.ForeignKey(on_delete=models.PROTECT, related_name="results", to="league.season")),
            ("evening", models.ForeignKey(on_delete=models.PROTECT, related_name="results", to="league.evening")),
            ("player", models.ForeignKey(on_delete=models.PROTECT, related_name="results", to="league.player")),
            ("source", models.UUIDField()),
            ("revision", models.PositiveIntegerField()),
            ("seat", models.PositiveSmallIntegerField(verbose_name="seat")),
            (
                "role",
                models.CharField(
                    choices=[
                        ("declarer", "declarer"),
                        ("joiner", "joiner"),
                        ("out", "out"),
                        ("share", "share of the pot"),
                    ],
                    max_length=10,
                    verbose_name="role",
                ),
            ),
            ("made", models.BooleanField(null=True, verbose_name="reached the goal")),
            ("tricks", models.PositiveSmallIntegerField(null=True, verbose_name="tricks")),
            ("walkover", models.BooleanField(default=False, verbose_name="walkover")),
            ("passed_out", models.BooleanField(default=False, verbose_name="passed out")),
            ("muss", models.BooleanField(default=False, verbose_name="Muss")),
            ("blind", models.CharField(blank=True, max_length=10, verbose_name="blind")),
            ("susi", models.BooleanField(default=False, verbose_name="Susi")),
            ("pot_won_minor", models.BigIntegerField(default=0, verbose_name="won from the pot")),
            ("change_minor", models.BigIntegerField(verbose_name="change")),
        ],
        options={
            "verbose_name": "result row",
            "verbose_name_plural": "result rows",
            "indexes": [models.Index(fields=["season", "player"], name="result_season_player")],
            "constraints": [
                models.UniqueConstraint(fields=("source", "player"), name="result_once_a_player_and_hand"),
                models.UniqueConstraint(fields=("source", "seat"), name="result_once_a_seat_and_hand"),
                models.CheckConstraint(
                    condition=models.Q(("role__in", ["declarer", "joiner", "out", "share"])), name="result_role_known"
                ),
            ],
        },
    ),
]
