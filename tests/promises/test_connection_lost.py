"""A connection that is lost after any statement of a write stores nothing; the repeated request stores everything."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from django.db import Error, connection

from games.hands.services import hand_enter, hand_void_last
from games.integrity import verify
from games.models import Table
from league import database_away
from tests.factories import FAILED, MADE, body, create_table, enter
from tests.processes import database_url, wait_until

from .test_killed_between_statements import NoTransaction, state

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.needs_postgres]

Write = Callable[[], Any]


@pytest.fixture
def played() -> Table:
    table = create_table()
    enter(table, FAILED)
    return table


@pytest.fixture
def end_connection() -> Iterator[Callable[[], None]]:
    """End the connection of the test, as a restart of PostgreSQL does."""
    with contextlib.closing(psycopg.connect(database_url(), autocommit=True)) as other:

        def is_gone(pid: int) -> bool:
            return not other.execute("SELECT 1 FROM pg_stat_activity WHERE pid = %s", [pid]).fetchone()

        def end() -> None:
            pid = connection.connection.info.backend_pid
            other.execute("SELECT pg_terminate_backend(%s)", [pid])
            wait_until(lambda: is_gone(pid), 20, "the connection has ended")

        yield end


def lost_after(statements: int, write: Write, end: Callable[[], None]) -> Exception | None:
    """Run `write` and end its connection after so many statements; return its error, None if it needed no more."""
    seen = 0

    def count(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal seen
        result = execute(sql, params, many, context)
        seen += 1
        if seen == statements:
            end()
        return result

    try:
        with connection.execute_wrapper(count):
            write()
    except Error as error:
        return error
    finally:
        connection.close()
    assert seen <= statements
    return None


def entering(table: Table) -> Write:
    sent, key = body(table, MADE), uuid.uuid4()
    return lambda: hand_enter(table=Table.objects.get(pk=table.pk), author=None, key=key, body=sent)


def voiding(table: Table) -> Write:
    key = uuid.uuid4()
    return lambda: hand_void_last(table=Table.objects.get(pk=table.pk), author=None, key=key, number=1)


@pytest.mark.parametrize("prepare", [entering, voiding])
def test_a_connection_lost_after_any_statement_stores_nothing_and_is_no_fault_of_the_program(
    played: Table, prepare: Callable[[Table], Write], end_connection: Callable[[], None]
) -> None:
    write, before, losses = prepare(played), state(), 0
    while error := lost_after(losses + 1, write, end_connection):
        assert state() == before, f"lost after statement {losses + 1}"
        assert database_away.is_away(error), f"{error!r} after statement {losses + 1}"
        losses += 1
    assert losses > 12
    after = state()
    assert after != before
    assert write().repeated
    assert state() == after
    assert list(verify.differences()) == []


def test_without_the_transaction_half_a_hand_is_stored(
    played: Table, monkeypatch: pytest.MonkeyPatch, end_connection: Callable[[], None]
) -> None:
    """The twin."""
    monkeypatch.setattr("league.ledger.idempotency.transaction.atomic", NoTransaction)
    monkeypatch.setattr("games.hands.chain.connection.features.has_select_for_update", False)
    write, before = entering(played), state()
    assert any(lost_after(number, write, end_connection) and state() != before for number in range(1, 20))
