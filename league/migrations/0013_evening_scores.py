"""A player's evening is called that: the model, its table and its constraint."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0012_club_counts_tricks")]

    operations = [
        migrations.RenameModel(old_name="NightScore", new_name="EveningScore"),
        migrations.AlterField(
            model_name="eveningscore",
            name="season",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="evening_scores", to="league.season"
            ),
        ),
        migrations.AlterField(
            model_name="eveningscore",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="evening_scores", to="league.player"
            ),
        ),
        migrations.RemoveConstraint(model_name="eveningscore", name="night_score_once_a_player"),
        migrations.AddConstraint(
            model_name="eveningscore",
            constraint=models.UniqueConstraint(
                fields=("season", "evening", "player"), name="evening_score_once_a_player"
            ),
        ),
    ]
