from django.db import migrations

from league.triggers import create_games, drop_games


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial"), ("league", "0002_triggers")]

    operations = [migrations.RunPython(create_games, drop_games, elidable=False)]
