"""Columns that the version before leaves out."""

from django.db import migrations, models

from tests.next_version import NEWEST


class Migration(migrations.Migration):
    dependencies = [("league", NEWEST)]

    operations = [
        migrations.AddField("posting", "next_note", models.TextField(null=True)),
        migrations.AddField("season", "next_count", models.IntegerField(db_default=0)),
    ]
