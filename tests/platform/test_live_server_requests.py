"""Tables are emptied between two tests only after the live server has answered every request."""

from __future__ import annotations

import threading
import urllib.request
from typing import Any

import pytest
from django.core.signals import request_started

from tests import live_server_requests


@pytest.mark.django_db(transaction=True)
def test_it_waits_for_a_request_that_is_not_answered_yet(live_server: Any):
    begun, end = threading.Event(), threading.Event()

    def hold(**_signal: Any) -> None:
        begun.set()
        end.wait(60)

    live_server_requests.wait_for_requests()
    request_started.connect(hold)
    try:
        asking = threading.Thread(target=lambda: urllib.request.urlopen(f"{live_server.url}/healthz").read())
        asking.start()
        assert begun.wait(60)
        waiting = threading.Thread(target=live_server_requests.wait_for_requests)
        waiting.start()
        waiting.join(0.2)
        assert waiting.is_alive()
    finally:
        end.set()
        request_started.disconnect(hold)
    waiting.join(60)
    asking.join(60)
    assert not waiting.is_alive()
