"""Webhook messages about tournaments: their events have longer names."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0006_tournaments")]

    operations = [
        migrations.AlterField(
            model_name="delivery",
            name="event",
            field=models.CharField(
                choices=[
                    ("hand.stored", "a hand was stored"),
                    ("evening.closed", "an evening was closed"),
                    ("season.counted", "a season was counted"),
                    ("tournament.opened", "a tournament was opened for entries"),
                    ("tournament.draw_published", "the draw of a round was published"),
                    ("tournament.round_started", "a round of a tournament began"),
                    ("tournament.sheet_disagrees", "two sheets of a table differ"),
                    ("tournament.round_finished", "a round of a tournament ended"),
                    ("tournament.finished", "a tournament was finished"),
                    ("ping", "a test"),
                ],
                max_length=40,
                verbose_name="event",
            ),
        ),
    ]
