"""Forced races of two calls: both read the rows that the lock protects before either of them writes.

A thread that has read waits until the other one has read too, or until PostgreSQL reports that the other one waits for
a lock of this one. So a race with its lock lasts no longer than the calls; without the lock it always fails.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model, QuerySet

from league.errors import Refused
from league.ledger import LedgerFault
from league.payments.solver import Unbalanced

LIMIT_S = 10.0
COMMIT_LIMIT_S = 1.0
"""How long a thread waits before its commit for the other one, which may have been refused by then."""


def at_once(calls: Sequence[Callable[[], object]]) -> list[str]:
    """Run each call in a thread; return, sorted, '' for each that succeeded, else the code or class of its refusal."""

    def run(call: Callable[[], object]) -> str:
        try:
            call()
        except Refused as refused:
            return refused.code
        except (DatabaseError, LedgerFault, Unbalanced) as fault:
            return type(fault).__name__
        finally:
            connection.close()
        return ""

    with ThreadPoolExecutor(len(calls)) as pool:
        return sorted(pool.map(run, calls))


class Race:
    """The place in the code where the two threads wait for each other, and the locks that are removed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch
        self._arrived: set[int] = set()
        self._committing: set[int] = set()
        self._hold_commits()

    @property
    def met(self) -> bool:
        """Return True if a thread came to the meeting place."""
        return bool(self._arrived)

    def after(self, where: Any, name: str) -> None:
        """Let each thread wait for the other one after its first call of this function."""
        original = getattr(where, name)

        def called(*args: Any, **kwargs: Any) -> Any:
            answer = original(*args, **kwargs)
            self._meet()
            return answer

        self._patch.setattr(where, name, called)

    def after_lock(self, model: type[Model], *, taken: bool = True) -> None:
        """Let each thread wait for the other one after it has read rows of `model` with a lock. With `taken` False it
        reads them without the lock; the race must then fail."""
        self._unlock(model, meet=True, unlock=not taken)

    def without_lock(self, model: type[Model]) -> None:
        """Remove all locks of rows of `model`."""
        self._unlock(model, meet=False, unlock=True)

    def _unlock(self, model: type[Model], *, meet: bool, unlock: bool) -> None:
        lock, fetch = QuerySet.select_for_update, QuerySet._fetch_all

        def select_for_update(rows: Any, *args: Any, **kwargs: Any) -> Any:
            locked = lock(rows, *args, **kwargs)
            if rows.model is model:
                locked.query.meets = True
                locked.query.select_for_update = not unlock
            return locked

        def _fetch_all(rows: Any) -> None:
            fetch(rows)
            if meet and rows.model is model and getattr(rows.query, "meets", False):
                self._meet()

        self._patch.setattr(QuerySet, "select_for_update", select_for_update)
        self._patch.setattr(QuerySet, "_fetch_all", _fetch_all)

    def _hold_commits(self) -> None:
        """Let neither thread commit before the other one has read all its inputs, too."""
        original = BaseDatabaseWrapper.commit

        def commit(wrapper: BaseDatabaseWrapper) -> None:
            if threading.get_ident() in self._arrived:
                self._wait(self._committing, COMMIT_LIMIT_S)
            original(wrapper)

        self._patch.setattr(BaseDatabaseWrapper, "commit", commit)

    def _meet(self) -> None:
        assert self._wait(self._arrived, LIMIT_S), "the other thread neither arrived nor waits for a lock"

    @staticmethod
    def _wait(place: set[int], limit_s: float) -> bool:
        """Wait until both threads are at a place, or the other one waits for a lock; return False after `limit_s`."""
        me = threading.get_ident()
        if me in place:
            return True
        place.add(me)
        until = time.monotonic() + limit_s
        while len(place) < 2 and not _another_connection_waits_for_this():
            if time.monotonic() > until:
                return False
            time.sleep(0.01)
        return True


@pytest.fixture
def race(monkeypatch: pytest.MonkeyPatch) -> Iterator[Race]:
    race = Race(monkeypatch)
    yield race
    assert race.met, "no thread came to the lock"


def _another_connection_waits_for_this() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT 1 FROM pg_locks l"
            " WHERE NOT l.granted AND pg_backend_pid() = ANY (pg_blocking_pids(l.pid)))"
        )
        return bool(cursor.fetchone()[0])
