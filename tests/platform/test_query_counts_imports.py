"""The number of queries of each step of an import. None grows with the lines of the file; storing and undoing take a
fixed number for each evening."""

from __future__ import annotations

import io
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Upload
from tests.imported import club_of

pytestmark = [pytest.mark.django_db, pytest.mark.needs_sqlite]

FIRST = date(2026, 8, 1)
SMALL, LARGE = 2, 20
"""Evenings in the file."""
STEPS = {
    "file": 10,
    "page of the columns": 6,
    "columns": 15,
    "page of the names": 8,
    "names": 13,
    "preview": 9,
    "page of the import": 8,
}
STORED = {"import": (31, 9), "undo": (18, 10)}
"""Queries of an import, and for each of its evenings."""


def file_of(evenings: int) -> io.BytesIO:
    lines = ["Datum;Name;Betrag;Punkte"]
    for night in range(evenings):
        day = f"{FIRST + timedelta(days=night):%d.%m.%Y}"
        lines += [f"{day};Anna;1.00;9", f"{day};Beni;-1.00;3"]
    file = io.BytesIO("\n".join(lines).encode())
    file.name = "abende.csv"
    return file


def counted(evenings: int) -> dict[str, int]:
    """Return the queries of each step of an import of so many evenings."""
    found: dict[str, int] = {}
    client = Client()

    def step(name: str, path: str, sent: dict[str, Any] | None = None) -> Any:
        with CaptureQueriesContext(connection) as made:
            answer = client.get(path) if sent is None else client.post(path, sent)
        assert answer.status_code == (200 if sent is None else 303), name
        found[name] = len(made)
        return answer

    with transaction.atomic():
        home = club_of("Anna", "Beni")
        client.force_login(home.owner)
        # The first request may count as the use of a session.
        client.get("/c/roessli/imports/")
        kind = {"season": "2026", "game": "chratze", "kind": "totals"}
        step("file", "/c/roessli/imports/", {**kind, "file": file_of(evenings)})
        at = f"/c/roessli/imports/new/{Upload.objects.get().pk}/"
        step("page of the columns", f"{at}columns/")
        step("columns", f"{at}columns/", {"date": 0, "name": 1, "amount": 2, "points": 3})
        step("page of the names", f"{at}names/")
        players = home.club.players.filter(nickname__in=("Anna", "Beni")).order_by("nickname")
        step("names", f"{at}names/", {f"name-{place}": player.pk for place, player in enumerate(players)})
        key = step("preview", f"{at}preview/").context["key"]
        done = step("import", f"{at}preview/", {"key": key})["Location"]
        step("page of the import", done)
        step("undo", done, {})
        transaction.set_rollback(True)
    return found


@pytest.mark.parametrize("evenings", [SMALL, LARGE])
def test_each_step_of_an_import_has_its_number_of_queries(evenings: int) -> None:
    stored = {name: once + each * evenings for name, (once, each) in STORED.items()}
    assert counted(evenings) == STEPS | stored
