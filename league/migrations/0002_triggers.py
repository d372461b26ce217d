from django.db import migrations

from league.triggers import create_league, drop_league


class Migration(migrations.Migration):
    dependencies = [("league", "0001_initial")]

    operations = [migrations.RunPython(create_league, drop_league, elidable=False)]
