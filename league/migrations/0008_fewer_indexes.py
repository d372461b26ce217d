"""Fewer indexes to write with each hand: those that no query needs, or that another one begins with."""

from django.conf import settings
from django.db import migrations, models
from django.db.models import PROTECT

from ._operations import WithoutOwnIndex


class Migration(migrations.Migration):
    dependencies = [("league", "0007_messages_of_tournaments")]

    operations = [
        migrations.AddIndex("resultrow", models.Index(fields=["player", "season"], name="result_player_season")),
        migrations.RemoveIndex("resultrow", "result_season_player"),
        *(
            WithoutOwnIndex(
                model,
                name,
                models.ForeignKey(db_index=False, on_delete=PROTECT, related_name=related_name, to=f"league.{to}"),
            )
            for model, name, related_name, to in (
                ("resultrow", "player", "results", "Player"),
                ("posting", "club", "postings", "Club"),
                ("posting", "season", "postings", "Season"),
                ("submission", "club", "+", "Club"),
            )
        ),
        WithoutOwnIndex(
            "submission",
            "author",
            models.ForeignKey(blank=True, db_index=False, null=True, on_delete=PROTECT, to=settings.AUTH_USER_MODEL),
        ),
    ]
