"""The guests of a season when it was closed."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0016_chances")]

    operations = [
        migrations.AddField("season", "final_guests", models.JSONField(blank=True, editable=False, null=True)),
    ]
