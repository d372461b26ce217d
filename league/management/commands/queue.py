"""`manage.py queue`: show what waits to be counted, what fails, and if a worker is alive."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from league.models import CountFailure
from league.monitoring import state
from league.standings.seasons_to_count import SWEEP
from league.standings.selectors import QueueLine, queue_lines


class Command(BaseCommand):
    help = (
        "Show the seasons that wait to be counted, the counts that fail, and when the sweep last ran. Ends with 1 if "
        "no worker is alive or a count fails."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the form of the answer, and how much it lists."""
        parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
        parser.add_argument("--all", action="store_true", help="list also the seasons that are counted")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the state; exit with 1 if it is not good."""
        now = timezone.now()
        lines = queue_lines()
        waiting = [line for line in lines if line.waiting > 0]
        failures = list(CountFailure.objects.select_related("season__club").order_by("season_id", "part"))
        sweep = state.heartbeats().get(SWEEP)
        swept_at = sweep.at if sweep else None
        alive = swept_at is not None and now - swept_at < state.SILENT_AFTER
        if options["json"]:
            self.stdout.write(json.dumps(_values(lines, waiting, failures, swept_at, alive)))
        else:
            self.stdout.write(_heart(swept_at, now, alive))
            self.stdout.write(f"{len(waiting)} of {len(lines)} seasons wait, {len(failures)} counts fail")
            for failure in failures:
                self.stdout.write(f"fails: {_name(failure)} {failure.part}, {failure.times} times: {failure.error}")
            self._list(lines if options["all"] else waiting, now)
        if not alive or failures:
            raise SystemExit(1)

    def _list(self, lines: list[QueueLine], now: datetime) -> None:
        """Print one line a season."""
        if not lines:
            return
        self.stdout.write(f"{'season':<40} {'ledger':>8} {'counted':>8} {'waiting':>8} {'age s':>8} {'took ms':>8}")
        for line in lines:
            age = "never" if line.counted_at is None else str(round((now - line.counted_at).total_seconds()))
            self.stdout.write(
                f"{_name(line):<40} {line.ledger_mark:>8} {line.counted_mark:>8} {line.waiting:>8} {age:>8} "
                f"{line.took_ms:>8}"
            )


def _values(
    lines: list[QueueLine],
    waiting: list[QueueLine],
    failures: list[CountFailure],
    swept_at: datetime | None,
    alive: bool,
) -> dict[str, Any]:
    return {
        "ok": alive and not failures,
        "worker_alive": alive,
        "swept_at": swept_at and swept_at.isoformat(),
        "seasons": len(lines),
        "waiting": [_name(line) for line in waiting],
        "failures": [
            {"season": _name(failure), "part": failure.part, "times": failure.times, "error": failure.error}
            for failure in failures
        ],
    }


def _name(of: QueueLine | CountFailure) -> str:
    return f"{of.season.club.slug}/{of.season.slug}"


def _heart(swept_at: datetime | None, now: datetime, alive: bool) -> str:
    if swept_at is None:
        return "sweep: has never run. Is a worker with beat running?"
    return f"sweep: ran {round((now - swept_at).total_seconds())} s ago" + (
        "" if alive else " — no worker seems to be alive"
    )
