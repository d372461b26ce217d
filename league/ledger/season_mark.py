"""The work of a posting for the worker that counts its season: a mark, and the posting in the queue.

Every posting raises the ledger mark of its season by one, stores itself as uncounted, and wakes a worker after the
commit. Other changes of counted data (points of the season, merged players) raise the season's mark alone: a count that
finds more marks than uncounted postings begins from scratch.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.core.cache import cache
from django.db import connection, transaction

from ..config import celery
from ..models import Posting
from .round_trip import RoundTrip

WOKEN_SECONDS = 60
"""The time in which one wake-up is enough. The sweep, every ten seconds, ends it for a season whose task was lost."""

_RAISE = "UPDATE league_season SET ledger_mark = ledger_mark + 1 WHERE id = %s"
_STORE_UNCOUNTED = """INSERT INTO league_uncountedposting (posting_id, season_id, ledger_mark)
VALUES (%s, %s, (SELECT ledger_mark FROM league_season WHERE id = %s))"""


def raise_mark(writes: RoundTrip, season_id: int) -> None:
    """Raise the season's ledger mark with `writes`, in the transaction that posts or that changes counted data."""
    writes.add(_RAISE, [season_id])
    _wake_after_commit(season_id)


def mark_for_recount(season_id: int) -> None:
    """Let the season be counted from scratch, because a change other than a posting changes counted data. The caller
    holds the transaction."""
    writes = RoundTrip()
    raise_mark(writes, season_id)
    writes.send()


def mark_uncounted(writes: RoundTrip, posting: Posting) -> None:
    """Store the posting as uncounted, with the mark that `raise_mark` has raised."""
    key = Posting._meta.pk.get_db_prep_save(posting.pk, connection)
    writes.add(_STORE_UNCOUNTED, [key, posting.season_id, posting.season_id])


def wake(season_id: int) -> None:
    """Wake a worker for a season, unless a task that has not begun yet will count it. If none can be woken, the sweep
    counts the season ten seconds later at most."""
    if not cache.add(_key(season_id), 1, WOKEN_SECONDS):
        return
    if not celery.wake("league.standings.tasks.season_count", season_id):
        cache.delete(_key(season_id))


def forget_wake_up(season_id: int) -> None:
    """Let the next posting wake a worker again. A worker calls this before it reads the marks: it may not see later
    postings."""
    cache.delete(_key(season_id))


def _key(season_id: int) -> str:
    return f"season:{season_id}:woken"


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
