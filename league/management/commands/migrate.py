"""`manage.py migrate`: as Django's, but not on a database from before 0.1.0."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

BEFORE_THE_FIRST_RELEASE = {("league", "0001_tables"), ("league", "0002_triggers")}
"""Of these, each database from before 0.1.0 has at least one as applied; the migrations themselves are gone."""


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        """Refuse a database whose migrations are gone, then migrate."""
        applied = MigrationRecorder(connections[options["database"]]).applied_migrations()
        if not BEFORE_THE_FIRST_RELEASE.isdisjoint(applied):
            raise CommandError(
                "This database is from before version 0.1.0 and cannot be migrated: keep it with the last commit "
                "before that, or export its hands there and import them into a new database (docs/deploy.md, "
                "Upgrading)."
            )
        super().handle(*args, **options)
