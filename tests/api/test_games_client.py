"""The Python client of the documentation records a night at a real server, with answers lost on the way."""

from __future__ import annotations

import http.client
import importlib.util
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

import pytest

from games.audit import differences
from games.models import Hand, Table
from league.models import Evening
from tests.api.asking import key_for
from tests.cast import Cast, cast
from tests.factories import FAILED, MADE, PASSED_OUT, WALKOVER, PlayerFactory
from tests.processes import Process

CLIENT = Path("docs/client/chratzete_client.py")
NIGHT = [MADE, FAILED, WALKOVER, PASSED_OUT, MADE, FAILED, FAILED, MADE]


class Road(BaseHTTPRequestHandler):
    """The way between client and server. Of the writes it passes on, it loses some of the answers."""

    upstream = ""
    lost: frozenset[int] = frozenset()
    busy: frozenset[int] = frozenset()
    seen: list[str]

    def do_POST(self) -> None:
        self.seen.append(str(self.headers["Idempotency-Key"]))
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if len(self.seen) in self.busy:
            self.send_response(503)
            self.end_headers()
            return
        connection = http.client.HTTPConnection(self.upstream, timeout=60)
        connection.request("POST", self.path, body, dict(self.headers))
        answer = connection.getresponse()
        text = answer.read()
        if len(self.seen) in self.lost:
            # The hand is stored by now; nobody hears of it.
            self.close_connection = True
            return
        self.send_response(answer.status)
        for name in ("Content-Type", "Retry-After"):
            if name in answer.headers:
                self.send_header(name, answer.headers[name])
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: Any) -> None:
        """A test is quiet."""


@pytest.fixture
def people(transactional_db: None) -> Cast:
    return cast()


@pytest.fixture
def road(web_server: Callable[..., Process], people: Cast) -> Iterator[tuple[str, type[Road]]]:
    server = web_server()
    way = type("Way", (Road,), {"upstream": urlsplit(server.url).netloc, "seen": []})
    proxy = ThreadingHTTPServer(("127.0.0.1", 0), way)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{proxy.server_port}", way
    proxy.shutdown()
    proxy.server_close()


def client_module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("chratzete_client", CLIENT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def night(people: Cast) -> dict[str, Any]:
    known = [PlayerFactory(club=people.home.club, nickname=name) for name in ("Anna", "Beni", "Carlo", "Doris")]
    evening = {
        "season": "2026",
        "held_on": "2026-11-20",
        "game": "chratze",
        "seating": [*({"player": player.pk} for player in known), {"guest": "Emil"}],
        "first_dealer": 4,
    }
    return {"club": "roessli", "evening": evening, "hands": NIGHT, "pot": "kitty"}


def test_a_night_is_recorded_once_although_answers_are_lost(people, road, tmp_path):
    url, way = road
    # Of ten writes (begin, eight hands, close) three answers are lost, and once the service is busy.
    way.lost, way.busy = frozenset({1, 4, 13}), frozenset({7})
    file = tmp_path / "night.json"
    file.write_text(json.dumps(night(people)))
    env = os.environ | {"CHRATZETE_URL": url, "CHRATZETE_KEY": key_for(people.home.recorder, "read", "record")}
    told = subprocess.run(
        [sys.executable, "-I", str(CLIENT), str(file)], env=env, capture_output=True, text=True, timeout=120, check=True
    ).stdout.splitlines()
    assert (len(way.seen), len(set(way.seen))) == (14, 10)
    assert [Evening.objects.count(), Hand.objects.count(), Table.objects.get().hands] == [1, 8, 8]
    assert Evening.objects.get().state == "closed"
    assert list(differences()) == []
    assert told[0].startswith("Anna chratzt")
    assert told[-1].startswith("Receipt 1: ")
    assert len(told) == 8 + Evening.objects.get().closings.get().payments.count() + 1


def test_what_is_refused_is_raised_with_the_clause_and_not_sent_again(people, road):
    url, way = road
    module = client_module()
    client = module.Client(url, key_for(people.home.recorder, "read", "record"), "roessli")
    evening = client.begin(**night(people)["evening"])
    with pytest.raises(module.Refused) as refused:
        client.hand(evening["tables"][0], {"declarer": 0, "joiners": [0], "made": [0]})
    assert refused.value.problem["clause"] == "R3"
    assert len(way.seen) == 2


def test_a_client_that_is_never_answered_gives_up(people, road):
    url, way = road
    way.lost = frozenset(range(1, 99))
    module = client_module()
    client = module.Client(url, key_for(people.home.recorder, "read", "record"), "roessli", patience=2)
    with pytest.raises(module.NO_ANSWER):
        client.begin(**night(people)["evening"])
    assert len(set(way.seen)) == 1
    assert len(way.seen) > 1


def test_the_client_is_no_longer_than_promised():
    assert len(CLIENT.read_text().splitlines()) <= 100
