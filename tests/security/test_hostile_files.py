"""Files that are made to cost memory or time: refused within a second of the processor and 50 MiB, in a process of
their own, whatever happens to it."""

from __future__ import annotations

import io
import json
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import translation
from rest_framework.exceptions import ParseError

from league import reading_process
from league.api import parsing
from league.imports.reading import tables_of
from league.logo.images import redrawn
from league.reading_process import Limits, read_limited
from readers.faults import Unreadable
from tests.api.api_client import ApiClient
from tests.cast import House, house
from tests.clients import reader
from tests.hostile_files import HOSTILE
from tests.reading_cost import cost

SECONDS, MIB = 1.0, 50
KNOWN = {
    "tables": {"thirty sheets, one part", "700,000 rows", "60 MB of spaces", "a million texts", "entities"},
    "picture": {"900 million pixels", "900 million pixels, GIF"},
    "tournament": {"deep, packed", "lists, packed"},
}
"""The files that every run tries; `make test-rest` tries all of them."""
FILES = [
    pytest.param(kind, name, id=f"{kind}: {name}", marks=() if name in KNOWN[kind] else pytest.mark.rest)
    for kind, files in HOSTILE.items()
    for name in files
]
NO_BUDGET = """
from readers import budget, packed_parts, tables
budget.Budget.take = lambda *_more: None
packed_parts.DENSEST = packed_parts.FEW_TAGS = 10**9
"""
NO_COUNT = "from readers import tournaments\ntournaments.MAX_VALUES = 10**9\n"
UNLIMITED = "import readers.limits\nreaders.limits.limit_this_process = lambda **_limits: None\n"
LONG = Limits(seconds=0, memory_mib=64)
"""Such a process has a second."""


@pytest.mark.parametrize(("kind", "name"), FILES)
def test_it_is_refused_within_a_second_and_fifty_mebibytes(kind: str, name: str) -> None:
    measured = cost(kind, HOSTILE[kind][name]())
    assert measured.answer.get("fault") not in (None, "killed"), measured
    assert measured.seconds <= SECONDS
    assert measured.mib <= MIB


@pytest.mark.rest
def test_without_the_budget_the_same_file_costs_more() -> None:
    """The twin: a million shared texts."""
    measured = cost("tables", HOSTILE["tables"]["a million texts"](), NO_BUDGET)
    assert measured.mib > MIB


@pytest.mark.rest
def test_a_file_that_passes_every_count_ends_at_the_limit_of_memory() -> None:
    content = HOSTILE["tournament"]["lists, packed"]()
    small = "import sys, json\nsys.argv[-2] = json.dumps({'seconds': 20, 'memory_mib': 48})\n"
    assert cost("tournament", content, NO_COUNT + small).answer["fault"] == "too_complicated"
    # The twin: without the limit all of it is read.
    measured = cost("tournament", content, NO_COUNT + UNLIMITED)
    assert measured.answer["fault"] == "wrong_hash"
    assert measured.mib > 4 * MIB


# --- The process ------------------------------------------------------------------------------------------


def run(monkeypatch: pytest.MonkeyPatch, program: str, limits: Limits = LONG) -> Any:
    """Read with this program in place of a reader."""
    monkeypatch.setattr(
        reading_process, "command", lambda *_words, **_options: [sys.executable, "-S", "-c", program, "r", "{}", "{}"]
    )
    return read_limited("tables", b"a;b\n1;2\n", limits)


@pytest.mark.parametrize(
    "program",
    [
        "while True: pass",
        "import os; os.kill(os.getpid(), 9)",
        "import os; os.abort()",
        "print('{')",
        "print('[]')",
        """print('{"found": "' + 'x' * 3_000_000 + '"}')""",
        "raise SystemExit(1)",
    ],
    ids=["never ends", "killed", "aborted", "half an answer", "another answer", "long answer", "nothing"],
)
def test_a_process_that_ends_in_any_way_is_a_file_that_is_too_complicated(monkeypatch, program) -> None:
    began = time.monotonic()
    with pytest.raises(Unreadable) as fault:
        run(monkeypatch, program, Limits(seconds=0, memory_mib=64, answer_bytes=1_000_000))
    assert fault.value.code == "too_complicated"
    assert time.monotonic() - began < 10


def test_the_process_knows_no_secret_and_opens_no_file_of_ours(monkeypatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "of this server")
    program = "import os, json; print(json.dumps({'found': [dict(os.environ), sorted(os.listdir('/proc/self/fd'))]}))"
    monkeypatch.setattr(reading_process, "WALL", 1)
    environment, files = run(monkeypatch, program, Limits(seconds=20, memory_mib=64))
    assert set(environment) <= {"PATH", "LC_ALL", "LC_CTYPE", "PYTHONUTF8"}
    assert len(files) <= 4


def test_limits_are_set_before_the_file_is_read() -> None:
    program = """
import json, resource, sys
from readers import tables
names = ("RLIMIT_DATA", "RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_NPROC", "RLIMIT_CORE")
tables.read = lambda content, **more: [resource.getrlimit(getattr(resource, name)) for name in names]
"""
    if sys.platform.startswith("linux"):
        limits = cost("tables", b"", program).answer["found"]
        memory, seconds, *rest = (soft if soft == hard else None for soft, hard in limits)
        assert (memory, seconds, rest) == (320 * 2**20, 15, [0, 32, 0, 0])


