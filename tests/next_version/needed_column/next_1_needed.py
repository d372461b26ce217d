"""A column that needs a value, which the version before does not give."""

from django.db import migrations, models

from tests.next_version import NEWEST


class Migration(migrations.Migration):
    dependencies = [("league", NEWEST)]

    operations = [migrations.AddField("posting", "next_note", models.TextField(default=""))]
