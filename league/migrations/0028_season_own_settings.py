"""The own settings of a season with a formula, which it gets back without it.

Those of a season that already has a formula were overwritten: it keeps the settings that it has.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0027_player_looks")]

    operations = [
        # A column that may be empty: SQLite adds it without building the table again, which would lose its triggers.
        migrations.AddField("season", "own_settings", models.JSONField(blank=True, editable=False, null=True)),
    ]
