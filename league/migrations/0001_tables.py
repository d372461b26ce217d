"""All tables of the league, and their triggers. The tables are in files of their own, in the order of foreign keys."""

from django.db import migrations

from league.migrations import _access, _closing, _money, _people
from league.migrations._operations import CreateModels
from league.triggers import create_league, drop_league


class Migration(migrations.Migration):
    initial = True

    # A database from before the first release has these; for it nothing is left to do.
    replaces = [
        ("league", "0001_initial"),
        ("league", "0002_triggers"),
        ("league", "0003_kratzen"),
        ("league", "0004_club_faces"),
        ("league", "0005_closing"),
        ("league", "0006_people_and_programs"),
        ("league", "0007_sending_hooks"),
        ("league", "0008_kept_answers"),
        ("league", "0009_public_names"),
        ("league", "0010_receipts_without_names"),
        ("league", "0011_former_names"),
        ("league", "0012_club_counts_tricks"),
        ("league", "0013_evening_scores"),
        ("league", "0014_settling"),
        ("league", "0015_receipt_openings"),
        ("league", "0016_club_publishes_rules"),
    ]

    dependencies = [("auth", "0012_alter_user_first_name_max_length")]

    operations = [
        CreateModels([*_people.tables, *_access.tables, *_money.tables, *_closing.tables]),
        migrations.RunPython(create_league, drop_league, elidable=False),
    ]
