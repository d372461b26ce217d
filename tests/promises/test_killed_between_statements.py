"""A server that dies between two statements of a recording leaves nothing half-stored; sent again, all is stored."""

from __future__ import annotations

import os
import signal
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, connections

from games import audit
from games.models import Hand, Revision, Seat, Table
from games.services import hand_enter, hand_void_last
from league.models import Posting, ResultRow, Season, Submission, Transfer
from tests.factories import FAILED, MADE, body, enter, open_table

pytestmark = pytest.mark.django_db(transaction=True)

STORED = (Hand, Revision, Seat, Posting, Transfer, ResultRow, Submission)


def state() -> tuple[Any, ...]:
    """Everything that a recording touches."""
    counts = tuple(model.objects.count() for model in STORED)
    tables = list(Table.objects.order_by("pk").values_list("hands", "pot_minor", "dealer_id", "deal_number"))
    return counts, tables, list(Season.objects.values_list("ledger_mark", flat=True))


def die_after(statements: int, act: Callable[[], Any]) -> bool:
    """Run `act` in a process of its own that is killed after so many statements; whether that came before its end."""
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

        # A connection of its own: what the child inherits is the parent's, whichever storage it lies in.
        inherited = connections["default"]
        connections["default"] = inherited.copy()
        try:
            with connection.execute_wrapper(count):
                act()
        finally:
            # No clean-up of the test run in the child, whatever happened.
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


@pytest.fixture
def played() -> Table:
    table = open_table()
    enter(table, FAILED)
    return table


def entering(table: Table) -> Callable[[], Any]:
    sent, key = body(table, MADE), uuid.uuid4()
    return lambda: hand_enter(table=Table.objects.get(pk=table.pk), author=None, key=key, body=sent)


def voiding(table: Table) -> Callable[[], Any]:
    key = uuid.uuid4()
    return lambda: hand_void_last(table=Table.objects.get(pk=table.pk), author=None, key=key, number=1)


@pytest.mark.parametrize("prepare", [entering, voiding])
def test_killed_after_any_statement_nothing_is_half_stored(played, prepare):
    act = prepare(played)
    before = state()
    deaths = 0
    while die_after(deaths + 1, act):
        assert state() == before, f"killed after statement {deaths + 1}"
        deaths += 1
    # The last try lived: it stored everything, once, and sending it again changes nothing.
    after = state()
    assert after != before
    assert act().replayed
    assert state() == after
    assert list(audit.differences()) == []
    assert deaths > 10


def test_without_the_transaction_a_death_leaves_half_a_hand(played, monkeypatch):
    """The control: statements that commit one by one."""

    class Loose:
        def __enter__(self) -> None: ...

        def __exit__(self, *args: object) -> None: ...

    monkeypatch.setattr("games.services.transaction.atomic", Loose)
    monkeypatch.setattr("games.chain.connection.features.has_select_for_update", False)
    before = state()
    act = entering(played)
    assert any(die_after(statements, act) and state() != before for statements in range(1, 10))
