"""Requests that the live server still answers: its threads go on after a test has closed its browser."""

from __future__ import annotations

import threading
import time
from typing import Any

from django.core.signals import request_finished, request_started

LIMIT_SECONDS = 30.0

_answering: dict[int, threading.Thread] = {}


def watch() -> None:
    """Start to track the requests that are answered outside the test's own thread."""
    request_started.connect(_begins)
    request_finished.connect(_ends)


def wait_for_requests() -> None:
    """Return when no request is under way, or after LIMIT_SECONDS; later calls do not wait for a thread that hangs."""
    until = time.monotonic() + LIMIT_SECONDS
    while any(thread.is_alive() for thread in list(_answering.values())):
        if time.monotonic() > until:
            _answering.clear()
        time.sleep(0.002)


def _begins(**_signal: Any) -> None:
    thread = threading.current_thread()
    if thread is not threading.main_thread():
        _answering[threading.get_ident()] = thread


def _ends(**_signal: Any) -> None:
    _answering.pop(threading.get_ident(), None)
