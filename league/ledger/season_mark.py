"""The work of a posting for the worker that counts its season: a mark, and the posting in the queue.

A transaction that posts raises the ledger mark of its season by one, stores each posting as uncounted with that mark,
and wakes a worker after the commit. Other changes of counted data (points of the season, merged players) raise the
season's mark alone: a count that finds more marks than uncounted postings have begins from scratch.

On PostgreSQL the postings of a transaction share a mark. Each UPDATE leaves a dead version of the season's row, which
cannot be removed before the commit; each check of a foreign key to the season reads all of them. SQLite updates in
place: there each posting has a mark of its own.
"""

from __future__ import annotations

from django.core.cache import cache
from django.db import connection

from .. import after_commit, news
from ..config import celery
from ..models import Posting
from .round_trip import RoundTrip

WOKEN_SECONDS = 60
"""The time in which one wake-up is enough. The sweep, every ten seconds, ends it for a season whose task was lost."""

_RAISE = "UPDATE league_season SET ledger_mark = ledger_mark + 1 WHERE id = %s"

# The setting has the seasons whose mark this transaction has raised for postings, as ',12,,17,'. It ends with the
# transaction, and rolling back to a savepoint restores it together with the mark. A season that was counted in this
# transaction needs a new mark.
_RAISE_ONCE = """UPDATE league_season SET ledger_mark = ledger_mark + 1 WHERE id = %s
AND (position(%s in coalesce(current_setting('chratzete.raised', true), '')) = 0
    OR ledger_mark <= (SELECT counted_mark FROM league_seasoncount WHERE season_id = league_season.id))
RETURNING set_config('chratzete.raised', coalesce(current_setting('chratzete.raised', true), '') || %s, true)"""
# Postings that follow in this transaction need another mark: those of postings must stay fewer than all marks.
_RAISE_ALONE = """UPDATE league_season SET ledger_mark = ledger_mark + 1 WHERE id = %s RETURNING
set_config('chratzete.raised', replace(coalesce(current_setting('chratzete.raised', true), ''), %s, ''), true)"""
_STORE_UNCOUNTED = """INSERT INTO league_uncountedposting (posting_id, season_id, ledger_mark)
VALUES (%s, %s, (SELECT ledger_mark FROM league_season WHERE id = %s))"""


def mark_for_recount(*season_ids: int) -> None:
    """Let the seasons be counted from scratch, because a change other than a posting changes counted data. The caller
    holds the transaction."""
    writes = RoundTrip()
    for season_id in season_ids:
        _raise(writes, season_id, _RAISE_ALONE, [_listed(season_id)])
    writes.send()


def mark_uncounted(writes: RoundTrip, posting: Posting) -> None:
    """Store the posting as uncounted, with the mark of its season that this transaction has raised, and wake a worker
    after the commit."""
    listed = _listed(posting.season_id)
    _raise(writes, posting.season_id, _RAISE_ONCE, [listed, listed])
    key = Posting._meta.pk.get_db_prep_save(posting.pk, connection)
    writes.add(_STORE_UNCOUNTED, [key, posting.season_id, posting.season_id])


def _raise(writes: RoundTrip, season_id: int, on_postgresql: str, listed: list[str]) -> None:
    if connection.vendor == "postgresql":
        writes.add(on_postgresql, [season_id, *listed])
    else:
        writes.add(_RAISE, [season_id])
    # A transaction with many hands wakes once.
    after_commit.once(wake, season_id)
    news.tell(f"season:{season_id}")


def _listed(season_id: int) -> str:
    return f",{season_id},"


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
