"""`manage.py move_to DATABASE_URL`: copy everything into another, empty database, and verify it there."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from league.management import database_copy
from league.management.progress import Progress
from league.models import Heartbeat
from league.standings.seasons_to_count import SWEEP

SILENT_SECONDS = 15
"""A worker's sweep runs every 10 s: after this time without one no worker is alive."""


class Command(BaseCommand):
    help = (
        "Copy everything from this database into another one that is empty (SQLite or PostgreSQL), and verify it there."
    )

    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the target."""
        parser.add_argument("url", metavar="DATABASE_URL", help="the address of the empty database")

    def handle(self, *args: Any, **options: Any) -> None:
        """Prepare the target, copy, verify, and print the next steps."""
        try:
            with database_copy.target(options["url"]):
                database_copy.prepare_target(options["url"])
                self._wait_for_silence(time.sleep)
                with database_copy.source_held():
                    progress = Progress(self.stdout, "rows copied", database_copy.count())
                    rows = database_copy.copy(progress.add)
                    progress.clear()
        except database_copy.CannotMove as reason:
            raise CommandError(str(reason)) from reason
        self.stdout.write(f"{rows} rows are copied; each was read again and is the same. Verifying the target:")
        self._verify(options["url"])
        self.stdout.write(
            "Set DATABASE_URL to the new address, keep SECRET_KEY (or the file secret_key), and start the service. "
            "The old database is unchanged."
        )

    def _wait_for_silence(self, sleep: Callable[[float], None]) -> None:
        """Raise CannotMove if a worker is running on this database: its later writes would be lost."""
        first = self._last_sweep()
        while first is not None and (silent := (timezone.now() - first).total_seconds()) < SILENT_SECONDS:
            self.stdout.write(f"A worker was alive {silent:.0f} s ago; waiting to see that it has ended.")
            sleep(SILENT_SECONDS - silent)
            if self._last_sweep() != first:
                raise database_copy.CannotMove("The service is running on this database: stop it, then move.")

    def _last_sweep(self) -> Any:
        return Heartbeat.objects.filter(name=SWEEP).values_list("at", flat=True).first()

    def _verify(self, url: str) -> None:
        """Run `verify` as the service will run: in a process of its own, on the target."""
        self.stdout.flush()
        if not database_copy.run_on(url, "verify"):
            raise CommandError(
                "The target has the same rows, but they do not agree with the hand records. "
                "Run `manage.py verify` on this database too: the differences may be older than the move."
            )
