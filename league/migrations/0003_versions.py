import django.db.models.deletion
from django.db import migrations, models

from league.version_triggers import create_league, drop_league


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0002_indexes"),
    ]

    operations = [
        migrations.CreateModel(
            name="ClubVersion",
            fields=[
                (
                    "club",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="version",
                        serialize=False,
                        to="league.club",
                    ),
                ),
                ("number", models.BigIntegerField(verbose_name="number")),
            ],
            options={
                "verbose_name": "version of a club",
                "verbose_name_plural": "versions of clubs",
            },
        ),
        migrations.RunPython(create_league, drop_league, elidable=False),
    ]
