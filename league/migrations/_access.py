"""Rights and actions; programs (for 0001_tables)."""

from uuid import uuid4

from django.conf import settings
from django.db import migrations, models

tables = [
    migrations.CreateModel(
        name="Invitation",
        fields=[
            ("id", models.UUIDField(default=uuid4, primary_key=True, serialize=False)),
            ("club", models.ForeignKey(on_delete=models.CASCADE, related_name="invitations", to="league.club")),
            (
                "role",
                models.CharField(
                    choices=[
                        ("owner", "owner"),
                        ("treasurer", "treasurer"),
                        ("recorder", "recorder"),
                        ("member", "member"),
                    ],
                    default="member",
                    max_length=10,
                    verbose_name="role",
                ),
            ),
            (
                "player",
                models.ForeignKey(
                    blank=True, null=True, on_delete=models.CASCADE, related_name="invitations", to="league.player"
                ),
            ),
            ("note", models.CharField(blank=True, max_length=80, verbose_name="for whom")),
            ("digest", models.CharField(max_length=64, unique=True)),
            (
                "author",
                models.ForeignKey(null=True, on_delete=models.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL),
            ),
            ("created_at", models.DateTimeField(auto_now_add=True)),
            ("expires_at", models.DateTimeField(verbose_name="valid until")),
            (
                "taken_by",
                models.ForeignKey(
                    blank=True, null=True, on_delete=models.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL
                ),
            ),
            ("used_at", models.DateTimeField(blank=True, null=True, verbose_name="accepted")),
            (
                "used_by",
                models.ForeignKey(
                    blank=True, null=True, on_delete=models.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL
                ),
            ),
            ("revoked_at", models.DateTimeField(blank=True, null=True, verbose_name="withdrawn")),
        ],
        options={
            "verbose_name": "invitation",
            "verbose_name_plural": "invitations",
            "ordering": ["-created_at"],
            "constraints": [
                models.CheckConstraint(
                    condition=models.Q(("role__in", ["owner", "treasurer", "recorder", "member"])),
                    name="invitation_role_known",
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="ApiToken",
        fields=[
            ("digest", models.CharField(max_length=128, primary_key=True, serialize=False)),
            ("token_key", models.CharField(db_index=True, max_length=25)),
            (
                "user",
                models.ForeignKey(on_delete=models.CASCADE, related_name="auth_token_set", to=settings.AUTH_USER_MODEL),
            ),
            ("created", models.DateTimeField(auto_now_add=True)),
            ("expiry", models.DateTimeField(blank=True, null=True)),
            ("name", models.CharField(max_length=60, verbose_name="name")),
            ("scopes", models.JSONField(default=list, verbose_name="scopes")),
            (
                "club",
                models.ForeignKey(blank=True, null=True, on_delete=models.CASCADE, related_name="+", to="league.club"),
            ),
            ("used_at", models.DateTimeField(blank=True, null=True, verbose_name="last used")),
        ],
        options={
            "verbose_name": "token",
            "verbose_name_plural": "tokens",
            "ordering": ["-created"],
        },
    ),
    migrations.CreateModel(
        name="PlayerMerge",
        fields=[
            ("id", models.UUIDField(default=uuid4, primary_key=True, serialize=False)),
            ("club", models.ForeignKey(on_delete=models.PROTECT, related_name="merges", to="league.club")),
            ("player", models.ForeignKey(on_delete=models.PROTECT, related_name="merges", to="league.player")),
            ("main", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="league.player")),
            ("joined", models.BooleanField(default=True, verbose_name="one person")),
            (
                "author",
                models.ForeignKey(null=True, on_delete=models.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL),
            ),
            ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
            ("created_at", models.DateTimeField(auto_now_add=True)),
        ],
        options={
            "verbose_name": "merge of players",
            "verbose_name_plural": "merges of players",
            "ordering": ["created_at"],
            "constraints": [
                models.CheckConstraint(
                    condition=models.Q(("player", models.F("main")), _negated=True), name="merge_of_two_players"
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="AuditEntry",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            (
                "club",
                models.ForeignKey(
                    blank=True, null=True, on_delete=models.PROTECT, related_name="log", to="league.club"
                ),
            ),
            ("at", models.DateTimeField(auto_now_add=True)),
            (
                "actor",
                models.ForeignKey(
                    blank=True, null=True, on_delete=models.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                ),
            ),
            ("token", models.CharField(blank=True, max_length=60, verbose_name="token")),
            ("what", models.CharField(max_length=40, verbose_name="what")),
            ("about", models.CharField(blank=True, max_length=80, verbose_name="about")),
            ("data", models.JSONField(default=dict, verbose_name="data")),
        ],
        options={
            "verbose_name": "entry of the log",
            "verbose_name_plural": "entries of the log",
            "ordering": ["-pk"],
            "indexes": [models.Index(fields=["club", "-id"], name="log_of_a_club")],
        },
    ),
    migrations.CreateModel(
        name="KeptAnswer",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("digest", models.CharField(max_length=64, unique=True)),
            ("fingerprint", models.CharField(max_length=64)),
            ("status", models.PositiveSmallIntegerField(default=0, verbose_name="answer")),
            ("sealed", models.BinaryField(default=b"")),
            ("created_at", models.DateTimeField(auto_now_add=True, db_index=True)),
        ],
        options={
            "verbose_name": "kept answer",
            "verbose_name_plural": "kept answers",
            "ordering": ["-pk"],
        },
    ),
    migrations.CreateModel(
        name="Webhook",
        fields=[
            ("id", models.UUIDField(default=uuid4, primary_key=True, serialize=False)),
            ("club", models.ForeignKey(on_delete=models.CASCADE, related_name="webhooks", to="league.club")),
            ("url", models.URLField(max_length=400, verbose_name="address")),
            ("events", models.JSONField(default=list, verbose_name="events")),
            ("secret", models.CharField(max_length=64, verbose_name="secret")),
            ("old_secret", models.CharField(blank=True, max_length=64, verbose_name="secret before")),
            ("old_until", models.DateTimeField(blank=True, null=True, verbose_name="secret before, until")),
            ("active", models.BooleanField(default=True, verbose_name="on")),
            (
                "author",
                models.ForeignKey(null=True, on_delete=models.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL),
            ),
            ("created_at", models.DateTimeField(auto_now_add=True)),
            ("busy_until", models.DateTimeField(blank=True, null=True)),
            ("retry_at", models.DateTimeField(blank=True, null=True)),
            ("failing_since", models.DateTimeField(blank=True, null=True, verbose_name="failing since")),
            ("off_at", models.DateTimeField(blank=True, null=True, verbose_name="switched off by itself")),
            ("removed_at", models.DateTimeField(blank=True, null=True, verbose_name="removed")),
        ],
        options={
            "verbose_name": "webhook",
            "verbose_name_plural": "webhooks",
            "ordering": ["created_at"],
        },
    ),
    migrations.CreateModel(
        name="Delivery",
        fields=[
            ("id", models.UUIDField(default=uuid4, primary_key=True, serialize=False)),
            ("webhook", models.ForeignKey(on_delete=models.CASCADE, related_name="deliveries", to="league.webhook")),
            (
                "event",
                models.CharField(
                    choices=[
                        ("hand.stored", "a hand was stored"),
                        ("evening.closed", "an evening was closed"),
                        ("season.counted", "a season was counted"),
                        ("ping", "a test"),
                    ],
                    max_length=20,
                    verbose_name="event",
                ),
            ),
            ("subject", models.CharField(max_length=80, verbose_name="about")),
            ("body", models.JSONField(verbose_name="body")),
            ("created_at", models.DateTimeField(auto_now_add=True)),
            ("tries", models.PositiveSmallIntegerField(default=0, verbose_name="tries")),
            ("next_at", models.DateTimeField(blank=True, null=True, verbose_name="next try")),
            ("tried_at", models.DateTimeField(blank=True, null=True, verbose_name="last try")),
            ("delivered_at", models.DateTimeField(blank=True, null=True, verbose_name="delivered")),
            ("status", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="answer")),
            ("error", models.CharField(blank=True, max_length=200, verbose_name="fault")),
            ("took_ms", models.PositiveIntegerField(blank=True, null=True)),
            (
                "replay_of",
                models.ForeignKey(
                    blank=True, null=True, on_delete=models.SET_NULL, related_name="replays", to="league.delivery"
                ),
            ),
        ],
        options={
            "verbose_name": "delivery",
            "verbose_name_plural": "deliveries",
            "ordering": ["-created_at"],
            "indexes": [
                models.Index(condition=models.Q(("next_at__isnull", False)), fields=["next_at"], name="delivery_due")
            ],
            "constraints": [
                models.UniqueConstraint(
                    condition=models.Q(("replay_of__isnull", True)),
                    fields=("webhook", "event", "subject"),
                    name="delivery_once_an_event",
                )
            ],
        },
    ),
]
