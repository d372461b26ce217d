"""The state of the service in lines that the operator reads at one look, each with what to do where it is not well."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import redis
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ..models import Heartbeat
from ..monitoring import marks
from ..monitoring.state import SILENT_AFTER, counting, heartbeats, player_messages, webhooks
from ..standings.seasons_to_count import SWEEP

BACKUP_AFTER, VERIFY_AFTER = timedelta(hours=36), timedelta(hours=36)
"""Both are made each night."""
REDIS_SECONDS = 1.0
SLOW_SECONDS = 5
_SLOW = """
SELECT count(*), coalesce(ceil(extract(epoch FROM max(clock_timestamp() - query_start)))::int, 0)
  FROM pg_stat_activity
 WHERE datname = current_database() AND backend_type = 'client backend' AND state = 'active'
   AND pid <> pg_backend_pid() AND clock_timestamp() - query_start > make_interval(secs => %s)
"""


@dataclass(frozen=True)
class Check:
    """A line: what was looked at, what was found, and `advice` where it is not well."""

    title: str | Promise
    value: str
    well: bool = True
    advice: str | Promise = ""


def checks() -> list[Check]:
    """Look at everything. A look that fails is a line that is not well."""
    return [check for look in _LOOKS for check in _looked(look)]


def _looked(look: Any) -> Iterator[Check]:
    try:
        yield from look()
    except Exception as error:
        yield Check(look.__doc__, type(error).__name__, False, _("This could not be read; the log says more."))


def _version() -> Iterator[Check]:
    """Version"""
    yield Check(gettext_lazy("Version"), settings.PRODUCT_VERSION)


def _migrations() -> Iterator[Check]:
    """Database"""
    executor = MigrationExecutor(connection)
    left = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    yield Check(
        gettext_lazy("Database"),
        connection.vendor
        if not left
        else ngettext("%(n)s migration waits", "%(n)s migrations wait", left) % {"n": left},
        not left,
        gettext_lazy("Run “manage.py migrate” with the service stopped."),
    )


def _worker() -> Iterator[Check]:
    """Worker and clock"""
    seen = heartbeats().get(SWEEP)
    last_seen = seen.at if seen else None
    alive = last_seen is not None and timezone.now() - last_seen < SILENT_AFTER
    yield Check(
        gettext_lazy("Worker and clock"),
        _("at work") if alive else _when(last_seen),
        alive,
        gettext_lazy("Hands are stored, standings stay as they are. Start the worker and the clock."),
    )


def _counts() -> Iterator[Check]:
    """Standings"""
    counts = counting()
    value = ngettext("%(n)s season waits", "%(n)s seasons wait", counts.waiting) % {"n": counts.waiting}
    if counts.failing:
        value = ngettext("%(n)s count fails", "%(n)s counts fail", counts.failing) % {"n": counts.failing}
    yield Check(
        gettext_lazy("Standings"),
        value if counts.waiting or counts.failing else _("all counted"),
        not counts.failing,
        gettext_lazy("“manage.py queue” names them."),
    )


def _webhooks() -> Iterator[Check]:
    """Webhooks"""
    waiting = webhooks().waiting
    text = ngettext("%(n)s message waits", "%(n)s messages wait", waiting) % {"n": waiting}
    yield Check(gettext_lazy("Webhooks"), text if waiting else _("all sent"))


def _player_messages() -> Iterator[Check]:
    """Messages to players"""
    if not settings.MAIL_ON:
        return
    messages = player_messages()
    text = ngettext("%(n)s message waits", "%(n)s messages wait", messages.waiting) % {"n": messages.waiting}
    given_up = ngettext("%(n)s given up this week", "%(n)s given up this week", messages.failed) % {
        "n": messages.failed
    }
    value = [text if messages.waiting else _("all sent"), *([given_up] if messages.failed else [])]
    yield Check(gettext_lazy("Messages to players"), ", ".join(value))


def _backup() -> Iterator[Check]:
    """Backup"""
    made = heartbeats().get(marks.BACKUP)
    value = _when(made.at if made else None)
    if made and made.value:
        value = f"{value}, {filesizeformat(made.value)}"
    yield Check(
        gettext_lazy("Backup"),
        value,
        _fresh(made, BACKUP_AFTER),
        gettext_lazy("“manage.py backup” makes one, each night."),
    )


def _verify() -> Iterator[Check]:
    """Money and ranking"""
    made = heartbeats().get(marks.VERIFY)
    wrong = made.value if made else None
    value = _when(made.at if made else None)
    if wrong:
        value = ngettext("%(n)s difference", "%(n)s differences", wrong) % {"n": wrong}
    yield Check(
        gettext_lazy("Money and ranking, recounted"),
        value,
        not wrong and _fresh(made, VERIFY_AFTER),
        gettext_lazy("“manage.py verify” recounts, and names each difference."),
    )


def _when(moment: datetime | None) -> str:
    return _("never") if moment is None else date_format(timezone.localtime(moment), "SHORT_DATETIME_FORMAT")


def _fresh(made: Heartbeat | None, within: timedelta) -> bool:
    return made is not None and made.at is not None and timezone.now() - made.at < within


def _redis() -> Iterator[Check]:
    """Redis"""
    if not settings.REDIS_URL:
        yield Check("Redis", _("not used"))
        return
    try:
        with redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=REDIS_SECONDS, socket_connect_timeout=REDIS_SECONDS
        ) as client:
            client.ping()
        yield Check("Redis", _("answers"))
    except (redis.RedisError, OSError):
        yield Check("Redis", _("does not answer"), False, gettext_lazy("Hands are stored; what waits is done later."))


def _disk() -> Iterator[Check]:
    """Disk"""
    disk = shutil.disk_usage(settings.DATA_DIR)
    share = round(100 * disk.free / disk.total)
    yield Check(
        gettext_lazy("Disk"),
        _("%(gb)s GB free (%(share)s %%)") % {"gb": round(disk.free / 1e9, 1), "share": share},
        disk.free > 10 * settings.FREE_DISK_MB * 1024 * 1024,
        gettext_lazy("Make room: below the least free space the service takes no hands."),
    )


def _statements() -> Iterator[Check]:
    """Statements"""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute(_SLOW, [SLOW_SECONDS])
        count, longest = cursor.fetchone()
    text = ngettext(
        "%(n)s runs longer than %(seconds)s s, for %(longest)s s",
        "%(n)s run longer than %(seconds)s s, the longest for %(longest)s s",
        count,
    ) % {"n": count, "seconds": SLOW_SECONDS, "longest": longest}
    none = _("none runs longer than %(seconds)s s") % {"seconds": SLOW_SECONDS}
    yield Check(
        gettext_lazy("Database statements"),
        text if count else none,
        not count,
        gettext_lazy("The view pg_stat_activity shows them; pg_terminate_backend ends one."),
    )


def _mail() -> Iterator[Check]:
    """Mail"""
    yield Check(
        gettext_lazy("Mail"),
        _("is sent") if settings.MAIL_ON else _("is off"),
        settings.MAIL_ON,
        gettext_lazy("Without EMAIL_URL nobody can get a new password or confirm an address."),
    )


_LOOKS = (
    _version,
    _migrations,
    _worker,
    _counts,
    _backup,
    _verify,
    _webhooks,
    _player_messages,
    _redis,
    _statements,
    _disk,
    _mail,
)
