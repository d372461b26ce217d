"""Draw all rounds of a tournament ahead: `manage.py draw --players N --rounds R`, the same as `python -m draw`."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from draw.__main__ import add_arguments, drawn


class Command(BaseCommand):
    help = "Draw all rounds of a tournament ahead in balanced mode; needs no database."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the same options as `python -m draw`."""
        add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the plan."""
        try:
            self.stdout.write(drawn(options))
        except ValueError as fault:
            raise CommandError(str(fault)) from fault
