"""`manage.py migrate`: as Django's, but not on a database from before 0.1.0, and without holding up the service."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import OperationalError, connections
from django.db.migrations.recorder import MigrationRecorder

from league import database_away
from league.config import database_limits

BEFORE_THE_FIRST_RELEASE = {("league", "0001_tables"), ("league", "0002_triggers")}
"""Of these, each database from before 0.1.0 has at least one as applied; the migrations themselves are gone."""
LOCK_MS = 500
"""While a migration waits for a lock of a table, everybody else waits behind it. Shorter than PostgreSQL's
`deadlock_timeout` of a second, after which one of two that wait for each other is refused."""
TRIES = 240
PAUSE_SECONDS = 1.0
"""After this time a migration that did not get its lock begins again, up to `TRIES` times: some minutes."""


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        """Refuse a database whose migrations are gone, then migrate."""
        connection = connections[options["database"]]
        applied = MigrationRecorder(connection).applied_migrations()
        if not BEFORE_THE_FIRST_RELEASE.isdisjoint(applied):
            raise CommandError(
                "This database is from before version 0.1.0 and cannot be migrated: keep it with the last commit "
                "before that, or export its hands there and import them into a new database (docs/deploy.md, "
                "Upgrading)."
            )
        with database_limits.short_locks(connection, LOCK_MS):
            self._migrate(*args, **options)

    def _migrate(self, *args: Any, **options: Any) -> None:
        """Migrate. A migration whose table is in use is rolled back and tried again; those before it are stored."""
        for left in reversed(range(TRIES)):
            try:
                super().handle(*args, **options)
            except OperationalError as error:
                if not database_away.waited_for_a_lock(error):
                    raise
                if not left:
                    raise CommandError(
                        "A table was in use all the time: end the long transaction (pg_stat_activity names it), "
                        "and run migrate again."
                    ) from error
                if options["verbosity"]:
                    self.stdout.write(" a table is in use, trying again")
                time.sleep(PAUSE_SECONDS)
            else:
                return
