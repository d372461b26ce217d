"""Read a person's file in a process of its own, which has limits of memory and time: no file can hurt another club.

The process (`readers`) knows no database, no settings and no secret. It gets the file at its standard input and answers
in JSON. Whatever happens to it, the person gets a sentence.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

import structlog
from django.utils.translation import gettext as _

from readers.faults import Unreadable
from readers.limits import WALL

from .errors import Refused

AT_ONCE = 2
"""So many files are read at once by a web process, of each club one."""
WAIT_SECONDS = 5.0
"""A file waits so long for its turn."""
PIECE = 64 * 1024
PROJECT = Path(__file__).resolve().parent.parent
log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Limits:
    """The seconds of the processor and the memory of one reading, and the bytes of its answer."""

    seconds: int
    memory_mib: int
    answer_bytes: int = 48 * 1024 * 1024


def read_limited(reader: str, content: bytes, limits: Limits, *, club: object = None, **options: Any) -> Any:
    """Return what a reader of `readers` finds in a file. `club`: whose file it is; it waits for another one of this
    club.

    Raises:
        Unreadable: with the fault that the reader found; `too_complicated` where it reached a limit; `busy` where too
            many files are being read.
    """
    with turn(club):
        answer = _answer(command(reader, limits, **options), content, limits)
    if "found" in answer:
        return answer["found"]
    if "fault" not in answer:
        # A fault of the program or of the machine; the file is not read either way.
        log.error("reader_failed", reader=reader, why=answer.get("broken", ""))
        raise Unreadable("too_complicated")
    raise Unreadable(answer["fault"], **answer["values"])


def refused(fault: Unreadable, code: str) -> Refused:
    """Return the refusal of a file for the faults that every reader has. `code`: the error code of the service."""
    if fault.code == "busy":
        sentence = _("Other files are being read at the moment. Try again in a minute.")
        return Refused(status=429, code=code, sentence=sentence, at="file")
    sentence = _("This file is too large or too complicated to be read.")
    return Refused(status=413, code=code, sentence=sentence, at="file")


def command(reader: str, limits: Limits, **options: Any) -> list[str]:
    """Return the command that reads a file from its standard input."""
    within = {"seconds": limits.seconds, "memory_mib": limits.memory_mib}
    return [sys.executable, "-E", "-s", "-m", "readers", reader, json.dumps(within), json.dumps(options)]


# --- Turns -------------------------------------------------------------------------------------------------

_changed = threading.Condition()
_reading: list[object] = []


@contextmanager
def turn(club: object) -> Iterator[None]:
    """Wait until a file of this club may be read, or be drawn. Raises Unreadable (`busy`)."""
    mine = club if club is not None else object()
    with _changed:
        if not _changed.wait_for(lambda: len(_reading) < AT_ONCE and mine not in _reading, WAIT_SECONDS):
            raise Unreadable("busy")
        _reading.append(mine)
    try:
        yield
    finally:
        with _changed:
            _reading.remove(mine)
            _changed.notify_all()


# --- The process -------------------------------------------------------------------------------------------


def _answer(words: list[str], content: bytes, limits: Limits) -> dict[str, Any]:
    """Run the command; return its answer. One that is killed, too slow or too long-winded found too much."""
    until = time.monotonic() + WALL * limits.seconds + 1
    # It gets no variable of this process: they have the secret key and the address of the database.
    clean = {"PATH": os.defpath, "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}
    with tempfile.TemporaryFile() as sent:
        sent.write(content)
        sent.seek(0)
        process = subprocess.Popen(
            words, stdin=sent, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=PROJECT, env=clean
        )
    try:
        with cast("IO[bytes]", process.stdout) as pipe:
            text = _collected(pipe, until, limits.answer_bytes)
    finally:
        process.kill()
        ended = process.wait()
    if text:
        try:
            answer = json.loads(text)
        except ValueError:
            answer = None
        if isinstance(answer, dict):
            return answer
    log.warning("reader_ended", reader=words[-3], status=ended)
    return {"fault": "too_complicated", "values": {}}


def _collected(pipe: IO[bytes], until: float, most: int) -> bytes:
    """Return the bytes of the pipe to its end; nothing if there are more than `most`, or if the time is over."""
    output = bytearray()
    with selectors.DefaultSelector() as waiting:
        waiting.register(pipe, selectors.EVENT_READ)
        while waiting.select(max(0.0, until - time.monotonic())):
            piece = os.read(pipe.fileno(), PIECE)
            if not piece:
                return bytes(output)
            output += piece
            if len(output) > most:
                return b""
    return b""
