"""`manage.py ping NAME [--failed]`: the units of systemd tell the outside that regular work was done, or failed."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from league.jobs.pings import ping, tell_failure


class Command(BaseCommand):
    help = "Call PING_URL/NAME; with --failed PING_URL/NAME/fail, and send a mail to ADMINS. Never fails itself."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the work and its outcome."""
        parser.add_argument("name", choices=("backup", "verify"))
        parser.add_argument("--failed", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        """Tell it."""
        if options["failed"]:
            tell_failure(options["name"])
        else:
            ping(options["name"])
