"""The Python client of the documentation records an evening at a real server, with answers lost on the way."""

from __future__ import annotations

import http.client
import importlib.util
import json
import os
import re
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
from django.utils import translation

from games.hands import clause_sentences
from games.integrity.verify import differences
from games.models import Hand, Table
from league.models import Evening
from tests.api.api_client import key_for
from tests.cast import Cast, cast
from tests.factories import FAILED, MADE, PASSED_OUT, WALKOVER, PlayerFactory
from tests.processes import Process

pytestmark = pytest.mark.rest

CLIENT = Path("docs/client/chratzete_client.py")
HANDS = [MADE, FAILED, WALKOVER, PASSED_OUT, MADE, FAILED, FAILED, MADE]


class LossyProxy(BaseHTTPRequestHandler):
    """A proxy between client and server. It drops the answers of some writes, and answers 503 to others."""

    upstream = ""
    lost: frozenset[int] = frozenset()
    busy: frozenset[int] = frozenset()
    keys: list[str]

    def do_POST(self) -> None:
        self.keys.append(str(self.headers["Idempotency-Key"]))
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if len(self.keys) in self.busy:
            self.send_response(503)
            self.end_headers()
            return
        connection = http.client.HTTPConnection(self.upstream, timeout=60)
        connection.request("POST", self.path, body, dict(self.headers))
        answer = connection.getresponse()
        text = answer.read()
        if len(self.keys) in self.lost:
            # The write is stored, but its answer is dropped.
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
        """Print nothing."""


@pytest.fixture
def people(transactional_db: None) -> Cast:
    return cast()


