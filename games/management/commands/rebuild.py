"""`manage.py rebuild`: rebuild all derived data from the records."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.integrity import verify
from league.models import Season


class Command(BaseCommand):
    help = "Rebuild result rows, tables, standings and balances from the hand records."

    def handle(self, *args: Any, **options: Any) -> None:
        """Rebuild season by season, each in one transaction."""
        for season in Season.every.select_related("club").order_by("pk"):
            try:
                hands = verify.rebuild(season)
            except LookupError as fault:
                raise CommandError(f"{season.club}, {season}: {fault}") from fault
            self.stdout.write(f"{season.club}, {season}: {hands} hands")
