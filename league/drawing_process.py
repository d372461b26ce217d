"""Draw a PDF in a process of its own, which has limits of memory and time: no PDF can hurt another club.

The process is a copy of this one, so that it has what was read for the pages. It asks the database nothing: a query
raises, and the connections of this process are closed in it.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import traceback
from collections.abc import Callable
from contextlib import ExitStack
from multiprocessing.connection import Connection
from typing import Any, NoReturn

import structlog
from django.db import connections
from django.utils.translation import gettext as _

from readers.faults import Unreadable
from readers.limits import WALL, limit_this_process

from .errors import Refused
from .reading_process import Limits, turn

LIMITS = Limits(seconds=30, memory_mib=512)
STANDARD_FILES = 3
COPY = multiprocessing.get_context("fork")
log = structlog.get_logger(__name__)


class NotDrawn(Refused):
    """A PDF that reached a limit (413), or for which there was no turn (429)."""


def drawn(draw: Callable[[], bytes], *, club: object, limits: Limits = LIMITS) -> bytes:
    """Return the bytes that `draw` returns. All that it needs of the database is read before; a club has one turn, that
    it shares with the reading of its files.

    Raises:
        NotDrawn: for a limit or a missing turn.
        RuntimeError: for a fault of `draw`, with its kind and place.
    """
    try:
        with turn(club):
            kind, body = _answer(draw, limits)
    except Unreadable:
        sentence = _("Other files are being drawn at the moment. Try again in a minute.")
        raise NotDrawn(status=429, code="paper", sentence=sentence) from None
    if kind == "broken":
        raise RuntimeError(body.decode())
    if kind == "too_large":
        sentence = _("These pages are too many to be drawn at once. Ask for a shorter time or for fewer people.")
        raise NotDrawn(status=413, code="paper", sentence=sentence)
    return body


def _answer(draw: Callable[[], bytes], limits: Limits) -> tuple[str, bytes]:
    """Return the kind of the answer of the copy ("drawn", "too_large" or "broken") and its bytes."""
    receiving, sending = COPY.Pipe(duplex=False)
    process = COPY.Process(target=_draw, args=(draw, sending, limits), daemon=True)
    process.start()
    sending.close()
    try:
        if receiving.poll(WALL * limits.seconds + 1):
            return receiving.recv_bytes().decode(), receiving.recv_bytes()
    except (EOFError, OSError):
        # It was killed: by its own limits, or by the system that had no more memory.
        pass
    finally:
        receiving.close()
        process.kill()
        process.join()
    log.warning("drawing_ended", status=process.exitcode)
    return "too_large", b""


def _draw(draw: Callable[[], bytes], sending: Connection, limits: Limits) -> None:
    """Draw in the copy, and send the answer through the pipe."""
    # Files that were garbage at the copying are never collected here: each would close a new file of the same number.
    gc.freeze()
    # Else the copy holds the sockets of other requests open after the web process has closed them.
    os.closerange(STANDARD_FILES, sending.fileno())
    os.closerange(sending.fileno() + 1, os.sysconf("SC_OPEN_MAX"))
    limit_this_process(limits.seconds, limits.memory_mib, beyond_present=True)
    try:
        with ExitStack() as guards:
            for connection in connections.all():
                guards.enter_context(connection.execute_wrapper(_no_query))
            kind, body = "drawn", draw()
    except MemoryError:
        kind, body = "too_large", b""
    except Exception as error:
        # The place alone: the text of an error may have something of a person.
        last = traceback.extract_tb(error.__traceback__)[-1]
        kind, body = "broken", f"{type(error).__name__} in {last.name}, line {last.lineno} of {last.filename}".encode()
    sending.send_bytes(kind.encode())
    sending.send_bytes(body)


def _no_query(*_args: Any) -> NoReturn:
    """Refuse a query: SQLite could answer it from its memory, although its file is closed."""
    raise RuntimeError("the database is not asked while a PDF is drawn")
