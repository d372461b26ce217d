"""News for the event stream (`league.stream`): after a commit, the topics of which pages have something new.

A topic is the kind of an object and its id, such as `table:5`. The message tells that something changed, never what:
a phone fetches the part of its page as it does without a stream. A message that is lost is found by the slow poll of
the phone. Without the setting STREAM nothing is published.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable

from django.conf import settings
from django.core.cache import caches

from . import after_commit

NEWS, END = "news", "end"
NUMBERS = 2**40


def tell(*topics: str) -> None:
    """Publish, after the commit, that the pages of these topics have something new."""
    _after_commit(NEWS, topics)


def end_streams(*topics: str) -> None:
    """Publish, after the commit, that the streams of these topics end, because the rights of their readers may have
    changed. The phones open them again, and their rights are checked then."""
    _after_commit(END, topics)


def channel() -> str:
    """Return the name of the channel in Redis."""
    return f"{settings.REDIS_PREFIX}news"


def _after_commit(kind: str, topics: tuple[str, ...]) -> None:
    """A transaction with many hands of a table sends one message."""
    if settings.STREAM:
        after_commit.once(_publish, kind, topics)


def _publish(kind: str, topics: tuple[str, ...]) -> None:
    # The cache of a service without Redis has no such method.
    publish: Callable[[str, str], None] | None = getattr(caches["default"], "publish", None)
    if publish is not None:
        message = {"kind": kind, "topics": topics, "number": secrets.randbelow(NUMBERS)}
        publish(channel(), json.dumps(message))
