"""No index on the postings that wait: few rows do, and each is written with a hand and deleted by the next count."""

from django.db import migrations, models
from django.db.models import CASCADE

from ._operations import WithoutOwnIndex


class Migration(migrations.Migration):
    dependencies = [("league", "0021_imports_of_hands")]

    operations = [
        WithoutOwnIndex(
            "uncountedposting",
            "season",
            models.ForeignKey(db_index=False, on_delete=CASCADE, related_name="uncounted", to="league.season"),
        )
    ]
