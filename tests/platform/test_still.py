"""The tables are emptied between two tests only when the live server answers nobody any more."""

from __future__ import annotations

import threading
import urllib.request
from typing import Any

import pytest
from django.core.signals import request_started

from tests import still


@pytest.mark.django_db(transaction=True)
def test_it_waits_for_an_answer_that_is_under_way(live_server: Any):
    begun, go_on = threading.Event(), threading.Event()

    def hold(**_told: Any) -> None:
        begun.set()
        go_on.wait(60)

    still.wait_until_still()
    request_started.connect(hold)
    try:
        asking = threading.Thread(target=lambda: urllib.request.urlopen(f"{live_server.url}/healthz").read())
        asking.start()
        assert begun.wait(60)
        waiting = threading.Thread(target=still.wait_until_still)
        waiting.start()
        waiting.join(0.2)
        assert waiting.is_alive()
    finally:
        go_on.set()
        request_started.disconnect(hold)
    waiting.join(60)
    asking.join(60)
    assert not waiting.is_alive()
