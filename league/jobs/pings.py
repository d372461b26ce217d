"""Tell the outside that regular work was done, or failed.

`PING_URL` is called as healthchecks has it: `PING_URL/backup` after a success, `PING_URL/backup/fail` after a failure.
Who watches that address notices, too, that no call comes.
"""

from __future__ import annotations

import socket
from http.client import HTTPException
from urllib.request import urlopen

import structlog
from django.conf import settings
from django.core.cache import cache
from django.core.mail import mail_admins

log = structlog.get_logger(__name__)

SECONDS = 5.0
SWEEP_EVERY = 60
"""Seconds between two calls of the sweep, which runs every ten."""


def ping(name: str, *, failed: bool = False) -> bool:
    """Call the address for `name`, such as `backup`; return False if it is not reached. Nothing is called without
    `PING_URL`."""
    if not settings.PING_URL:
        return True
    try:
        with urlopen(f"{settings.PING_URL}/{name}{'/fail' if failed else ''}", timeout=SECONDS):  # noqa: S310  Set by the operator.
            return True
    except (OSError, HTTPException, ValueError) as error:
        log.warning("ping_not_sent", name=name, error=type(error).__name__)
        return False


def tell_failure(name: str) -> None:
    """Call the address for a failure of `name`, and send a mail to `ADMINS`."""
    ping(name, failed=True)
    host = socket.gethostname()
    try:
        mail_admins(
            f"Chratzete: {name} failed on {host}",
            f"{name} failed on {host}. What it printed: journalctl --unit chratzete-{name}\n"
            f"docs/deploy.md, section Monitoring, says what to do.\n",
        )
    except OSError as error:
        log.warning("mail_not_sent", name=name, error=type(error).__name__)


def ping_sweep(*, failed: bool) -> None:
    """Call the address for the sweep, at most once a minute."""
    if settings.PING_URL and cache.add("ping:sweep", 1, SWEEP_EVERY):
        ping("sweep", failed=failed)