def test_files_wait_for_their_turn_and_a_club_has_one(monkeypatch) -> None:
    monkeypatch.setattr(reading_process, "WAIT_SECONDS", 0.05)
    begun, most, going = threading.Barrier(3), threading.Event(), []

    def slowly(*_words: Any) -> dict[str, Any]:
        going.append(1)
        begun.wait(10)
        most.wait(10)
        return {"found": []}

    monkeypatch.setattr(reading_process, "_answer", slowly)
    threads = [threading.Thread(target=read_limited, args=("tables", b"", LONG), kwargs={"club": n}) for n in (1, 2)]
    for thread in threads:
        thread.start()
    begun.wait(10)
    for club in (1, 3, None):
        with pytest.raises(Unreadable, match="busy"):
            read_limited("tables", b"", LONG, club=club)
    most.set()
    for thread in threads:
        thread.join()
    assert len(going) == 2
    monkeypatch.setattr(reading_process, "_answer", lambda *_words: {"found": [1]})
    assert read_limited("tables", b"", LONG, club=1) == [1]


def test_of_two_files_of_a_club_the_second_waits_while_another_club_is_read(monkeypatch) -> None:
    monkeypatch.setattr(reading_process, "WAIT_SECONDS", 0.05)
    monkeypatch.setattr(reading_process, "_answer", lambda *_words: {"found": [1]})
    with reading_process.turn(1):
        assert read_limited("tables", b"", LONG, club=2) == [1]
        with pytest.raises(Unreadable, match="busy"):
            read_limited("tables", b"", LONG, club=1)


def test_a_logo_is_read_under_limits_of_its_own(monkeypatch) -> None:
    asked: list[list[str]] = []

    def answered(words: list[str], *_more: Any) -> dict[str, Any]:
        asked.append(words)
        return {"found": {"content": "", "width": 1, "height": 1}}

    monkeypatch.setattr(reading_process, "_answer", answered)
    redrawn(b"a picture")
    reader, limits = asked[0][-3], json.loads(asked[0][-2])
    assert reader == "picture"
    assert limits["seconds"] <= 10
    assert limits["memory_mib"] <= 400


# --- Pages and the API ------------------------------------------------------------------------------------


def logo(client: Client, home: House) -> Any:
    return client.post(f"/c/{home.club.slug}/logo/", {"file": SimpleUploadedFile("logo.png", b"x")})


def evenings(client: Client, home: House) -> Any:
    fields = {"file": SimpleUploadedFile("a.csv", b"a;b"), "season": home.season.slug, "game": "chratze"}
    return client.post(f"/c/{home.club.slug}/imports/", fields)


def tournament(client: Client, home: House) -> Any:
    fields = {"file": SimpleUploadedFile("cup.json", b"{}"), "do": "look"}
    return client.post(f"/c/{home.club.slug}/tournaments/import/", fields)


@pytest.mark.django_db
@pytest.mark.parametrize("send", [logo, evenings, tournament])
@pytest.mark.parametrize(
    ("fault", "status", "words"),
    [("too_complicated", 413, "too large or too complicated"), ("busy", 429, "Other files are being read")],
)
def test_a_page_answers_with_a_sentence(
    monkeypatch, send: Callable[..., Any], fault: str, status: int, words: str
) -> None:
    home = house("roessli")
    monkeypatch.setattr(reading_process, "_answer", lambda *_words: {"fault": fault, "values": {}})
    answer = send(reader(home.owner), home)
    assert (answer.status_code, words in answer.content.decode()) == (status, True)


@pytest.mark.django_db
@pytest.mark.parametrize(("fault", "status"), [("too_complicated", 413), ("busy", 429)])
def test_the_api_answers_with_a_problem(monkeypatch, fault: str, status: int) -> None:
    home = house("roessli")
    monkeypatch.setattr(reading_process, "_answer", lambda *_words: {"fault": fault, "values": {}})
    client = ApiClient(person=home.owner)
    answer = client.post("clubs/roessli/imports/check", {"season": home.season.slug, "file": "YTti"})
    assert (answer.status_code, json.loads(answer.content)["code"]) == (status, "import")


def test_a_body_of_eight_million_bytes_is_counted_before_it_is_read(monkeypatch) -> None:
    body = b'{"rows":[' + b"[]," * 2_700_000 + b"[]]}"
    monkeypatch.setattr(parsing.json, "loads", lambda *_more, **_hooks: pytest.fail("read"))
    with translation.override("en"), pytest.raises(ParseError, match="too many values"):
        parsing.StrictJSONParser().parse(io.BytesIO(body))
    with pytest.raises(pytest.fail.Exception):
        parsing.StrictJSONParser().parse(io.BytesIO(b'{"rows":[[]]}'))


def test_a_file_is_read_in_a_process_of_its_own() -> None:
    assert tables_of(b"a;b\n1;2\n")[0].rows == [["a", "b"], ["1", "2"]]
