"""The number of queries of each step of an import, on the pages and through the API. None grows with the lines of the
file or its evenings: the rows of fifty evenings are stored together."""

from __future__ import annotations

import io
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Upload
from tests.api.api_client import ApiClient, key_for
from tests.imported import club_of

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

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
    "import": 40,
    "undo": 25,
}
API_STEPS = {"check": 13, "import": 50, "list": 5, "one": 5, "undo": 30}


def lines_of(evenings: int) -> list[list[str]]:
    """Return the rows of a file: a gain of Anna and a loss of Beni on each of these evenings."""
    days = [f"{FIRST + timedelta(days=night):%d.%m.%Y}" for night in range(evenings)]
    cells = [[[day, "Anna", "1.00", "9"], [day, "Beni", "-1.00", "3"]] for day in days]
    return [["Datum", "Name", "Betrag", "Punkte"], *(row for each in cells for row in each)]


def file_of(evenings: int) -> io.BytesIO:
    file = io.BytesIO("\n".join(map(";".join, lines_of(evenings))).encode())
    file.name = "abende.csv"
    return file


class Counted:
    """A client that counts the queries of each named request. `client` is signed in, or has a key."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.found: dict[str, int] = {}

    def step(self, name: str, path: str, sent: Any = None, status: int = 200) -> Any:
        """Read an address, or send something to it; return the answer, which has this status."""
        with CaptureQueriesContext(connection) as made:
            answer = self.client.get(path) if sent is None else self.client.post(path, sent)
        assert answer.status_code == status, name
        self.found[name] = len(made)
        return answer


def counted(evenings: int) -> dict[str, int]:
    """Return the queries of each step of an import of so many evenings on the pages."""
    counts = Counted(Client())
    with transaction.atomic():
        home = club_of("Anna", "Beni")
        counts.client.force_login(home.owner)
        # The first request may count as the use of a session.
        counts.client.get("/c/roessli/imports/")
        kind = {"season": "2026", "game": "chratze", "kind": "totals"}
        counts.step("file", "/c/roessli/imports/", {**kind, "file": file_of(evenings)}, 303)
        url = f"/c/roessli/imports/new/{Upload.objects.get().pk}/"
        counts.step("page of the columns", f"{url}columns/")
        counts.step("columns", f"{url}columns/", {"date": 0, "name": 1, "amount": 2, "points": 3}, 303)
        counts.step("page of the names", f"{url}names/")
        players = home.club.players.filter(nickname__in=("Anna", "Beni")).order_by("nickname")
        counts.step("names", f"{url}names/", {f"name-{place}": player.pk for place, player in enumerate(players)}, 303)
        key = counts.step("preview", f"{url}preview/").context["key"]
        done = counts.step("import", f"{url}preview/", {"key": key}, 303)["Location"]
        counts.step("page of the import", done)
        counts.step("undo", done, {}, 303)
        transaction.set_rollback(True)
    return counts.found


def counted_in_api(evenings: int) -> dict[str, int]:
    """Return the queries of each operation of an import of so many evenings through the API."""
    with transaction.atomic():
        counts = Counted(ApiClient(key=key_for(club_of("Anna", "Beni").owner)))
        imports = "clubs/roessli/imports"
        # The first request counts as the use of the key.
        counts.client.get(imports)
        body = {"season": "2026", "rows": lines_of(evenings)}
        counts.step("check", f"{imports}/check", body)
        stored = counts.step("import", imports, body, 201).json()
        assert len(stored["evenings"]) == evenings
        counts.step("list", imports)
        counts.step("one", f"{imports}/{stored['id']}")
        counts.step("undo", f"{imports}/{stored['id']}/undo", {})
        transaction.set_rollback(True)
    return counts.found


@pytest.mark.parametrize("evenings", [SMALL, LARGE])
def test_each_step_of_an_import_has_its_number_of_queries(evenings: int) -> None:
    assert counted(evenings) == STEPS


@pytest.mark.parametrize("evenings", [SMALL, LARGE])
def test_each_operation_of_the_api_has_its_number_of_queries(evenings: int) -> None:
    assert counted_in_api(evenings) == API_STEPS
