"""The id of a request: in each line of the log, in the answer, on the pages of errors, and in the tasks that follow.

Behind a proxy a well-formed `X-Request-ID` is taken over, so that its log has the same id.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.core.signals import request_finished
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

HEADER = "X-Request-ID"
NAME = "request_id"
_random = random.Random()  # noqa: S311 - ids are not secret
WELL_FORMED = re.compile(r"[A-Za-z0-9-]{16,64}")


def current() -> str:
    """Return the id of the request that this thread answers, or from which its task follows; else an empty text."""
    return str(get_contextvars().get(NAME, ""))


class RequestIdMiddleware:
    """The outermost middleware: gives each request its id, which stays until the answer is sent."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        request_finished.connect(_forget, dispatch_uid="request ids")

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        sent = request.headers.get(HEADER, "") if settings.PROXIES else ""
        # Not secret, so no randomness of the system is read for each request.
        own = sent if WELL_FORMED.fullmatch(sent) else f"{_random.getrandbits(128):032x}"
        clear_contextvars()
        bind_contextvars(**{NAME: own})
        response = self.get_response(request)
        response[HEADER] = own
        return response


def _forget(**_: Any) -> None:
    clear_contextvars()


def with_ids(run: Callable[..., None]) -> Callable[..., None]:
    """Return `run` for another thread, whose lines in the log have the ids of this one."""
    ids = get_contextvars()

    def run_with_ids(*args: Any) -> None:
        bind_contextvars(**ids)
        run(*args)

    return run_with_ids


def add_to_message(headers: Mapping[str, Any] | None = None, **_: Any) -> None:
    """Give a task the id of the request that sends it (`before_task_publish`)."""
    if isinstance(headers, dict) and current():
        headers[NAME] = current()


def begin_task(task: Any = None, task_id: str = "", **_: Any) -> None:
    """Bind the ids of a task and of its request (`task_prerun`). A task that its caller runs keeps those of the
    caller."""
    if task.request.is_eager:
        return
    clear_contextvars()
    sent = getattr(task.request, NAME, None)
    bind_contextvars(task_id=task_id, **({NAME: sent} if sent else {}))


def end_task(task: Any = None, **_: Any) -> None:
    """Forget the ids (`task_postrun`)."""
    if not task.request.is_eager:
        clear_contextvars()
