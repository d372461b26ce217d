"""P10 for the API: every operation of the description is called with valid and with invalid data: as an owner in a
browser, with an API key, and without a sign-in. No server error, and no answer that the description does not have."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Collection, Iterator
from functools import cache
from typing import Any

import pytest
import schemathesis
from django.core.management import call_command
from django.db import connection
from django.test import Client
from hypothesis import HealthCheck, Phase, given, seed
from hypothesis import settings as hypothesis_settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from league.config.wsgi import application
from tests.api.api_client import key_for
from tests.api.path_arguments import path_arguments
from tests.cast import Cast, cast
from tests.factories import MADE, create_table, enter
from tests.second_factors import signed_in_now

pytestmark = pytest.mark.django_db

EXAMPLES = int(os.environ.get("CONTRACT_EXAMPLES", "2"))
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
]


@pytest.fixture(autouse=True)
def one_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the connection of the test: a server closes old connections around each request."""
    monkeypatch.setattr(connection, "close_if_unusable_or_obsolete", lambda: None)


@cache
def loaded() -> Any:
    return schemathesis.openapi.from_wsgi("/api/v1/openapi.json", application)


@pytest.fixture
def document(one_connection: None) -> Any:
    return loaded()


@pytest.fixture
def world(settings: Any) -> Cast:
    settings.API_LIMITS = {who: {"read": 0, "write": 0} for who in settings.API_LIMITS}
    people = cast()
    table = create_table(club=people.home.club, season=people.home.season)
    for _ in range(3):
        enter(table, MADE)
    return people


def as_owner(people: Cast) -> dict[str, Any]:
    client = signed_in_now(Client(), people.home.owner)
    client.get("/")
    token = "t" * 32
    client.cookies["csrftoken"] = token
    cookies = {name: morsel.value for name, morsel in client.cookies.items()}
    return {"cookies": cookies, "headers": {"X-CSRFToken": token}}


def as_key(people: Cast) -> dict[str, Any]:
    return {"headers": {"Authorization": f"Bearer {key_for(people.home.owner)}"}}


def as_nobody(people: Cast) -> dict[str, Any]:
    return {}


ANY_TEXT = {"Authorization", "If-Match", "If-None-Match", "token"}
"""Parameters that can be any text."""


def known_arguments(operation: Any, people: Cast) -> dict[str, Any]:
    """Return arguments of the path that name existing objects."""
    known: dict[str, Any] = {"club": people.home.club.slug}
    for thing in path_arguments(people.home).values():
        known |= thing
    wanted = {parameter.name for parameter in operation.path_parameters}
    return {name: value for name, value in known.items() if name in wanted}


def can_be_invalid(operation: Any, known: Collection[str]) -> bool:
    """Return True if an operation has a body, or a parameter that is not known and cannot be any text. The search for
    invalid data where there is none would take three quarters of the time."""
    parameters = [*operation.path_parameters, *operation.headers, *operation.query]
    return bool(operation.body) or any(parameter.name not in {*known, *ANY_TEXT} for parameter in parameters)


def is_excused(operation: Any, answer: Any) -> bool:
    """Return True for a 400 that no description of a parameter can exclude: a text for `after` that no page gave out,
    and counted coins without their player."""
    places = {error["at"] for error in answer.json().get("errors", [])}
    counted = {"pot_minor", "player"} if operation.path.endswith("/difference-finder") else set()
    return bool(places) and places <= {"after", *counted}


def faults_of(operation: Any, people: Cast, who: dict[str, Any], mode: GenerationMode) -> Iterator[str]:
    """Yield the faults in the answers of one operation."""
    faults: dict[str, str] = {}
    checks = CHECKS if mode is GenerationMode.POSITIVE else [*CHECKS, negative_data_rejection]
    known = known_arguments(operation, people)
    if mode is GenerationMode.NEGATIVE and not can_be_invalid(operation, known):
        return
    strategy = operation.as_strategy(generation_mode=mode, path_parameters=known or None)

    @seed(7)
    @given(case=strategy)
    @hypothesis_settings(
        max_examples=EXAMPLES,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def call(case: Any) -> None:
        # The client of the checks does not decompress an answer of a WSGI application.
        sent = {**who, "headers": {"Accept-Encoding": "identity", **who.get("headers", {})}}
        if mode is GenerationMode.POSITIVE and "Idempotency-Key" in (case.headers or {}):
            sent["headers"] |= {"Idempotency-Key": str(uuid.uuid4())}
        if mode is GenerationMode.POSITIVE and "If-Match" in (case.headers or {}):
            sent["headers"] |= {"If-Match": "*"}
        answer = case.call(**sent)
        if mode is GenerationMode.POSITIVE and answer.status_code == 400 and not is_excused(operation, answer):
            faults.setdefault("ValidDataRefused", f"{case.query} {case.body}\n{answer.text[:600]}")
        try:
            case.validate_response(answer, checks=checks)
        except FailureGroup as group:
            for failure in group.exceptions:
                faults.setdefault(type(failure).__name__, f"{failure}\n{answer.status_code} {answer.text[:300]}")
        except Failure as failure:
            faults.setdefault(type(failure).__name__, str(failure))

    call()
    for name, text in faults.items():
        yield f"{operation.method.upper()} {operation.path} ({mode.value}): {name}: {text}"


# PostgreSQL refuses a number out of range, NUL in a text and broken JSON by itself: the owner may do the most.
OWNER = pytest.param(as_owner, marks=pytest.mark.servers_only)


@pytest.mark.rest
@pytest.mark.parametrize("who", [OWNER, as_key, as_nobody])
def test_every_operation_answers_as_described(document, world, who: Callable[[Cast], dict[str, Any]]):
    client = who(world)
    operations = [result.ok() for result in document.get_all_operations()]
    # Deletions come last, so that the objects exist for the other operations.
    operations.sort(key=lambda operation: (operation.method.upper() == "DELETE", operation.path))
    faults: list[str] = []
    for operation in operations:
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            faults += faults_of(operation, world, client, mode)
    assert not faults, f"{len(faults)} faults\n\n" + "\n\n".join(faults)


@pytest.mark.rest
def test_the_description_is_made_without_a_warning(capsys):
    call_command("spectacular", "--format", "openapi-json", "--validate", "--fail-on-warn", file=os.devnull)


def test_every_operation_has_a_summary_and_examples(document):
    raw = document.raw_schema
    for path, item in raw["paths"].items():
        for method, operation in item.items():
            where = f"{method.upper()} {path}"
            assert operation.get("summary"), where
            for body in operation.get("requestBody", {}).get("content", {}).values():
                assert body.get("examples"), f"{where}: body"
            for status, answer in operation["responses"].items():
                for kind, content in answer.get("content", {}).items():
                    assert kind.startswith(("text/", "application/pdf", "application/zip")) or content.get(
                        "examples"
                    ), f"{where}: {status}"
    assert raw["openapi"] == "3.1.0"


def descriptions(document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the summary of each operation and the descriptions of its parameters."""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield f"{method} {path}", operation["summary"]
            for parameter in operation.get("parameters", []):
                if "description" in parameter:
                    yield f"{method} {path} {parameter['name']}", parameter["description"]


def test_the_description_is_in_german_too(client):
    english, german = (
        dict(descriptions(client.get("/api/v1/openapi.json", headers={"Accept-Language": lang}).json()))
        for lang in ("en", "de")
    )
    assert len(english) > 200
    assert not [where for where, text in english.items() if german[where] == text]
