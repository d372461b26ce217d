"""The API answers as recorded in `tests/data/recorded_answers.jsonl`: status, headers and body of each request.

Each line is a request and its answer. The requests before it (`before`) and it itself are sent to the same world, and
what they wrote is rolled back. The recorder asks in German, everybody else in English. A value in angle brackets stands
for one that differs: `<ETag>` in a request for the ETag that a GET of the address has, `<uuid 1>` in an answer for the
first UUID that this request made.

`RECORD_ANSWERS=1 pytest tests/api/test_recorded_answers.py -n 0` writes the file again, with requests made from the
description of the API. Read its difference before you commit it.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import time_machine
from django.db import transaction
from django.test import Client

from tests.api import recorded_requests
from tests.api.recorded_world import NOW, World, build, seeded
from tests.cell_checks import own_cache_keys
from tests.sizes import today

pytestmark = [pytest.mark.django_db, pytest.mark.needs_sqlite]

FILE = Path(__file__).parent.parent / "data" / "recorded_answers.jsonl"
RECORDS = bool(os.environ.get("RECORD_ANSWERS"))
HEADERS = (
    "Allow",
    "Cache-Control",
    "Content-Disposition",
    "Content-Language",
    "Content-Type",
    "Idempotency-Replayed",
    "Last-Modified",
    "Location",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "Vary",
    "WWW-Authenticate",
)
SETS = ("Allow", "Vary", "Cache-Control")
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
SECRETS = re.compile(r'"(key|secret|token)": "[^"]{20,}"')
SHOWN = 25
PARTS = ("reads", "conditions", "filters", "writes")
LONG = {"conditions", "writes"}
"""They take most of the time; a short run asks a third of the others today."""


def lines() -> list[dict[str, Any]]:
    """Return the recorded requests with their answers."""
    return [json.loads(line) for line in FILE.read_text().splitlines()]


# --- Sending -------------------------------------------------------------------------------------------------


def send(world: World, asked: dict[str, Any], headers: dict[str, str]) -> Any:
    """Send one request."""
    client = world.clients[asked["who"]]
    body, kind = asked.get("body"), asked.get("kind", "application/json")
    data = asked["raw"] if "raw" in asked else "" if body is None else json.dumps(body)
    if not data:
        kind = "application/octet-stream"
    language = "de" if asked["who"] == "recorder" else "en"
    headers = {"Accept-Language": language, **client.headers, **headers}
    return client.client.generic(asked["method"], asked["path"], data, content_type=kind, headers=headers)


def ask(world: World, asked: dict[str, Any]) -> tuple[Any, bytes]:
    """Send a request after those before it, undo what they wrote, and return its answer with the content."""
    with own_cache_keys(), seeded(asked.get("name", "")), transaction.atomic():
        known = ""
        for earlier in asked.get("before", []):
            # The key of a request that comes before is of no interest, unless the request has one.
            headers = {"Idempotency-Key": recorded_requests.key_of(json.dumps(earlier)), **earlier.get("headers", {})}
            known = known or etag(world, asked, headers)
            send(world, earlier, _filled(headers, known))
        headers = asked.get("headers", {})
        known = known or etag(world, asked, headers)
        with own_cache_keys():
            answer = send(world, asked, _filled(headers, known))
            content: bytes = answer.getvalue()
        transaction.set_rollback(True)
    return answer, content


def etag(world: World, asked: dict[str, Any], headers: dict[str, str]) -> str:
    """Return the ETag of the address of a request, if a header asks for it."""
    if recorded_requests.KNOWN not in headers.values():
        return ""
    return str(send(world, {**asked, "method": "GET", "body": None}, {}).get("ETag", ""))


def _filled(headers: dict[str, str], known: str) -> dict[str, str]:
    return {name: known if value == recorded_requests.KNOWN else value for name, value in headers.items()}


def answered(world: World, asked: dict[str, Any]) -> dict[str, Any]:
    """Return what is recorded of the answer to a request."""
    answer, content = ask(world, asked)
    headers: dict[str, Any] = {name: answer[name] for name in HEADERS if name in answer}
    for name in set(SETS) & set(headers):
        headers[name] = sorted(value.strip() for value in headers[name].split(","))
    headers["ETag"] = "ETag" in answer
    kind = headers.get("Content-Type", "")
    if "json" in kind and content:
        text = json.dumps(json.loads(content), ensure_ascii=False)
    else:
        text = json.dumps(content.decode() if kind.startswith("text/") else None, ensure_ascii=False)
    fields = {"status": answer.status_code, "answer_headers": headers, "answer": json.loads(_stable(world, text))}
    return {**fields, "answer_headers": json.loads(_stable(world, json.dumps(headers)))}


def _stable(world: World, text: str) -> str:
    """Replace the UUIDs, keys and secrets that the request made."""
    made: dict[str, str] = {}

    def named(match: re.Match[str]) -> str:
        number = match.group()
        return number if number in world.known_ids else made.setdefault(number, f"<uuid {len(made) + 1}>")

    return SECRETS.sub(r'"\1": "<\1>"', UUID.sub(named, text))


# --- Comparing -----------------------------------------------------------------------------------------------


def differences(recorded: Any, actual: Any, where: str = "") -> Iterator[str]:
    """Yield each place in which two answers differ."""
    if isinstance(recorded, dict) and isinstance(actual, dict):
        for name in sorted({*recorded, *actual}):
            if name not in actual:
                yield f"{where}.{name}: missing, recorded {_short(recorded[name])}"
            elif name not in recorded:
                yield f"{where}.{name}: new, {_short(actual[name])}"
            else:
                yield from differences(recorded[name], actual[name], f"{where}.{name}")
    elif isinstance(recorded, list) and isinstance(actual, list) and len(recorded) == len(actual):
        for number, (item, other) in enumerate(zip(recorded, actual, strict=True)):
            yield from differences(item, other, f"{where}[{number}]")
    elif recorded != actual or type(recorded) is not type(actual):
        yield f"{where}: recorded {_short(recorded)}, now {_short(actual)}"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) < 300 else f"{text[:300]}…"


@pytest.fixture
def world(caplog: pytest.LogCaptureFixture) -> Iterator[World]:
    # A failure shows the differences, not a line of the log for each refused request.
    caplog.set_level("CRITICAL", logger="django.request")
    # Without the id of a boot the clock of a round is read by the time of day, which does not pass here.
    with mock.patch("league.tournaments.clock.boot", return_value=""):
        made = build()
        with time_machine.travel(NOW, tick=False):
            for client in made.clients.values():
                client.client.raise_request_exception = False
            yield made


def requests_of(part: str, world: World) -> Iterator[dict[str, Any]]:
    """Yield the requests of a part, made from the description."""
    document = Client().get("/api/v1/openapi.json").json()

    def key_in(asked: dict[str, Any], name: str) -> Any:
        return json.loads(ask(world, asked)[1])[name]

    make: dict[str, Callable[[], Iterator[dict[str, Any]]]] = {
        "reads": lambda: recorded_requests.readings(world, document),
        "conditions": lambda: recorded_requests.conditions(world, document),
        "filters": lambda: recorded_requests.filtered(world, document, key_in),
        "writes": lambda: (
            request
            for all_of_them in (
                recorded_requests.written(world, document, key_in),
                recorded_requests.malformed(world),
            )
            for request in all_of_them
        ),
    }
    yield from make[part]()


def record(part: str, world: World) -> None:
    """Write the lines of a part again."""
    kept: dict[str, list[dict[str, Any]]] = {section: [] for section in PARTS}
    for line in lines() if FILE.exists() else []:
        kept[line["part"]].append(line)
    kept[part] = [{"part": part, **request, **answered(world, request)} for request in requests_of(part, world)]
    names = Counter(line["name"] for line in kept[part])
    assert not [name for name, count in names.items() if count > 1]
    written = (json.dumps(line, ensure_ascii=False) for section in PARTS for line in kept[section])
    FILE.write_text("".join(f"{line}\n" for line in written))


@pytest.mark.parametrize(
    "part", [pytest.param(part, marks=pytest.mark.rest if part in LONG else pytest.mark.sized) for part in PARTS]
)
def test_every_answer_is_as_recorded(world: World, part: str):
    if RECORDS:
        record(part, world)
        pytest.skip("the answers are recorded now; run the test again to compare")
    faults = []
    asked = [line for line in lines() if line["part"] == part]
    for line in asked if part in LONG else today(asked):
        actual = answered(world, line)
        recorded = {name: line[name] for name in actual}
        faults += [f"{line['name']}: {difference.removeprefix('.')}" for difference in differences(recorded, actual)]
    shown = "\n".join(faults[:SHOWN])
    assert not faults, f"{len(faults)} differences; the first of them:\n{shown}"


def test_every_operation_has_recorded_answers(client: Client):
    document = client.get("/api/v1/openapi.json").json()
    described = {operation["operationId"] for _template, _method, operation in recorded_requests.resources(document)}
    assert described == {line["name"].partition(",")[0] for line in lines()} & described
