"""Whether the live server still answers somebody: its threads do, also after a test has closed its browser."""

from __future__ import annotations

import threading
import time
from typing import Any

from django.core.signals import request_finished, request_started

LIMIT_SECONDS = 30.0

_answering: dict[int, threading.Thread] = {}


def watch() -> None:
    """From now on requests are counted that are answered beside the test's own thread."""
    request_started.connect(_begins)
    request_finished.connect(_ends)


def wait_until_still() -> None:
    """Return when no request is under way, or after LIMIT_SECONDS: whoever hangs then is not waited for again."""
    until = time.monotonic() + LIMIT_SECONDS
    while any(thread.is_alive() for thread in list(_answering.values())):
        if time.monotonic() > until:
            _answering.clear()
        time.sleep(0.002)


def _begins(**_told: Any) -> None:
    thread = threading.current_thread()
    if thread is not threading.main_thread():
        _answering[threading.get_ident()] = thread


def _ends(**_told: Any) -> None:
    _answering.pop(threading.get_ident(), None)
