"""The queue of uncounted postings, and indexes for counting one evening.

Postings stored before have no row in the queue. Their seasons' ledger marks include them: the next count
finds more marks than rows, and begins from scratch.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0003_versions"),
    ]

    operations = [
        migrations.CreateModel(
            name="UncountedPosting",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "posting",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="uncounted",
                        to="league.posting",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="uncounted",
                        to="league.season",
                    ),
                ),
                ("ledger_mark", models.PositiveBigIntegerField()),
            ],
            options={
                "verbose_name": "uncounted posting",
                "verbose_name_plural": "uncounted postings",
            },
        ),
        *(
            migrations.AddIndex(
                model_name="eveningscore",
                index=models.Index(
                    fields=["season", "player", column], condition=models.Q(hands__gt=0), name=f"score_{name}"
                ),
            )
            for column, name in (("points", "points"), ("change_minor", "change"), ("biggest_pot_minor", "pot"))
        ),
    ]
