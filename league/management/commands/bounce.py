"""`manage.py bounce [RECIPIENT]`: a mail server gives a mail that came back."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import Error

from league.player_messages.bounces import LARGEST, bounce_take

TRY_AGAIN = 75
"""The exit code by which a mail server knows that it shall give the mail again (EX_TEMPFAIL)."""


class Command(BaseCommand):
    help = "Read a mail that came back from the standard input; end the messages of the player whose address failed."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the address to which the mail came back."""
        parser.add_argument("recipient", nargs="?", default="", help="default: as the heads of the mail say")

    def handle(self, *args: Any, **options: Any) -> None:
        """Take the mail; one that is no bounce changes nothing."""
        mail = sys.stdin.buffer.read(LARGEST)
        # The mail server waits until all of it was taken.
        while sys.stdin.buffer.read(LARGEST):
            pass
        try:
            bounce_take(mail, options["recipient"])
        except Error:
            raise SystemExit(TRY_AGAIN) from None
