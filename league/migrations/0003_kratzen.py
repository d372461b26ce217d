from django.db import migrations, models

from league.triggers import create_league, drop_league

MUSSES = (("musses", "Muss hands"), ("musses_made", "Muss hands made"))


class Migration(migrations.Migration):
    dependencies = [("league", "0002_triggers")]

    operations = [
        # SQLite makes these tables anew, and cannot rename one that a trigger speaks of.
        migrations.RunPython(drop_league, create_league, elidable=False),
        migrations.AddField(
            model_name="season",
            name="games",
            field=models.CharField(
                blank=True,
                choices=[("", "every game"), ("chratze", "Chratze"), ("kratzen", "Kratzen")],
                default="",
                max_length=20,
                verbose_name="games that count",
            ),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.CheckConstraint(
                condition=models.Q(("games__in", ["", "chratze", "kratzen"])), name="season_games_known"
            ),
        ),
        migrations.AddField(
            model_name="resultrow",
            name="muss",
            field=models.BooleanField(default=False, verbose_name="Muss"),
        ),
        *(
            migrations.AddField(
                model_name=model,
                name=name,
                field=models.PositiveIntegerField(default=0, verbose_name=verbose),
            )
            for model in ("nightscore", "standing")
            for name, verbose in MUSSES
        ),
        migrations.RunPython(create_league, drop_league, elidable=False),
    ]
