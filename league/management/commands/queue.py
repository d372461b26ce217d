"""`manage.py queue`: show the seasons that wait to be counted, and if a worker is alive."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from league.models import Heartbeat
from league.standings.seasons_to_count import SWEEP
from league.standings.selectors import queue_lines

SILENT_AFTER = timedelta(seconds=60)


class Command(BaseCommand):
    help = "Show what waits to be counted, the marks of each season, and when the sweep last ran."

    def handle(self, *args: Any, **options: Any) -> None:
        """Print one line a season, those that wait first."""
        lines = queue_lines()
        now = timezone.now()
        self.stdout.write(self._heart(now))
        self.stdout.write(f"{sum(line.waiting > 0 for line in lines)} of {len(lines)} seasons wait")
        self.stdout.write(f"{'season':<40} {'ledger':>8} {'counted':>8} {'waiting':>8} {'age s':>8} {'took ms':>8}")
        for line in lines:
            age = "never" if line.counted_at is None else str(round((now - line.counted_at).total_seconds()))
            name = f"{line.season.club.slug}/{line.season.slug}"
            self.stdout.write(
                f"{name:<40} {line.ledger_mark:>8} {line.counted_mark:>8} {line.waiting:>8} {age:>8} {line.took_ms:>8}"
            )

    def _heart(self, now: Any) -> str:
        heart = Heartbeat.objects.filter(name=SWEEP).first()
        if heart is None:
            return "sweep: has never run. Is a worker with beat running?"
        ago = now - heart.at
        alive = "" if ago < SILENT_AFTER else " — no worker seems to be alive"
        return f"sweep: ran {round(ago.total_seconds())} s ago{alive}"
