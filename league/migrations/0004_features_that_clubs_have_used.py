"""Switch on, for each club that exists, the features that it has used, and those that leave no rows."""

from django.db import migrations

WITHOUT_ROWS = {"statistics", "pub_screen", "feeds"}


def used(apps):
    """Yield each feature that leaves rows, with the ids of the clubs that have some."""

    def clubs(model, path="club", **only):
        rows = apps.get_model("league", model).objects.order_by().filter(**only)
        return set(rows.values_list(path, flat=True).distinct())

    kitty = {"from_account__kind": "kitty"}, {"to_account__kind": "kitty"}
    yield "tournaments", clubs("Tournament")
    with_money = [clubs("Transfer", "posting__club", **only) for only in kitty]
    yield "treasury", set().union(*with_money, *map(clubs, ("KittyEntry", "BillingDetails", "BankEntry", "SentBill")))
    yield "formula", clubs("SeasonFormula", "season__club")
    yield "penalties", clubs("SeasonAdjustment", "season__club")
    yield "teams", clubs("Team", "season__club")
    yield "imports", clubs("Import") | clubs("Upload")
    yield "webhooks", clubs("Webhook") | clubs("ApiToken") | clubs("ApiToken", "user__memberships__club", club=None)


def switch_on(apps, editor):
    clubs = apps.get_model("league", "Club").objects
    features = {pk: {*found, *WITHOUT_ROWS} for pk, found in clubs.values_list("pk", "features")}
    for key, with_rows in used(apps):
        for pk in with_rows & features.keys():
            features[pk].add(key)
    for pk, keys in features.items():
        clubs.filter(pk=pk).update(features=sorted(keys))


class Migration(migrations.Migration):
    dependencies = [("league", "0003_club_features")]

    operations = [migrations.RunPython(switch_on, migrations.RunPython.noop, elidable=True)]
