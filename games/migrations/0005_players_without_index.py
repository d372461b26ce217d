"""No index on the dealers of a table and on the players of a seat: each hand would write them, and hardly a query reads
them."""

from django.db import migrations, models
from django.db.models import PROTECT

from league.migrations._operations import WithoutOwnIndex


class Migration(migrations.Migration):
    dependencies = [("games", "0004_first_seats"), ("league", "0021_imports_of_hands")]

    operations = [
        WithoutOwnIndex(
            model, name, models.ForeignKey(db_index=False, on_delete=PROTECT, related_name="+", to="league.player")
        )
        for model, name in (("table", "first_dealer"), ("table", "dealer"), ("seat", "player"))
    ]
