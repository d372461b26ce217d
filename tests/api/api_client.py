"""A client of the API for tests, and checks of its answers."""

from __future__ import annotations

import json
import uuid
from datetime import timedelta
from typing import Any

from django.test import Client

from games.models import Table
from league.models import ApiToken, Club, User
from tests.second_factors import signed_in_now, with_factor

ALL = ["read", "record", "money", "manage"]


def key_for(person: User, *scopes: str, club: Club | None = None, days: float = 90) -> str:
    """Create an API key of this person; returns its text."""
    _key, text = ApiToken.objects.create(
        person, expiry=timedelta(days=days), name="test", scopes=list(scopes or ALL), club=club
    )
    return str(text)


class ApiClient:
    """A client of the API: with an API key, with a session, or without a sign-in."""

    def __init__(self, *, key: str = "", person: User | None = None, **extra: Any) -> None:
        self.client = Client(raise_request_exception=True, enforce_csrf_checks=False)
        if person is not None:
            # A superuser needs a second factor in the session.
            (with_factor if person.is_superuser else signed_in_now)(self.client, person)
        self.headers = {"Authorization": f"Bearer {key}"} if key else {}
        self.extra = extra

    def __call__(
        self,
        method: str,
        url: str,
        body: Any = None,
        *,
        key: uuid.UUID | str | None = None,
        match: str | None = None,
        **headers: str,
    ) -> Any:
        """Send a request. A write gets a new Idempotency-Key unless one is given ('' for none)."""
        sent = {**self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if method not in ("GET", "HEAD"):
            text = str(uuid.uuid4()) if key is None else str(key)
            sent |= {"Idempotency-Key": text} if text else {}
        if match is not None:
            sent["If-Match"] = match
        data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        kind = "application/json" if body is not None else "application/octet-stream"
        address = url if url.startswith("/") else f"/api/v1/{url}"
        return self.client.generic(method, address, data, content_type=kind, headers=sent, **self.extra)

    def get(self, url: str, **more: Any) -> Any:
        return self("GET", url, **more)

    def post(self, url: str, body: Any = None, **more: Any) -> Any:
        return self("POST", url, body, **more)


def is_problem(answer: Any, status: int, code: str = "") -> bool:
    """Check that an answer is a complete problem (RFC 9457) of this status and code; returns True."""
    problem = answer.json()
    assert answer.status_code == status, (answer.status_code, problem)
    assert answer["Content-Type"] == "application/problem+json"
    assert problem["status"] == status
    assert {"type", "title", "status", "detail", "code"} <= set(problem)
    assert problem["type"] == "/api/docs/#problems"
    assert problem["detail"].endswith((".", "?", "!")), problem["detail"]
    assert not code or problem["code"] == code, problem
    return True


def done(answer: Any) -> Any:
    """Return the JSON of an answer; a refusal fails the test."""
    assert answer.status_code < 400, answer.content
    return answer.json()


def at(table: Table, rest: str = "") -> str:
    """Return the path of a table, or of something below it."""
    return f"clubs/{table.evening.club.slug}/tables/{table.pk}{rest}"