@pytest.fixture
def lossy(web_server: Callable[..., Process], people: Cast) -> Iterator[tuple[str, type[LossyProxy]]]:
    server = web_server()
    proxy = type("Proxy", (LossyProxy,), {"upstream": urlsplit(server.url).netloc, "keys": []})
    listening = ThreadingHTTPServer(("127.0.0.1", 0), proxy)
    threading.Thread(target=listening.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{listening.server_port}", proxy
    listening.shutdown()
    listening.server_close()


def client_module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("chratzete_client", CLIENT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def evening_file(people: Cast) -> dict[str, Any]:
    known = [PlayerFactory(club=people.home.club, nickname=name) for name in ("Anna", "Beni", "Carlo", "Doris")]
    evening = {
        "season": "2026",
        "held_on": "2026-11-20",
        "game": "chratze",
        "seating": [*({"player": player.pk} for player in known), {"guest": "Emil"}],
        "first_dealer": 4,
    }
    return {"club": "roessli", "evening": evening, "hands": HANDS, "pot": "kitty"}


def access(people: Cast, url: str) -> dict[str, str]:
    """Return the environment of a recorder's program."""
    return {"CHRATZETE_URL": url, "CHRATZETE_KEY": key_for(people.home.recorder, "read", "record")}


def run(folder: Path, evening: dict[str, Any], **env: str) -> subprocess.CompletedProcess[str]:
    """Run the client as a program, as its documentation does."""
    file = folder / "evening.json"
    file.write_text(json.dumps(evening))
    base = {name: value for name, value in os.environ.items() if name not in ("LANG", "LC_ALL")}
    return subprocess.run(
        [sys.executable, "-I", str(CLIENT.resolve()), file.name],
        cwd=folder,
        env=base | {"PYTHONUTF8": "1"} | env,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


def test_an_evening_is_recorded_once_if_answers_are_lost(people, lossy, tmp_path):
    url, proxy = lossy
    # Of ten writes (start, eight hands, close) three answers are lost, and once the service is busy.
    proxy.lost, proxy.busy = frozenset({1, 4, 13}), frozenset({7})
    done = run(tmp_path, evening_file(people), **access(people, url))
    assert (done.returncode, done.stderr) == (0, "")
    printed = done.stdout.splitlines()
    assert (len(proxy.keys), len(set(proxy.keys))) == (14, 10)
    assert [Evening.objects.count(), Hand.objects.count(), Table.objects.get().hands] == [1, 8, 8]
    assert Evening.objects.get().state == "closed"
    assert list(differences()) == []
    assert printed[0].startswith("Anna chratzt")
    assert printed[-1].startswith("Receipt 1: ")
    assert len(printed) == 8 + Evening.objects.get().closings.get().payments.count() + 1


def test_a_refusal_is_raised_with_its_clause_and_not_sent_again(people, lossy):
    url, proxy = lossy
    module = client_module()
    client = module.Client(url, key_for(people.home.recorder, "read", "record"), "roessli")
    evening = client.start(**evening_file(people)["evening"])
    with pytest.raises(module.Refused) as refused:
        client.hand(evening["tables"][0], {"declarer": 0, "joiners": [0], "made": [0]})
    assert refused.value.problem["clause"] == "R3"
    assert len(proxy.keys) == 2


def test_a_client_without_an_answer_gives_up(people, lossy):
    url, proxy = lossy
    module = client_module()
    client = module.Client(url, key_for(people.home.recorder, "read", "record"), "roessli", patience=2)
    # The first request of a new server may take all of the client's patience.
    evening = client.start(**evening_file(people)["evening"])
    proxy.lost = frozenset(range(2, 99))
    with pytest.raises(module.NO_ANSWER):
        client.hand(evening["tables"][0], MADE)
    assert len(set(proxy.keys[1:])) == 1
    assert len(proxy.keys[1:]) > 1


def test_a_refusal_is_a_line_in_the_users_language_and_the_evening_continues(people, web_server, tmp_path):
    env, evening = access(people, web_server().url), evening_file(people)
    wrong = evening | {"hands": [MADE, MADE | {"joiners": [0]}]}
    done = run(tmp_path, wrong, LANG="de_CH.UTF-8", **env)
    first, line = Evening.objects.get(), clause_sentences.sentence
    with translation.override("de"):
        assert done.stderr == f"evening {first.pk}, hands[1]: joiners[0]: {line('R3')}\n"
    assert (done.returncode, done.stdout.count("\n")) == (1, 1)
    done = run(tmp_path, evening | {"evening": {"id": first.pk}, "hands": [FAILED]}, LANG="C.UTF-8", **env)
    assert (done.returncode, done.stderr, Hand.objects.count()) == (0, "", 2)
    assert [row.state for row in Evening.objects.all()] == ["closed"]


def test_an_unknown_player_is_named(people, web_server, tmp_path):
    env, evening = access(people, web_server().url), evening_file(people)
    evening["evening"]["seating"][1]["player"] = 987654
    done = run(tmp_path, evening, LC_ALL="en_GB.UTF-8", **env)
    assert done.stderr == "evening.json: seating[1].player: There is no player 987654 in this club.\n"
    assert not Evening.objects.exists()


def test_a_missing_value_is_reported_in_one_line(people, tmp_path):
    assert run(tmp_path, {}).stderr == "evening.json: 'CHRATZETE_URL' is missing\n"
    assert run(tmp_path, {}, **access(people, "http://localhost")).stderr == "evening.json: 'club' is missing\n"


def documented(kind: str) -> list[str]:
    """Return the blocks of this kind in the client's documentation."""
    return re.findall(rf"```{kind}\n(.*?)```", CLIENT.with_name("README.md").read_text(), re.DOTALL)


def test_the_documented_evenings_are_recorded_as_documented(people, web_server, tmp_path):
    env = access(people, web_server().url) | {"LANG": "en_GB.UTF-8"}
    named = {12: "Anna", 5: "Beni", 9: "Carlo"}
    known = {number: PlayerFactory(club=people.home.club, nickname=name).pk for number, name in named.items()}
    printed = []
    for block in documented("json"):
        evening = json.loads(block)
        for seat in evening["evening"]["seating"]:
            seat |= {"player": known[seat["player"]]} if "player" in seat else {}
        done = run(tmp_path, evening, **env)
        assert (done.returncode, done.stderr) == (0, "")
        printed.append(re.sub("[0-9a-f]{64}", "5f0c…", done.stdout).replace("\xa0", " "))
    assert printed == [text.partition("\n")[2] for text in documented("text")[:2]]


def test_the_client_has_at_most_100_lines():
    assert len(CLIENT.read_text().splitlines()) <= 100
