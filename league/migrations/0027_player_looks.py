"""What accounts last saw on the pages of their own players."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0026_imports_of_sheets"),
    ]

    operations = [
        migrations.CreateModel(
            name="PlayerLook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("looks", models.JSONField(default=list)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="league.player"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "verbose_name": "last look at the own page",
                "verbose_name_plural": "last looks at the own page",
                "constraints": [models.UniqueConstraint(fields=("user", "player"), name="player_look_once_an_account")],
            },
        ),
    ]
