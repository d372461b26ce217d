"""Imports through the API: the check of a file, the import, its list, its undoing."""

from __future__ import annotations

import base64
import uuid
from typing import Any

import pytest

from league.models import Import, ImportedTotal, Player
from tests.api.api_client import ApiClient, done, is_problem, key_for
from tests.cast import Cast
from tests.factories import PlayerFactory

pytestmark = [pytest.mark.django_db]

IMPORTS = "clubs/roessli/imports"
ROWS = [["Datum", "Anni", "Zita", "Pot"], ["7.8.2026", "8", "3", "2"], ["14.8.2026", "-1", "", "1"]]


@pytest.fixture
def asks(people: Cast) -> ApiClient:
    PlayerFactory(club=people.home.club, nickname="Anni")
    return ApiClient(key=key_for(people.home.owner))


def body(people: Cast, **more: Any) -> dict[str, Any]:
    new = {"names": [{"name": "Zita", "player": None}]}
    return {"season": people.home.season.slug, "rows": ROWS, **new, **more}


def test_a_file_is_checked_imported_once_listed_and_undone(people: Cast, asks: ApiClient) -> None:
    anni = Player.objects.get(nickname="Anni").pk
    preview = done(asks.post(f"{IMPORTS}/check", body(people)))
    assert (preview["kind"], preview["people"], preview["faults"]) == ("sheet", [1, 2], [])
    assert {(entry["name"], entry["player"], entry["rows"]) for entry in preview["names"]} == {
        ("Anni", anni, 2),
        ("Zita", None, 1),
    }
    assert [[total["player"] for total in night["totals"]] for night in preview["evenings"]] == [[anni, None], [anni]]
    assert not Import.objects.exists()
    key = uuid.uuid4()
    stored = done(asks.post(IMPORTS, body(people), key=key))
    assert done(asks.post(IMPORTS, body(people), key=key)) == stored
    assert (stored["rows"], len(stored["evenings"]), ImportedTotal.objects.count()) == (3, 2, 3)
    again = body(people, names=[{"name": "Zita", "player": Player.objects.get(nickname="Zita").pk}])
    assert is_problem(asks.post(IMPORTS, again), 409, "import")
    assert done(asks.get(IMPORTS))["items"] == [stored]
    assert done(asks.get(f"{IMPORTS}/{stored['id']}")) == stored
    assert done(asks.post(f"{IMPORTS}/{stored['id']}/undo"))["undone_at"]
    assert is_problem(asks.post(f"{IMPORTS}/{stored['id']}/undo"), 409, "undone")


def test_every_fault_is_at_its_cell_and_nothing_is_stored(people: Cast, asks: ApiClient) -> None:
    rows = [ROWS[0], ["7.8.2026", "acht", "3", ""], ["31.4.2026", "1", "2", ""]]
    preview = done(asks.post(f"{IMPORTS}/check", body(people, rows=rows)))
    assert [
        (fault["row"], fault["cell"], fault["column"], fault["code"], fault["value"]) for fault in preview["faults"]
    ] == [
        (2, "B2", "Anni", "no_number", "acht"),
        (3, "A3", "Datum", "no_date", "31.4.2026"),
    ]
    assert all(fault["detail"] for fault in preview["faults"])
    refused = asks.post(IMPORTS, body(people, rows=rows))
    assert is_problem(refused, 422, "import")
    assert [error["at"] for error in refused.json()["errors"]] == ["B2", "A3"]
    assert not Import.objects.exists()


def test_a_name_without_a_chosen_person_is_a_fault(people: Cast, asks: ApiClient) -> None:
    sent = body(people)
    del sent["names"]
    preview = done(asks.post(f"{IMPORTS}/check", sent))
    assert [(fault["cell"], fault["code"]) for fault in preview["faults"]] == [("C1", "unknown_name")]
    assert is_problem(asks.post(IMPORTS, sent), 422, "import")
    foreign = body(people, names=[{"name": "Zita", "player": PlayerFactory(club=people.away.club).pk}])
    preview = done(asks.post(f"{IMPORTS}/check", foreign))
    assert [(fault["cell"], fault["code"]) for fault in preview["faults"]] == [("C1", "wrong_name")]


def test_a_file_in_base64_with_columns_that_are_sent(people: Cast, asks: ApiClient) -> None:
    text = "Wann;Wer;Was\n7.8.2026;Anni;5\n"
    columns = [{"what": what, "column": place} for place, what in enumerate(("date", "name", "points"))]
    content = base64.b64encode(text.encode()).decode()
    sent = {"season": people.home.season.slug, "file": content, "kind": "totals", "columns": columns}
    stored = done(asks.post(IMPORTS, sent))
    assert (stored["kind"], stored["rows"]) == ("totals", 1)
    assert is_problem(asks.post(IMPORTS, sent | {"file": "no base64"}), 422, "import")
    assert is_problem(asks.post(IMPORTS, sent | {"rows": ROWS}), 400, "invalid")
    assert is_problem(asks.post(IMPORTS, sent | {"season": "never"}), 404, "not_found")


def test_a_file_of_four_megabytes_passes_and_other_bodies_do_not(people: Cast, asks: ApiClient) -> None:
    content = base64.b64encode(b"Datum;Name;Punkte\n" + b"7.8.2026;Anni;5\n" * 20_000).decode()
    sent = {"season": people.home.season.slug, "file": content, "kind": "totals"}
    refused = asks.post(f"{IMPORTS}/check", sent)
    assert is_problem(refused, 422, "import")
    assert "10000" in refused.json()["detail"]
    assert asks.post("clubs/roessli/kitty/entries", {"reason": content}).status_code == 413
