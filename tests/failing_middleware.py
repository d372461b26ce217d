"""A fault in the middle of a request, in a process of its own (`TEST_MIDDLEWARE`)."""

from __future__ import annotations

import logging
from typing import Any

from django.http import HttpRequest


class FailingMiddleware:
    """Fails with a name and an amount in the message and in its local variables."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> Any:
        nickname, amount = request.GET["who"], request.GET["owes"]
        logging.getLogger("tests.failing").error("%s owes CHF %s", nickname, amount)
        raise ValueError(f"{nickname} owes CHF {amount}")
