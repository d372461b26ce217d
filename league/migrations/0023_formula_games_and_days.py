"""The games that count are a part of a formula, and a penalty or bonus has a day."""

from django.db import migrations, models
from django.db.models import Max
from django.utils import timezone


def name_days(apps, schema_editor):
    """Give each penalty and bonus the day on which it was entered: it counted from that day on."""
    adjustments = apps.get_model("league", "SeasonAdjustment").objects
    for pk, at in adjustments.values_list("pk", "at"):
        adjustments.filter(pk=pk).update(day=timezone.localdate(at))


def name_games(apps, schema_editor):
    """Store a next version of each formula whose season counts one game: versions without that part count every
    game."""
    formulas = apps.get_model("league", "SeasonFormula").objects
    seasons = apps.get_model("league", "Season")._base_manager
    for season in seasons.filter(formula_version__isnull=False).exclude(games="").order_by("pk"):
        values = formulas.get(season=season, version=season.formula_version).values
        newest = formulas.filter(season=season).aggregate(last=Max("version"))["last"]
        formulas.create(season=season, version=newest + 1, values={**values, "games": season.games})
        seasons.filter(pk=season.pk).update(formula_version=newest + 1)


class Migration(migrations.Migration):
    dependencies = [("league", "0022_uncounted_without_index")]

    operations = [
        migrations.AddField("seasonadjustment", "day", models.DateField("day", null=True)),
        migrations.RunPython(name_days, migrations.RunPython.noop, elidable=True),
        migrations.AlterField("seasonadjustment", "day", models.DateField("day")),
        migrations.RunPython(name_games, migrations.RunPython.noop, elidable=True),
    ]
