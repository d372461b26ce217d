import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from league.triggers import create_league, drop_league


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0004_club_faces"),
    ]

    operations = [
        # SQLite makes altered tables anew, and a new table has no triggers.
        migrations.RunPython(drop_league, create_league, elidable=False),
        migrations.CreateModel(
            name="Closing",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                ("number", models.PositiveIntegerField(verbose_name="number")),
                (
                    "kind",
                    models.CharField(
                        choices=[("closed", "closed"), ("mended", "corrected"), ("reopened", "opened again")],
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
                ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name": "end of an evening",
                "verbose_name_plural": "ends of evenings",
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="Payment",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                ("number", models.PositiveSmallIntegerField(verbose_name="number")),
                ("amount_minor", models.BigIntegerField(verbose_name="amount")),
            ],
            options={
                "verbose_name": "payment",
                "verbose_name_plural": "payments",
                "ordering": ["number"],
            },
        ),
        migrations.RemoveConstraint(
            model_name="account",
            name="account_player_exactly_for_players",
        ),
        migrations.RemoveConstraint(
            model_name="resultrow",
            name="result_role_known",
        ),
        migrations.AddField(
            model_name="club",
            name="correction_hours",
            field=models.PositiveSmallIntegerField(
                default=48,
                help_text="So long after its end an evening is provisional; then it is final.",
                verbose_name="hours for corrections",
            ),
        ),
        migrations.AddField(
            model_name="evening",
            name="final_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="final from"),
        ),
        migrations.AlterField(
            model_name="account",
            name="kind",
            field=models.CharField(
                choices=[("player", "player"), ("pot", "pot"), ("kitty", "kitty"), ("box", "carried pot")],
                max_length=10,
                verbose_name="kind",
            ),
        ),
        migrations.AlterField(
            model_name="resultrow",
            name="role",
            field=models.CharField(
                choices=[("declarer", "declarer"), ("joiner", "joiner"), ("out", "out"), ("share", "share of the pot")],
                max_length=10,
                verbose_name="role",
            ),
        ),
        migrations.AlterField(
            model_name="transfer",
            name="kind",
            field=models.CharField(
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
        migrations.AddConstraint(
            model_name="account",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "player"), ("player__isnull", False)),
                    models.Q(("kind__in", ["pot", "kitty", "box"]), ("player__isnull", True)),
                    _connector="OR",
                ),
                name="account_player_exactly_for_players",
            ),
        ),
        migrations.AddConstraint(
            model_name="account",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "box")), fields=("club",), name="account_one_box_a_club"
            ),
        ),
        migrations.AddConstraint(
            model_name="resultrow",
            constraint=models.CheckConstraint(
                condition=models.Q(("role__in", ["declarer", "joiner", "out", "share"])), name="result_role_known"
            ),
        ),
        migrations.AddField(
            model_name="closing",
            name="author",
            field=models.ForeignKey(
                blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="closing",
            name="evening",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="closings", to="league.evening"
            ),
        ),
        migrations.AddField(
            model_name="closing",
            name="posting",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="closing",
                to="league.posting",
            ),
        ),
        migrations.AddField(
            model_name="closing",
            name="submission",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="closing",
                to="league.submission",
            ),
        ),
        migrations.AddField(
            model_name="payment",
            name="closing",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="payments", to="league.closing"
            ),
        ),
        migrations.AddField(
            model_name="payment",
            name="payee",
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="league.account"),
        ),
        migrations.AddField(
            model_name="payment",
            name="payer",
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="league.account"),
        ),
        migrations.CreateModel(
            name="Receipt",
            fields=[
                (
                    "closing",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="receipt",
                        serialize=False,
                        to="league.closing",
                    ),
                ),
                ("number", models.PositiveIntegerField(verbose_name="number")),
                ("content", models.JSONField(verbose_name="content")),
                ("digest", models.CharField(max_length=64, verbose_name="digest")),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="receipts", to="league.club"
                    ),
                ),
            ],
            options={
                "verbose_name": "receipt",
                "verbose_name_plural": "receipts",
                "ordering": ["number"],
            },
        ),
        migrations.AddConstraint(
            model_name="closing",
            constraint=models.UniqueConstraint(fields=("evening", "number"), name="closing_number_once_an_evening"),
        ),
        migrations.AddConstraint(
            model_name="closing",
            constraint=models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="closing_number_from_1"),
        ),
        migrations.AddConstraint(
            model_name="closing",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind__in", ["closed", "mended"]), ("pot__in", ["carry", "share", "kitty"])),
                    models.Q(("kind", "reopened"), ("posting__isnull", True), ("pot", "")),
                    _connector="OR",
                ),
                name="closing_pot_where_closed",
            ),
        ),
        migrations.AddConstraint(
            model_name="payment",
            constraint=models.UniqueConstraint(fields=("closing", "number"), name="payment_number_once_a_closing"),
        ),
        migrations.AddConstraint(
            model_name="payment",
            constraint=models.CheckConstraint(
                condition=models.Q(("amount_minor__gt", 0)), name="payment_amount_above_0"
            ),
        ),
        migrations.AddConstraint(
            model_name="payment",
            constraint=models.CheckConstraint(
                condition=models.Q(("payer", models.F("payee")), _negated=True), name="payment_between_two_accounts"
            ),
        ),
        migrations.AddConstraint(
            model_name="receipt",
            constraint=models.UniqueConstraint(fields=("club", "number"), name="receipt_number_once_a_club"),
        ),
        migrations.AddConstraint(
            model_name="receipt",
            constraint=models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="receipt_number_from_1"),
        ),
        migrations.RunPython(create_league, drop_league, elidable=False),
    ]
