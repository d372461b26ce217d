"""The functions of the state queries on PostgreSQL: those of the version before stay while an upgrade goes on."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import ProgrammingError, connection, transaction

from league import state_queries
from league.state_queries import LinesQuery, StateQuery, create_functions

pytestmark = [pytest.mark.needs_postgres, pytest.mark.django_db]

REST = "FROM league_club AS club WHERE club.slug = %s"


@pytest.fixture(autouse=True)
def no_other_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_queries, "QUERIES", [])


def lines(number: int) -> LinesQuery:
    """Return a query as a further version has it: with another column."""
    columns = tuple((f"n{nth}", "bigint") for nth in range(number))
    return LinesQuery(
        "league_test_lines", columns, f"SELECT {', '.join(['club.id'] * number)} FROM league_club AS club"
    )


def state(number: int) -> StateQuery:
    return StateQuery("league_test_state", ("text",), ", ".join(["club.id"] * number), REST)


def versions(make: Any, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Migrate to three versions, one after the other; return their queries."""
    made = []
    for number in (1, 2, 3):
        monkeypatch.setattr(state_queries, "QUERIES", [])
        made.append(make(number))
        create_functions()
        create_functions()
    return made


@pytest.mark.parametrize(("make", "argument"), [(lines, 1), (state, "nowhere")])
def test_the_function_of_the_version_before_stays(make: Any, argument: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third = versions(make, monkeypatch)
    assert not third.read(argument)
    assert not second.read(argument)
    with pytest.raises(ProgrammingError), transaction.atomic():
        first.read(argument)


@pytest.mark.parametrize("make", [lines, state])
def test_a_function_without_a_digest_is_one_of_before(make: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE FUNCTION {make(1).name}(text) RETURNS int LANGUAGE sql AS 'SELECT 1'")
    create_functions()
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {make(1).name}('')")
    make(2)
    create_functions()
    with connection.cursor() as cursor, pytest.raises(ProgrammingError), transaction.atomic():
        cursor.execute(f"SELECT {make(1).name}('')")


def test_other_functions_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE FUNCTION league_test_lines_of_mine(text) RETURNS int LANGUAGE sql AS 'SELECT 1'")
        versions(lines, monkeypatch)
        cursor.execute("SELECT league_test_lines_of_mine('')")
