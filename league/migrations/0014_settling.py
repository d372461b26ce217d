from django.db import migrations, models

from league.triggers import create_league, drop_league

SETTLING = models.CharField(
    choices=[("hands", "in coins after each hand"), ("end", "at the end of the evening")],
    default="end",
    max_length=10,
    verbose_name="settles up",
)


class Migration(migrations.Migration):
    dependencies = [("league", "0013_evening_scores")]

    operations = [
        # SQLite makes altered tables anew, and a new table has no triggers.
        migrations.RunPython(drop_league, create_league, elidable=False),
        migrations.AddField(model_name="club", name="settling", field=SETTLING),
        migrations.AddField(model_name="evening", name="settling", field=SETTLING.clone()),
        migrations.AddConstraint(
            model_name="club",
            constraint=models.CheckConstraint(
                condition=models.Q(settling__in=["hands", "end"]), name="club_settling_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="evening",
            constraint=models.CheckConstraint(
                condition=models.Q(settling__in=["hands", "end"]), name="evening_settling_known"
            ),
        ),
        migrations.RemoveConstraint(model_name="closing", name="closing_pot_where_closed"),
        migrations.AlterField(
            model_name="closing",
            name="kind",
            field=models.CharField(
                choices=[
                    ("closed", "closed"),
                    ("mended", "corrected"),
                    ("reopened", "opened again"),
                    ("cashed", "settled up early"),
                ],
                max_length=10,
                verbose_name="kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="closing",
            constraint=models.CheckConstraint(
                condition=models.Q(kind__in=["closed", "mended"], pot__in=["carry", "share", "kitty"])
                | models.Q(kind__in=["reopened", "cashed"], pot="", posting__isnull=True),
                name="closing_pot_where_closed",
            ),
        ),
        migrations.RunPython(create_league, drop_league, elidable=False),
    ]
