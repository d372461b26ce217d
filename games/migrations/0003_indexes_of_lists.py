"""Indexes for lists: none of them reads rows that it does not show."""

from django.db import migrations, models
from django.db.models import PROTECT

from league.migrations._operations import WithoutOwnIndex


class Migration(migrations.Migration):
    dependencies = [("games", "0002_versions"), ("league", "0005_indexes_of_lists")]

    operations = [
        migrations.AddIndex(
            model_name="dispute", index=models.Index(fields=["kind", "created_at", "id"], name="dispute_kind_created")
        ),
        migrations.AddIndex(
            model_name="revision",
            index=models.Index(
                condition=models.Q(("correction__isnull", False)), fields=["correction"], name="revision_of_correction"
            ),
        ),
        WithoutOwnIndex(
            "revision",
            "correction",
            models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=PROTECT,
                related_name="revisions",
                to="games.correction",
            ),
        ),
        *(
            WithoutOwnIndex(
                model,
                name,
                models.ForeignKey(db_index=False, on_delete=PROTECT, related_name=related_name, to=f"games.{to}"),
            )
            for model, name, related_name, to in (
                ("hand", "table", "hand_set", "Table"),
                ("revision", "hand", "revisions", "Hand"),
                ("seat", "revision", "seats", "Revision"),
            )
        ),
    ]
