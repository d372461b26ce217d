"""The logo of a club."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0014_large_files")]

    operations = [
        migrations.AddField("club", "logo_mark", models.PositiveIntegerField(blank=True, editable=False, null=True)),
        migrations.CreateModel(
            name="ClubLogo",
            fields=[
                (
                    "club",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="logo",
                        serialize=False,
                        to="league.club",
                    ),
                ),
                ("content", models.BinaryField(verbose_name="content")),
                ("width", models.PositiveSmallIntegerField(verbose_name="width")),
                ("height", models.PositiveSmallIntegerField(verbose_name="height")),
            ],
            options={"verbose_name": "logo", "verbose_name_plural": "logos"},
        ),
    ]
