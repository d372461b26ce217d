"""The ids of new hands are ordered by time. Only Python makes ids: no table changes."""

from django.db import migrations, models

import league.ordered_ids


class Migration(migrations.Migration):
    dependencies = [("games", "0005_players_without_index")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="hand",
                    name="id",
                    field=models.UUIDField(default=league.ordered_ids.ordered_id, primary_key=True, serialize=False),
                ),
            ],
        ),
    ]
