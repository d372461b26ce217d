"""The link that opens a club's pub screen without an account."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0009_kitty_entries")]

    operations = [
        migrations.CreateModel(
            name="PubScreenLink",
            fields=[
                (
                    "club",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="pub_screen_link",
                        serialize=False,
                        to="league.club",
                    ),
                ),
                ("number", models.BigIntegerField(verbose_name="number")),
                ("made_at", models.DateTimeField(auto_now=True, verbose_name="made")),
            ],
            options={"verbose_name": "link to a pub screen", "verbose_name_plural": "links to pub screens"},
        ),
    ]
