"""Bills that were sent to members by mail."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0024_planned_evenings"),
    ]

    operations = [
        migrations.CreateModel(
            name="SentBill",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                ("key", models.UUIDField()),
                ("first", models.DateField(verbose_name="from")),
                ("last", models.DateField(verbose_name="to")),
                ("amount_minor", models.BigIntegerField(verbose_name="amount")),
                (
                    "state",
                    models.CharField(
                        choices=[("claimed", "perhaps sent"), ("sent", "sent"), ("failed", "not sent")],
                        default="claimed",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "club",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sent_bills",
                        to="league.club",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="sent_bills", to="league.player"
                    ),
                ),
            ],
            options={
                "verbose_name": "sent bill",
                "verbose_name_plural": "sent bills",
                "ordering": ["-created_at"],
                "indexes": [models.Index(fields=["club", "last", "player"], name="sent_bill_club_last")],
                "constraints": [
                    models.UniqueConstraint(fields=("club", "key", "player"), name="sent_bill_once_a_key"),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["claimed", "sent", "failed"])), name="sent_bill_state_known"
                    ),
                ],
            },
        ),
    ]
