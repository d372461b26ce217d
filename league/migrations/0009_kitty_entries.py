"""Money that the kitty spends or gets: entries, the account of everything outside the club, postings without evening."""

import uuid

import django.db.models.deletion
from django.db import migrations, models

from league import triggers

ACCOUNT_KINDS = [
    ("player", "player"),
    ("pot", "pot"),
    ("kitty", "kitty"),
    ("box", "carried pot"),
    ("outside", "outside the club"),
]
TRANSFER_KINDS = [
    ("ante", "ante"),
    ("cut", "cut"),
    ("payout", "payout"),
    ("penalty", "penalty"),
    ("moved", "pot moved"),
    ("share", "share of the pot"),
    ("paid", "paid"),
    ("spent", "spent"),
    ("brought", "brought in"),
]


class Migration(migrations.Migration):
    dependencies = [("league", "0008_fewer_indexes")]

    operations = [
        migrations.RunPython(triggers.pause_ledger_on_sqlite, triggers.resume_ledger_on_sqlite, elidable=False),
        migrations.RemoveConstraint(model_name="account", name="account_player_exactly_for_players"),
        migrations.AlterField(
            model_name="account",
            name="kind",
            field=models.CharField(choices=ACCOUNT_KINDS, max_length=10, verbose_name="kind"),
        ),
        migrations.AddConstraint(
            model_name="account",
            constraint=models.CheckConstraint(
                condition=models.Q(kind="player", player__isnull=False)
                | models.Q(kind__in=["pot", "kitty", "box", "outside"], player__isnull=True),
                name="account_player_exactly_for_players",
            ),
        ),
        migrations.AddConstraint(
            model_name="account",
            constraint=models.UniqueConstraint(
                condition=models.Q(kind="outside"), fields=("club",), name="account_one_outside_a_club"
            ),
        ),
        migrations.AlterField(
            model_name="transfer",
            name="kind",
            field=models.CharField(choices=TRANSFER_KINDS, max_length=10, verbose_name="kind"),
        ),
        migrations.AlterField(
            model_name="posting",
            name="evening",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="postings",
                to="league.evening",
            ),
        ),
        migrations.RunPython(triggers.resume_ledger_on_sqlite, triggers.pause_ledger_on_sqlite, elidable=False),
        migrations.CreateModel(
            name="KittyEntry",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                ("day", models.DateField(verbose_name="date")),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="kitty_entries", to="league.club"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="kitty_entries",
                        to="league.player",
                    ),
                ),
                (
                    "posting",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="kitty_entry", to="league.posting"
                    ),
                ),
                (
                    "submission",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="kitty_entry", to="league.submission"
                    ),
                ),
            ],
            options={
                "verbose_name": "kitty entry",
                "verbose_name_plural": "kitty entries",
                "ordering": ["day", "posting__created_at"],
            },
        ),
        migrations.RunPython(triggers.create_treasury, triggers.drop_treasury, elidable=False),
    ]
