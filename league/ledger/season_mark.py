"""The ledger mark of a season: every posting raises it and wakes a worker after the commit."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection, transaction

from ..config import celery
from .round_trip import RoundTrip

_RAISE = "UPDATE league_season SET ledger_mark = ledger_mark + 1 WHERE id = %s"


def raise_mark(writes: RoundTrip, season_id: int) -> None:
    """Raise the season's ledger mark with `writes`, in the transaction that posts."""
    writes.add(_RAISE, [season_id])
    _wake_after_commit(season_id)


def wake(season_id: int) -> None:
    """Wake a worker for a season. If none can be woken, the sweep counts it ten seconds later at most."""
    celery.wake("league.standings.tasks.season_count", season_id)


@dataclass(frozen=True)
class _Wake:
    """A wake-up after the commit. Equal by season, so that a transaction with many hands wakes once."""

    season_id: int

    def __call__(self) -> None:
        wake(self.season_id)


def _wake_after_commit(season_id: int) -> None:
    call = _Wake(season_id)
    if any(entry[1] == call for entry in connection.run_on_commit):
        return
    transaction.on_commit(call, robust=True)
