"""All tables of the games, and their triggers."""

from uuid import uuid4

from django.conf import settings
from django.db import migrations, models

from league.migrations._operations import CreateModels
from league.triggers import create_games, drop_games

TABLES = [
    migrations.CreateModel(
        name="Table",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("evening", models.ForeignKey(on_delete=models.PROTECT, related_name="tables", to="league.evening")),
            ("number", models.PositiveSmallIntegerField(default=1, verbose_name="number")),
            ("pot_account", models.OneToOneField(on_delete=models.PROTECT, related_name="table", to="league.account")),
            ("first_dealer", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="league.player")),
            ("hands", models.PositiveIntegerField(default=0, verbose_name="hands")),
            ("pot_minor", models.BigIntegerField(default=0, verbose_name="pot")),
            ("dealer", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="league.player")),
            ("deal_number", models.PositiveSmallIntegerField(default=1, verbose_name="deal number")),
            ("dealer_set", models.BooleanField(default=False, verbose_name="dealer named")),
            ("moved_minor", models.BigIntegerField(default=0, verbose_name="moved into the pot")),
            ("last_hand", models.BooleanField(default=False, verbose_name="last hand for all")),
            ("paused_at", models.DateTimeField(blank=True, null=True, verbose_name="paused since")),
            ("dissolved", models.BooleanField(default=False, verbose_name="dissolved")),
        ],
        options={
            "verbose_name": "table",
            "verbose_name_plural": "tables",
            "constraints": [
                models.UniqueConstraint(fields=("evening", "number"), name="table_number_once_an_evening"),
                models.CheckConstraint(condition=models.Q(("pot_minor__gte", 0)), name="table_pot_not_negative"),
                models.CheckConstraint(condition=models.Q(("deal_number__gte", 1)), name="table_deal_number_from_1"),
            ],
        },
    ),
    migrations.CreateModel(
        name="Place",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("table", models.ForeignKey(on_delete=models.CASCADE, related_name="places", to="games.table")),
            ("seat", models.PositiveSmallIntegerField(verbose_name="seat")),
            ("player", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="league.player")),
        ],
        options={
            "verbose_name": "place",
            "verbose_name_plural": "places",
            "ordering": ["seat"],
            "constraints": [
                models.UniqueConstraint(fields=("table", "seat"), name="place_once_a_seat"),
                models.UniqueConstraint(fields=("table", "player"), name="place_once_a_player"),
                models.CheckConstraint(condition=models.Q(("seat__lte", 6)), name="place_within_seven_seats"),
            ],
        },
    ),
    migrations.CreateModel(
        name="Pencil",
        fields=[
            (
                "table",
                models.OneToOneField(
                    on_delete=models.CASCADE, primary_key=True, related_name="pencil", serialize=False, to="games.table"
                ),
            ),
            ("holder", models.ForeignKey(on_delete=models.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL)),
            ("device", models.CharField(max_length=36, verbose_name="device")),
            ("taken_at", models.DateTimeField(verbose_name="taken")),
            ("seen_at", models.DateTimeField(verbose_name="last seen")),
            (
                "asked_by",
                models.ForeignKey(
                    blank=True, null=True, on_delete=models.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                ),
            ),
            ("asked_device", models.CharField(blank=True, max_length=36, verbose_name="device that asks")),
            ("asked_at", models.DateTimeField(blank=True, null=True, verbose_name="asked")),
        ],
        options={
            "verbose_name": "pencil",
            "verbose_name_plural": "pencils",
        },
    ),
    migrations.CreateModel(
        name="Hand",
        fields=[
            ("id", models.UUIDField(default=uuid4, primary_key=True, serialize=False)),
            ("table", models.ForeignKey(on_delete=models.PROTECT, related_name="hand_set", to="games.table")),
            ("number", models.PositiveIntegerField(verbose_name="number")),
        ],
        options={
            "verbose_name": "hand",
            "verbose_name_plural": "hands",
            "ordering": ["number"],
            "constraints": [
                models.UniqueConstraint(fields=("table", "number"), name="hand_number_once_a_table"),
                models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="hand_number_from_1"),
            ],
        },
    ),
    migrations.CreateModel(
        name="Correction",
        fields=[
            ("id", models.UUIDField(default=uuid4, primary_key=True, serialize=False)),
            ("table", models.ForeignKey(on_delete=models.PROTECT, related_name="corrections", to="games.table")),
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
            (
                "submission",
                models.OneToOneField(on_delete=models.PROTECT, related_name="correction", to="league.submission"),
            ),
            ("author", models.ForeignKey(blank=True, null=True, on_delete=models.PROTECT, to=settings.AUTH_USER_MODEL)),
            ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
            ("created_at", models.DateTimeField(auto_now_add=True)),
        ],
        options={
            "verbose_name": "correction",
            "verbose_name_plural": "corrections",
            "ordering": ["-created_at"],
            "constraints": [
                models.CheckConstraint(
                    condition=models.Q(("kind__in", ["changed", "voided", "inserted", "moved", "seats"])),
                    name="correction_kind_known",
                ),
                models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="correction_hand_from_1"),
            ],
        },
    ),
    migrations.CreateModel(
        name="Revision",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("hand", models.ForeignKey(on_delete=models.PROTECT, related_name="revisions", to="games.hand")),
            ("number", models.PositiveIntegerField(verbose_name="revision")),
            (
                "kind",
                models.CharField(
                    choices=[("entered", "entered"), ("voided", "voided")], max_length=10, verbose_name="kind"
                ),
            ),
            ("record", models.JSONField(verbose_name="record")),
            ("result", models.JSONField(verbose_name="result")),
            (
                "posting",
                models.OneToOneField(on_delete=models.PROTECT, related_name="hand_revision", to="league.posting"),
            ),
            (
                "submission",
                models.OneToOneField(
                    blank=True,
                    null=True,
                    on_delete=models.PROTECT,
                    related_name="hand_revision",
                    to="league.submission",
                ),
            ),
            (
                "correction",
                models.ForeignKey(
                    blank=True, null=True, on_delete=models.PROTECT, related_name="revisions", to="games.correction"
                ),
            ),
            ("dealer_set", models.BooleanField(default=False, verbose_name="dealer named")),
            ("moved_minor", models.BigIntegerField(default=0, verbose_name="moved into the pot")),
            ("author", models.ForeignKey(blank=True, null=True, on_delete=models.PROTECT, to=settings.AUTH_USER_MODEL)),
            (
                "recorder",
                models.ForeignKey(
                    blank=True, null=True, on_delete=models.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                ),
            ),
            ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
            ("created_at", models.DateTimeField(auto_now_add=True)),
        ],
        options={
            "verbose_name": "revision",
            "verbose_name_plural": "revisions",
            "ordering": ["number"],
            "constraints": [
                models.UniqueConstraint(fields=("hand", "number"), name="revision_number_once_a_hand"),
                models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="revision_number_from_1"),
                models.CheckConstraint(
                    condition=models.Q(("kind__in", ["entered", "voided"])), name="revision_kind_known"
                ),
                models.CheckConstraint(
                    condition=models.Q(
                        models.Q(("correction__isnull", True), ("submission__isnull", False)),
                        models.Q(("correction__isnull", False), ("submission__isnull", True)),
                        _connector="OR",
                    ),
                    name="revision_of_a_submission_or_a_correction",
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="Seat",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("revision", models.ForeignKey(on_delete=models.PROTECT, related_name="seats", to="games.revision")),
            ("number", models.PositiveSmallIntegerField(verbose_name="seat")),
            ("player", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="league.player")),
        ],
        options={
            "verbose_name": "seat",
            "verbose_name_plural": "seats",
            "ordering": ["number"],
            "constraints": [
                models.UniqueConstraint(fields=("revision", "number"), name="seat_once_a_revision"),
                models.UniqueConstraint(fields=("revision", "player"), name="seat_player_once_a_revision"),
                models.CheckConstraint(condition=models.Q(("number__lte", 6)), name="seat_within_seven"),
            ],
        },
    ),
    migrations.CreateModel(
        name="Happening",
        fields=[
            ("id", models.UUIDField(default=uuid4, primary_key=True, serialize=False)),
            ("table", models.ForeignKey(on_delete=models.PROTECT, related_name="happenings", to="games.table")),
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
            (
                "posting",
                models.OneToOneField(
                    blank=True, null=True, on_delete=models.PROTECT, related_name="happening", to="league.posting"
                ),
            ),
            (
                "submission",
                models.OneToOneField(
                    blank=True, null=True, on_delete=models.PROTECT, related_name="happening", to="league.submission"
                ),
            ),
            ("author", models.ForeignKey(blank=True, null=True, on_delete=models.PROTECT, to=settings.AUTH_USER_MODEL)),
            ("created_at", models.DateTimeField(auto_now_add=True)),
        ],
        options={
            "verbose_name": "happening",
            "verbose_name_plural": "happenings",
            "ordering": ["created_at", "pk"],
            "constraints": [
                models.CheckConstraint(
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
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="Dispute",
        fields=[
            ("id", models.UUIDField(default=uuid4, primary_key=True, serialize=False)),
            ("hand", models.ForeignKey(on_delete=models.PROTECT, related_name="disputes", to="games.hand")),
            ("revision", models.PositiveIntegerField(verbose_name="revision")),
            ("player", models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="league.player")),
            (
                "kind",
                models.CharField(
                    choices=[("raised", "disputed"), ("withdrawn", "withdrawn"), ("settled", "settled")],
                    max_length=10,
                    verbose_name="kind",
                ),
            ),
            ("text", models.CharField(blank=True, max_length=300, verbose_name="how it was")),
            (
                "submission",
                models.OneToOneField(on_delete=models.PROTECT, related_name="dispute", to="league.submission"),
            ),
            ("author", models.ForeignKey(blank=True, null=True, on_delete=models.PROTECT, to=settings.AUTH_USER_MODEL)),
            ("created_at", models.DateTimeField(auto_now_add=True)),
        ],
        options={
            "verbose_name": "dispute",
            "verbose_name_plural": "disputes",
            "ordering": ["created_at"],
            "constraints": [
                models.CheckConstraint(
                    condition=models.Q(("kind__in", ["raised", "withdrawn", "settled"])), name="dispute_kind_known"
                ),
                models.CheckConstraint(condition=models.Q(("revision__gte", 1)), name="dispute_revision_from_1"),
            ],
        },
    ),
    migrations.CreateModel(
        name="Verified",
        fields=[
            ("subject", models.CharField(max_length=40, primary_key=True, serialize=False)),
            ("state", models.CharField(max_length=80)),
            ("at", models.DateTimeField()),
        ],
        options={
            "verbose_name": "verified part",
            "verbose_name_plural": "verified parts",
        },
    ),
]


class Migration(migrations.Migration):
    initial = True

    # A database from before the first release has these; for it nothing is left to do.
    replaces = [
        ("games", "0001_initial"),
        ("games", "0002_triggers"),
        ("games", "0003_corrections"),
        ("games", "0004_disputes"),
        ("games", "0005_words_may_be_emptied"),
        ("games", "0006_verified"),
    ]

    dependencies = [
        # The last of those that `league.0001_tables` replaces: Django refuses a database that has only a part of them.
        ("league", "0016_club_publishes_rules"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateModels(TABLES),
        migrations.RunPython(create_games, drop_games, elidable=False),
    ]
