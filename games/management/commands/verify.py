"""`manage.py verify`: recount everything from the records and report each difference."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from games.integrity import verify


class Command(BaseCommand):
    help = "Recount everything from the hand records. Exit status 1 if a stored value differs."

    def handle(self, *args: Any, **options: Any) -> None:
        """Print one line per difference."""
        found = 0
        for difference in verify.differences():
            self.stdout.write(difference)
            found += 1
        if found:
            self.stderr.write(f"{found} differences")
            sys.exit(1)
        self.stdout.write("Everything agrees with the records.")
