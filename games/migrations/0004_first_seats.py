"""The first seating of each evening: a phone names the guests of an evening that it began by their places."""

import django.db.models.deletion
from django.db import migrations, models

from league import triggers


class Migration(migrations.Migration):
    dependencies = [("games", "0003_indexes_of_lists"), ("league", "0008_fewer_indexes")]

    operations = [
        migrations.CreateModel(
            name="FirstSeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seat", models.PositiveSmallIntegerField(verbose_name="seat")),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="league.player"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="first_seats",
                        to="games.table",
                    ),
                ),
            ],
            options={
                "verbose_name": "first seat",
                "verbose_name_plural": "first seats",
                "ordering": ["seat"],
                "constraints": [
                    models.UniqueConstraint(fields=("table", "seat"), name="first_seat_once_a_table"),
                    models.CheckConstraint(condition=models.Q(("seat__lte", 6)), name="first_seat_within_seven"),
                ],
            },
        ),
        migrations.RunPython(triggers.create_first_seats, triggers.drop_first_seats, elidable=False),
    ]
