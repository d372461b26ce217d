"""Indexes for lists and files: none of them reads rows that it does not show."""

from django.db import migrations, models
from django.db.models import PROTECT

from ._operations import WithoutOwnIndex


def foreign_key(to: str, related_name: str) -> models.ForeignKey:
    return models.ForeignKey(db_index=False, on_delete=PROTECT, related_name=related_name, to=f"league.{to}")


class Migration(migrations.Migration):
    dependencies = [("league", "0004_counting_by_evening")]

    operations = [
        *(
            migrations.AddIndex(model_name=model, index=models.Index(fields=fields, name=name))
            for model, fields, name in (
                ("evening", ["club", "held_on", "id"], "evening_club_date"),
                ("evening", ["season", "held_on", "number"], "evening_season_date"),
                ("resultrow", ["evening", "player"], "result_evening_player"),
                ("transfer", ["season", "kind", "id"], "transfer_season_kind_id"),
                ("transfer", ["from_account", "kind", "id"], "transfer_from_kind_id"),
                ("transfer", ["to_account", "kind", "id"], "transfer_to_kind_id"),
            )
        ),
        WithoutOwnIndex("resultrow", "season", foreign_key("Season", "results")),
        WithoutOwnIndex("resultrow", "evening", foreign_key("Evening", "results")),
        WithoutOwnIndex("transfer", "season", foreign_key("Season", "+")),
        WithoutOwnIndex("transfer", "from_account", foreign_key("Account", "paid")),
        WithoutOwnIndex("transfer", "to_account", foreign_key("Account", "received")),
    ]
