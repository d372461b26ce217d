"""Switch on, for each club that exists, the features of the games that it has used."""

from django.db import migrations


def switch_on(apps, editor):
    clubs = apps.get_model("league", "Club").objects
    revisions = apps.get_model("games", "Revision").objects.order_by().filter(record__has_key="deal")
    disputes = apps.get_model("games", "Dispute").objects.order_by()
    of_hand = "table__evening__club"
    used = {
        "cards": set(revisions.values_list(f"hand__{of_hand}", flat=True).distinct()),
        "disputes": set(disputes.values_list(f"hand__{of_hand}", flat=True).distinct()),
    }
    for pk, found in clubs.values_list("pk", "features"):
        keys = {*found, *(key for key, with_rows in used.items() if pk in with_rows)}
        if keys != set(found):
            clubs.filter(pk=pk).update(features=sorted(keys))


class Migration(migrations.Migration):
    dependencies = [("games", "0002_triggers_of_tables"), ("league", "0004_features_that_clubs_have_used")]

    operations = [migrations.RunPython(switch_on, migrations.RunPython.noop, elidable=True)]
