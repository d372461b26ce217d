"""`manage.py rebuild`: make everything derived anew from the records."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import audit
from league.models import Season


class Command(BaseCommand):
    help = "Make result rows, tables, standings and balances anew from the hand records."

    def handle(self, *args: Any, **options: Any) -> None:
        """Season by season, each in one transaction."""
        for season in Season.objects.select_related("club").order_by("pk"):
            try:
                hands = audit.rebuild(season)
            except LookupError as fault:
                raise CommandError(f"{season.club}, {season}: {fault}") from fault
            self.stdout.write(f"{season.club}, {season}: {hands} hands")
