"""A column under another name, which the version before does not know."""

from django.db import migrations

from tests.next_version import NEWEST


class Migration(migrations.Migration):
    dependencies = [("league", NEWEST)]

    operations = [migrations.RenameField("posting", "reason", "why")]
