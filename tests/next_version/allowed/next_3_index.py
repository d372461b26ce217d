"""An index of a table to which every hand adds rows."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("league", "next_2_table")]

    operations = [
        AddIndexConcurrently("posting", models.Index(fields=["reason"], name="league_posting_next")),
    ]
