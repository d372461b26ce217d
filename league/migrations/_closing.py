"""Ends of evenings and their receipts; what is counted of a season (for 0001_tables)."""

from uuid import uuid4

from django.conf import settings
from django.db import migrations, models

tables = [
    migrations.CreateModel(
        name="Closing",
        fields=[
            ("id", models.UUIDField(default=uuid4, primary_key=True, serialize=False)),
            ("evening", models.ForeignKey(on_delete=models.PROTECT, related_name="closings", to="league.evening")),
            ("number", models.PositiveIntegerField(verbose_name="number")),
            (
                "kind",
                models.CharField(
                    choices=[
                        ("closed", "closed"),
                        ("mended", "corrected"),
                        ("reopened", "opened again"),
                        ("cashed", "settled up early"),
                    ],
                    max_length=10,
                    verbose_name="kind",
                ),
            ),
            (
                "pot",
                models.CharField(
                    blank=True,
                    choices=[
                        ("carry", "stays for the next evening"),
                        ("share", "shared among those present"),
                        ("kitty", "goes to the kitty"),
                    ],
                    max_length=10,
                    verbose_name="pot",
                ),
            ),
            (
                "posting",
                models.OneToOneField(
                    blank=True, null=True, on_delete=models.PROTECT, related_name="closing", to="league.posting"
                ),
            ),
            (
                "submission",
                models.OneToOneField(
                    blank=True, null=True, on_delete=models.PROTECT, related_name="closing", to="league.submission"
                ),
            ),
            ("author", models.ForeignKey(blank=True, null=True, on_delete=models.PROTECT, to=settings.AUTH_USER_MODEL)),
            ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
            ("created_at", models.DateTimeField(auto_now_add=True)),
        ],
        options={
            "verbose_name": "end of an evening",
            "verbose_name_plural": "ends of evenings",
            "ordering": ["number"],
            "constraints": [
                models.UniqueConstraint(fields=("evening", "number"), name="closing_number_once_an_evening"),
                models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="closing_number_from_1"),
                models.CheckConstraint(
                    condition=models.Q(
                        models.Q(("kind__in", ["closed", "mended"]), ("pot__in", ["carry", "share", "kitty"])),
                        models.Q(("kind__in", ["reopened", "cashed"]), ("posting__isnull", True), ("pot", "")),
                        _connector="OR",
                    ),
                    name="closing_pot_where_closed",
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="Payment",
        fields=[
            ("id", models.UUIDField(default=uuid4, primary_key=True, serialize=False)),
            ("closing", models.ForeignKey(on_delete=models.PROTECT, related_name="payments", to="league.closing")),
            ("number", models.PositiveSmallIntegerField(verbose_name="number")),
            ("payer", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="league.account")),
            ("payee", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="league.account")),
            ("amount_minor", models.BigIntegerField(verbose_name="amount")),
        ],
        options={
            "verbose_name": "payment",
            "verbose_name_plural": "payments",
            "ordering": ["number"],
            "constraints": [
                models.UniqueConstraint(fields=("closing", "number"), name="payment_number_once_a_closing"),
                models.CheckConstraint(condition=models.Q(("amount_minor__gt", 0)), name="payment_amount_above_0"),
                models.CheckConstraint(
                    condition=models.Q(("payer", models.F("payee")), _negated=True), name="payment_between_two_accounts"
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="Receipt",
        fields=[
            (
                "closing",
                models.OneToOneField(
                    on_delete=models.PROTECT,
                    primary_key=True,
                    related_name="receipt",
                    serialize=False,
                    to="league.closing",
                ),
            ),
            ("club", models.ForeignKey(on_delete=models.PROTECT, related_name="receipts", to="league.club")),
            ("number", models.PositiveIntegerField(verbose_name="number")),
            ("content", models.JSONField(verbose_name="content")),
            ("digest", models.CharField(max_length=64, verbose_name="digest")),
        ],
        options={
            "verbose_name": "receipt",
            "verbose_name_plural": "receipts",
            "ordering": ["number"],
            "constraints": [
                models.UniqueConstraint(fields=("club", "number"), name="receipt_number_once_a_club"),
                models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="receipt_number_from_1"),
            ],
        },
    ),
    migrations.CreateModel(
        name="ReceiptName",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("receipt", models.ForeignKey(on_delete=models.PROTECT, related_name="names", to="league.receipt")),
            ("player", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="league.player")),
            ("name", models.CharField(max_length=40, verbose_name="name")),
            ("salt", models.CharField(max_length=32)),
        ],
        options={
            "verbose_name": "name in a receipt",
            "verbose_name_plural": "names in receipts",
            "constraints": [models.UniqueConstraint(fields=("receipt", "player"), name="receipt_name_once_a_player")],
        },
    ),
    migrations.CreateModel(
        name="ReceiptOpening",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("receipt", models.ForeignKey(on_delete=models.PROTECT, related_name="openings", to="league.receipt")),
            ("player", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="league.player")),
            ("count", models.PositiveIntegerField(default=1, verbose_name="opened")),
            ("first_at", models.DateTimeField(verbose_name="first")),
            ("last_at", models.DateTimeField(verbose_name="last")),
        ],
        options={
            "verbose_name": "opened receipt",
            "verbose_name_plural": "opened receipts",
            "constraints": [
                models.UniqueConstraint(fields=("receipt", "player"), name="receipt_opening_once_a_player")
            ],
        },
    ),
    migrations.CreateModel(
        name="SeasonCount",
        fields=[
            (
                "season",
                models.OneToOneField(
                    on_delete=models.CASCADE,
                    primary_key=True,
                    related_name="count",
                    serialize=False,
                    to="league.season",
                ),
            ),
            ("counted_mark", models.PositiveBigIntegerField(default=0)),
            ("counted_at", models.DateTimeField(null=True)),
            ("took_ms", models.PositiveIntegerField(default=0)),
        ],
        options={
            "verbose_name": "count of a season",
            "verbose_name_plural": "counts of seasons",
        },
    ),
    migrations.CreateModel(
        name="Standing",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("hands", models.PositiveIntegerField(verbose_name="hands")),
            ("declared", models.PositiveIntegerField(verbose_name="declared")),
            ("declared_made", models.PositiveIntegerField(verbose_name="declared and made")),
            ("joined", models.PositiveIntegerField(verbose_name="joined")),
            ("joined_made", models.PositiveIntegerField(verbose_name="joined and made")),
            ("out", models.PositiveIntegerField(verbose_name="out")),
            ("blinds", models.PositiveIntegerField(verbose_name="blinds")),
            ("blinds_made", models.PositiveIntegerField(verbose_name="blinds made")),
            ("walkovers", models.PositiveIntegerField(verbose_name="walkovers")),
            ("susi", models.PositiveIntegerField(verbose_name="Susi")),
            ("biggest_pot_minor", models.BigIntegerField(verbose_name="biggest pot won")),
            ("musses", models.PositiveIntegerField(default=0, verbose_name="Muss hands")),
            ("musses_made", models.PositiveIntegerField(default=0, verbose_name="Muss hands made")),
            ("season", models.ForeignKey(on_delete=models.CASCADE, related_name="standings", to="league.season")),
            ("player", models.ForeignKey(on_delete=models.CASCADE, related_name="standings", to="league.player")),
            ("rank", models.PositiveIntegerField(verbose_name="rank")),
            ("rank_before", models.PositiveIntegerField(null=True, verbose_name="rank before the last evening")),
            ("points", models.BigIntegerField(verbose_name="points")),
            ("balance_minor", models.BigIntegerField(verbose_name="balance")),
            ("evenings", models.PositiveIntegerField(verbose_name="evenings")),
            ("best_night_minor", models.BigIntegerField(verbose_name="best night")),
            ("worst_night_minor", models.BigIntegerField(verbose_name="worst night")),
            ("best_night_points", models.BigIntegerField(verbose_name="best night in points")),
            ("worst_night_points", models.BigIntegerField(verbose_name="worst night in points")),
        ],
        options={
            "verbose_name": "standing",
            "verbose_name_plural": "standings",
            "ordering": ["rank", "player__nickname"],
            "constraints": [models.UniqueConstraint(fields=("season", "player"), name="standing_once_a_player")],
        },
    ),
    migrations.CreateModel(
        name="EveningScore",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("hands", models.PositiveIntegerField(verbose_name="hands")),
            ("declared", models.PositiveIntegerField(verbose_name="declared")),
            ("declared_made", models.PositiveIntegerField(verbose_name="declared and made")),
            ("joined", models.PositiveIntegerField(verbose_name="joined")),
            ("joined_made", models.PositiveIntegerField(verbose_name="joined and made")),
            ("out", models.PositiveIntegerField(verbose_name="out")),
            ("blinds", models.PositiveIntegerField(verbose_name="blinds")),
            ("blinds_made", models.PositiveIntegerField(verbose_name="blinds made")),
            ("walkovers", models.PositiveIntegerField(verbose_name="walkovers")),
            ("susi", models.PositiveIntegerField(verbose_name="Susi")),
            ("biggest_pot_minor", models.BigIntegerField(verbose_name="biggest pot won")),
            ("musses", models.PositiveIntegerField(default=0, verbose_name="Muss hands")),
            ("musses_made", models.PositiveIntegerField(default=0, verbose_name="Muss hands made")),
            ("season", models.ForeignKey(on_delete=models.CASCADE, related_name="evening_scores", to="league.season")),
            ("evening", models.ForeignKey(on_delete=models.CASCADE, related_name="scores", to="league.evening")),
            ("player", models.ForeignKey(on_delete=models.CASCADE, related_name="evening_scores", to="league.player")),
            ("points", models.BigIntegerField(verbose_name="points")),
            ("change_minor", models.BigIntegerField(verbose_name="change")),
            ("points_after", models.BigIntegerField(verbose_name="points after the evening")),
            ("balance_after_minor", models.BigIntegerField(verbose_name="balance after the evening")),
            ("rank_after", models.PositiveIntegerField(verbose_name="rank after the evening")),
        ],
        options={
            "verbose_name": "evening of a player",
            "verbose_name_plural": "evenings of players",
            "constraints": [
                models.UniqueConstraint(fields=("season", "evening", "player"), name="evening_score_once_a_player")
            ],
        },
    ),
    migrations.CreateModel(
        name="Balance",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("season", models.ForeignKey(on_delete=models.CASCADE, related_name="balances", to="league.season")),
            ("account", models.ForeignKey(on_delete=models.CASCADE, related_name="balances", to="league.account")),
            ("balance_minor", models.BigIntegerField(verbose_name="balance")),
        ],
        options={
            "verbose_name": "balance",
            "verbose_name_plural": "balances",
            "constraints": [models.UniqueConstraint(fields=("season", "account"), name="balance_once_an_account")],
        },
    ),
    migrations.CreateModel(
        name="Heartbeat",
        fields=[
            ("name", models.CharField(max_length=40, primary_key=True, serialize=False)),
            ("at", models.DateTimeField()),
        ],
        options={
            "verbose_name": "heartbeat",
            "verbose_name_plural": "heartbeats",
        },
    ),
]
