"""Writes as a phone makes them, and the requests that send them."""

from __future__ import annotations

import json
import uuid
from typing import Any

from django.test import Client

from games.models import Table
from league.models import Season
from tests.factories import MADE

AT = 1_790_000_000_000


def url(table: Table) -> str:
    return f"/c/{table.evening.club.slug}/t/{table.pk}/night/"


def seats(table: Table) -> list[int]:
    return list(table.places.order_by("seat").values_list("player_id", flat=True))


def write(kind: str, table: Any, **fields: Any) -> dict[str, Any]:
    """A write of this kind; `table` is a table or a reference, None for a new evening."""
    common = {"format": 1, "key": str(uuid.uuid4()), "kind": kind, "club": "roessli", "at": AT}
    named = {} if table is None else {"table": table.pk if isinstance(table, Table) else table}
    return common | named | fields


def hand(table: Any, number: int = 1, record: dict[str, Any] = MADE, **more: Any) -> dict[str, Any]:
    players = {"players": seats(table)} if isinstance(table, Table) else {}
    return write("hand", table, number=number, record=record, **(players | more))


def begin(season: Season, seating: list[Any], **more: Any) -> dict[str, Any]:
    """An evening with these players (ids) and guests (nicknames); the last one deals first."""
    sitting = [{"player": person} if isinstance(person, int) else {"guest": person} for person in seating]
    fields = {"season": season.pk, "game": "chratze", "rules_version": 1, "seating": sitting}
    first = {"first_dealer": len(seating) - 1, "held_on": "2026-11-20", "carry": False, "settling": None}
    return write("begin", None, **(fields | first | more))


def post(client: Client, sent: Any, table: Table | None = None) -> Any:
    """Send a write to the address of its table, or to that for evenings that are not stored yet."""
    address = "/c/roessli/night/" if table is None else url(table)
    body = sent if isinstance(sent, str | bytes) else json.dumps(sent)
    return client.post(address, body, content_type="application/json", headers={"Outbox": "1"})


def stored(answer: Any) -> dict[str, Any]:
    assert answer.status_code == 200, answer.content.decode()[:500]
    fields: dict[str, Any] = answer.json()["stored"]
    return fields


def refused(answer: Any, status: int, code: str) -> dict[str, Any]:
    assert (answer.status_code, answer.json()["refused"]["code"]) == (status, code), answer.content.decode()[:500]
    body: dict[str, Any] = answer.json()
    return body
