"""Triggers: append-only tables, postings that add up, and versions of clubs and tournaments."""

from django.db import migrations

from league import triggers
from league import version_triggers as versions

CHECKS = triggers.LEAGUE_CHECKS + triggers.CHIPS_CHECKS
VERSIONED = versions.LEAGUE_VERSIONED + versions.PLAN_VERSIONED + versions.TOURNAMENTS_VERSIONED


def create(apps, editor):
    triggers.create(editor.connection, triggers.LEAGUE_APPEND_ONLY, CHECKS, practice=False)
    versions.create(editor.connection, VERSIONED)


def drop(apps, editor):
    triggers.drop(editor.connection, triggers.LEAGUE_APPEND_ONLY, CHECKS)
    versions.drop(editor.connection, VERSIONED)


class Migration(migrations.Migration):
    dependencies = [("league", "0001_initial")]

    operations = [migrations.RunPython(create, drop, elidable=False)]
