"""Reads standings, statistics and reports from a replica of PostgreSQL, where `DATABASE_REPLICA_URL` is set.

A page shows at least what was stored before it was asked for: before its first read it asks the primary how far its log
is written, and reads from the replica only if that has replayed as much. It waits for a moment, then it reads from the
primary. The middleware of kept pages has read the page's version before, so no page is older than its version.

Sessions, rights and all that is written stay on the primary, and so does every request while the replica is away.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import structlog
from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase

log = structlog.get_logger(__name__)

REPLICA = "replica"
ROUTES = frozenset(
    {
        *("season", "season-standings", "season-sum", "season-team", "season-statistics", "season-report"),
        *("season-records", "club-records", "season-champions", "club-champions", "standings-embed", "standings-json"),
        *("api-standings", "api-season-statistics", "api-season-records", "api-club-records", "api-season-champions"),
        *("api-club-champions", "api-all-time", "season-luck", "api-season-luck"),
    }
)
"""The routes that read from the replica: those with much to read and nothing to write."""
AT_PRIMARY = frozenset(
    {
        *("user", "account", "membership", "invitation", "apitoken", "club", "tablecard", "pubscreenlink"),
        *("attendancelink", "messagechoice", "reserve", "pushdevice", "pushkey"),
        *("cup", "cupclub", "cupconsent", "cupinvitation", "cupplayer"),
        *("player", "keptanswer", "largefile"),
    }
)
"""Models of this app that say who is who and who may do what."""
TRIES, PAUSE_SECONDS = 4, 0.01
AWAY_SECONDS = 10.0
"""So long no request asks for a replica that did not answer."""


@dataclass
class _Reading:
    """A request that may read from the replica, and the database it has chosen."""

    alias: str = ""


_reading: ContextVar[_Reading | None] = ContextVar("reading from a replica", default=None)
_away_until = -1.0


class ReplicaRouter:
    """Sends the reads of such a request to the replica."""

    def db_for_read(self, model: Any, **_hints: Any) -> str | None:
        """Return the replica for what it may answer; None for the primary."""
        label, name = model._meta.app_label, model._meta.model_name
        return alias() if label == "games" or (label == "league" and name not in AT_PRIMARY) else None

    def db_for_write(self, model: Any, **_hints: Any) -> str:
        """Return the primary: also a row that was read from the replica is stored there."""
        return DEFAULT_DB_ALIAS

    def allow_relation(self, first: Any, other: Any, **_hints: Any) -> bool:
        """Return True: both databases have the same rows."""
        return True

    def allow_migrate(self, db: str, app_label: str, **_hints: Any) -> bool | None:
        """Return False for the replica, which follows the primary."""
        return False if db == REPLICA else None


class ReplicaMiddleware:
    """Lets the requests of `ROUTES` read from the replica, if there is one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        if REPLICA not in settings.DATABASES:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        token = _reading.set(None)
        try:
            return self.get_response(request)
        finally:
            _reading.reset(token)

    def process_view(self, request: HttpRequest, *_view: Any) -> None:
        """Begin to read from the replica."""
        match = request.resolver_match
        if request.method in ("GET", "HEAD") and match is not None and match.url_name in ROUTES:
            _reading.set(_Reading())


def alias() -> str:
    """Return the database that this request reads from."""
    reading = _reading.get()
    if reading is None:
        return DEFAULT_DB_ALIAS
    if not reading.alias:
        reading.alias = REPLICA if _has_caught_up() else DEFAULT_DB_ALIAS
    return reading.alias


def _has_caught_up() -> bool:
    """Return True if the replica has what was stored until now; wait for it for a moment."""
    global _away_until
    if time.monotonic() < _away_until:
        return False
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_flush_lsn()")
        (written,) = cursor.fetchone()
    try:
        for place in range(TRIES):
            if place:
                time.sleep(PAUSE_SECONDS)
            with connections[REPLICA].cursor() as cursor:
                # A replica that became a primary of its own replays nothing: NULL.
                cursor.execute("SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= %s::pg_lsn", [str(written)])
                if cursor.fetchone()[0]:
                    return True
    except (OperationalError, InterfaceError) as error:
        connections[REPLICA].close()
        _away_until = time.monotonic() + AWAY_SECONDS
        log.warning("the replica of the database does not answer", error=type(error).__name__)
    return False
