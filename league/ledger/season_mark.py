"""The work of a posting for the worker that counts its season: a mark, and the posting in the queue.

A transaction that posts raises the ledger mark of its season by one, stores each posting as uncounted with that mark,
and wakes a worker after the commit. Other changes of counted data (points of the season, merged players) raise the
season's mark alone: a count that finds more marks than uncounted postings have begins from scratch.

Postings that are stored together share a mark, on PostgreSQL all those of a transaction. Each UPDATE leaves a dead
version of the season's row there, which cannot be removed before the commit; each check of a foreign key to the season
reads all of them. SQLite updates in place.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.core.cache import cache
from django.db import connection
from django.db.models import F

from .. import after_commit, news
from ..config import celery
from ..models import Posting, Season, UncountedPosting

WOKEN_SECONDS = 60
"""The time in which one wake-up is enough. The sweep, every ten seconds, ends it for a season whose task was lost."""

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


def mark_for_recount(*season_ids: int) -> None:
    """Let the seasons be counted from scratch, because a change other than a posting changes counted data. The caller
    holds the transaction."""
    for season_id in season_ids:
        _raise(season_id, _RAISE_ALONE, [_listed(season_id)])


def mark_uncounted(postings: Sequence[Posting]) -> None:
    """Store the postings as uncounted, each with the mark of its season that this transaction has raised, and wake a
    worker after the commit."""
    seasons = sorted({posting.season_id for posting in postings})
    for season_id in seasons:
        listed = _listed(season_id)
        _raise(season_id, _RAISE_ONCE, [listed, listed])
    marks = dict(Season.every.filter(pk__in=seasons).values_list("pk", "ledger_mark"))
    UncountedPosting.objects.bulk_create(
        UncountedPosting(posting=posting, season_id=posting.season_id, ledger_mark=marks[posting.season_id])
        for posting in postings
    )


def _raise(season_id: int, on_postgresql: str, listed: list[str]) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(on_postgresql, [season_id, *listed])
    else:
        Season.every.filter(pk=season_id).update(ledger_mark=F("ledger_mark") + 1)
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
