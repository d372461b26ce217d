"""A table, with a key of a table that every hand changes."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "next_1_columns")]

    operations = [
        migrations.CreateModel(
            "NextNote",
            [
                ("id", models.BigAutoField(primary_key=True)),
                ("season", models.ForeignKey("league.season", models.CASCADE)),
            ],
        ),
    ]
