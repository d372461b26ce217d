"""The clock of a round, as the server counts it. It goes on evenly when somebody sets the computer's clock."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.utils import timezone

from ..models import Round
from .formats import Format

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class Clock:
    """A reading of the clock: seconds that ran, and those that remain (below 0: over time; None without a limit)."""

    running: bool
    elapsed: int
    remaining: int | None


def clock_of(current: Round, format: Format) -> Clock:
    """Read the clock of a round."""
    elapsed = int(elapsed_of(current))
    limit = format.minutes * 60
    remaining = limit + current.added_seconds - elapsed if limit else None
    return Clock(running=current.running_since is not None, elapsed=elapsed, remaining=remaining)


def elapsed_of(current: Round) -> float:
    """Return the seconds that the clock ran, pauses left out."""
    if current.running_since is None:
        return current.elapsed_seconds
    return current.elapsed_seconds + _since(current)


def run(current: Round) -> None:
    """Let the clock run from now on. The caller stores the round."""
    now = timezone.now()
    current.started_at = current.started_at or now
    current.running_since, current.running_ticks, current.boot = now, time.monotonic(), boot()


def stop(current: Round) -> None:
    """Stop the clock. The caller stores the round."""
    current.elapsed_seconds = elapsed_of(current)
    current.running_since = current.running_ticks = None


@cache
def boot() -> str:
    """Return the boot id of the computer; empty where the system has none."""
    try:
        return BOOT_ID.read_text().strip()[:40]
    except OSError:
        return ""


def _since(current: Round) -> float:
    # Another computer, or the same one started again, has other ticks: then the time of day is used.
    if current.running_ticks is not None and current.boot and current.boot == boot():
        return max(0.0, time.monotonic() - current.running_ticks)
    assert current.running_since is not None
    return max(0.0, (timezone.now() - current.running_since).total_seconds())
