"""The state of the service in lines that the operator reads at one look, each with what to do where it is not well."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import redis
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ..models import CountFailure, Delivery, Heartbeat
from ..standings.seasons_to_count import SWEEP, waiting_seasons

SILENT_AFTER = timedelta(seconds=60)
REDIS_SECONDS = 1.0


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
    at = Heartbeat.objects.filter(name=SWEEP).values_list("at", flat=True).first()
    alive = at is not None and timezone.now() - at < SILENT_AFTER
    value = _("never seen") if at is None else _("last seen %(ago)s ago") % {"ago": timesince(at)}
    yield Check(
        gettext_lazy("Worker and clock"),
        _("at work") if alive else value,
        alive,
        gettext_lazy("Hands are stored, standings stay as they are. Start the worker and the clock."),
    )


def _counts() -> Iterator[Check]:
    """Standings"""
    waiting, failing = waiting_seasons().count(), CountFailure.objects.count()
    value = (
        _("all counted")
        if not waiting
        else ngettext("%(n)s season waits", "%(n)s seasons wait", waiting) % {"n": waiting}
    )
    if failing:
        value = ngettext("%(n)s count fails", "%(n)s counts fail", failing) % {"n": failing}
    yield Check(
        gettext_lazy("Standings"),
        value,
        not failing,
        gettext_lazy("“manage.py queue” names them."),
    )


def _webhooks() -> Iterator[Check]:
    """Webhooks"""
    waiting = Delivery.objects.filter(next_at__isnull=False).count()
    text = ngettext("%(n)s message waits", "%(n)s messages wait", waiting) % {"n": waiting}
    yield Check(gettext_lazy("Webhooks"), text if waiting else _("all sent"))


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


def _mail() -> Iterator[Check]:
    """Mail"""
    yield Check(
        gettext_lazy("Mail"),
        _("is sent") if settings.MAIL_ON else _("is off"),
        settings.MAIL_ON,
        gettext_lazy("Without EMAIL_URL nobody can get a new password or confirm an address."),
    )


_LOOKS = (_version, _migrations, _worker, _counts, _webhooks, _redis, _disk, _mail)
