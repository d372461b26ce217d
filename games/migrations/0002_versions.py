import django.db.models.deletion
from django.db import migrations, models

from games.version_triggers import create_games, drop_games


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0001_tables"),
        ("league", "0003_versions"),
    ]

    operations = [
        migrations.CreateModel(
            name="TableVersion",
            fields=[
                (
                    "table",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="version",
                        serialize=False,
                        to="games.table",
                    ),
                ),
                ("number", models.BigIntegerField(verbose_name="number")),
            ],
            options={
                "verbose_name": "version of a table",
                "verbose_name_plural": "versions of tables",
            },
        ),
        migrations.RunPython(create_games, drop_games, elidable=False),
    ]
