"""A club may show its house rules to visitors."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("league", "0015_receipt_openings")]

    operations: ClassVar = [
        migrations.AddField(
            model_name="club",
            name="publishes_rules",
            field=models.BooleanField(
                default=False,
                help_text="Visitors read the house rules, with antes in place of amounts unless amounts are public.",
                verbose_name="publishes the house rules",
            ),
        ),
    ]
