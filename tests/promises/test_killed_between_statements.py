"""A server killed between two statements of a write stores nothing; the repeated request stores everything."""

from __future__ import annotations

import os
import signal
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, connections

from games.hands.services import hand_enter, hand_void_last
from games.integrity import verify
from games.models import Hand, Revision, Seat, Table
from league.models import Posting, ResultRow, Season, Submission, Transfer
from tests.factories import FAILED, MADE, body, create_table, enter

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

STORED = (Hand, Revision, Seat, Posting, Transfer, ResultRow, Submission)


def state() -> tuple[Any, ...]:
    """Return all rows that storing a hand changes."""
    counts = tuple(model.objects.count() for model in STORED)
    tables = list(Table.objects.order_by("pk").values_list("hands", "pot_minor", "dealer_id", "deal_number"))
    return counts, tables, list(Season.objects.values_list("ledger_mark", flat=True))


def die_after(statements: int, write: Callable[[], Any]) -> bool:
    """Run `write` in a child process that is killed after so many statements; return True if it was killed."""
    connection.close()
    child = os.fork()
    if child == 0:
        seen = 0

        def count(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            nonlocal seen
            result = execute(sql, params, many, context)
            seen += 1
            if seen == statements:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        # The child needs its own connection: the inherited one belongs to the parent.
        inherited = connections["default"]
        connections["default"] = inherited.copy()
        try:
            with connection.execute_wrapper(count):
                write()
        finally:
            # The child must not run the clean-up of the test run.
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


@pytest.fixture
def played() -> Table:
    table = create_table()
    enter(table, FAILED)
    return table


def entering(table: Table) -> Callable[[], Any]:
    sent, key = body(table, MADE), uuid.uuid4()
    return lambda: hand_enter(table=Table.objects.get(pk=table.pk), author=None, key=key, body=sent)


def voiding(table: Table) -> Callable[[], Any]:
    key = uuid.uuid4()
    return lambda: hand_void_last(table=Table.objects.get(pk=table.pk), author=None, key=key, number=1)


@pytest.mark.parametrize("prepare", [entering, voiding])
def test_a_server_killed_after_any_statement_stores_all_or_nothing(played, prepare):
    write = prepare(played)
    before = state()
    deaths = 0
    while die_after(deaths + 1, write):
        assert state() == before, f"killed after statement {deaths + 1}"
        deaths += 1
    # The last child was not killed: it stored everything, and the repeated request changes nothing.
    after = state()
    assert after != before
    assert write().repeated
    assert state() == after
    assert list(verify.differences()) == []
    # The table, begin, key, lock, evening, seats, and a statement for the rows of each model.
    assert deaths > 12


class NoTransaction:
    """In place of `transaction.atomic`: each statement commits by itself."""

    def __init__(self, *args: object, **options: object) -> None: ...

    def __enter__(self) -> None: ...

    def __exit__(self, *args: object) -> None: ...


def test_without_the_transaction_half_a_hand_is_stored(played, monkeypatch):
    monkeypatch.setattr("league.ledger.idempotency.transaction.atomic", NoTransaction)
    monkeypatch.setattr("games.hands.chain.connection.features.has_select_for_update", False)
    before = state()
    write = entering(played)
    assert any(die_after(statements, write) and state() != before for statements in range(1, 20))
