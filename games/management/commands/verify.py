"""`manage.py verify`: recount everything from the records and report each difference."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from games.integrity import verified, verify
from league.management.progress import Progress
from league.monitoring import marks
from league.privacy import forgotten_list

WORTH_A_PROCESS = 2000
"""Hands from which on further processes are faster than one."""
MAX_JOBS = 4
REMEMBERED_AT_ONCE = 100


class Command(BaseCommand):
    help = "Recount everything from the hand records. Exit status 1 if a stored value differs."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options."""
        parser.add_argument("--new", action="store_true", help="only what is new since it last agreed")
        parser.add_argument(
            "--jobs", type=int, metavar="N", help="processes on PostgreSQL (default: one a core, at most 4)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the progress, and one line per difference."""
        parts = verify.parts()
        chosen = verified.only_new(parts) if options["new"] else parts
        evenings = f"{_evenings(chosen)} of {_evenings(parts)} evenings"
        if options["new"]:
            self.stdout.write(f"{evenings} are new since they last agreed.")
        count = self._check(chosen, self._jobs(options["jobs"], chosen))
        for row in _back_again():
            kind = forgotten_list.line_of(row).kind
            self.stdout.write(f"{kind} {row.pk} was forgotten, and is back: run `manage.py forget_again`.")
            count += 1
        marks.done(marks.VERIFY, count)
        if count:
            self.stderr.write(f"{count} differences")
            sys.exit(1)
        what = f"Everything new agrees with the records ({evenings})." if options["new"] else ""
        self.stdout.write(what or "Everything agrees with the records.")

    def _check(self, chosen: Sequence[verify.Part], jobs: int) -> int:
        """Check the parts and return the number of differences. Parts that agree are remembered."""
        progress = Progress(self.stdout, "hands", sum(part.hands for part in chosen))
        count, agree = 0, []
        for part, differences in verify.run(chosen, jobs):
            progress.add(part.hands, f"{part.kind} {part.pk}")
            for difference in differences:
                progress.clear()
                self.stdout.write(difference)
            count += len(differences)
            if differences:
                verified.forget(part)
            else:
                agree.append(part)
            if len(agree) >= REMEMBERED_AT_ONCE:
                verified.remember(agree)
                agree = []
        verified.remember(agree)
        progress.clear()
        return count

    def _jobs(self, wanted: int | None, chosen: Sequence[verify.Part]) -> int:
        if wanted is not None and wanted < 1:
            raise CommandError("--jobs is 1 or more.")
        if connection.vendor != "postgresql":
            # SQLite lets one process in at a time.
            return 1
        if wanted is None and sum(part.hands for part in chosen) < WORTH_A_PROCESS:
            return 1
        return wanted or min(os.cpu_count() or 1, MAX_JOBS)


def _back_again() -> list[forgotten_list.Row]:
    """Return those who are in the list of the forgotten, and not forgotten in the database: it was restored."""
    return list(forgotten_list.back_again(forgotten_list.read(settings.FORGOTTEN_FILE)))


def _evenings(parts: Sequence[verify.Part]) -> int:
    return sum(part.kind == verify.EVENING for part in parts)
