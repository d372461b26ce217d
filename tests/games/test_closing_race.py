"""Two evenings of one club that are closed, or begin with the coins of the box, at the same moment: there is one box,
the chain of receipts has no fork, and no coin is drawn twice.

Each race is forced: both requests wait for each other between reading and writing, unless a lock keeps them apart.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from games.closing import receipts
from games.closing import services as closing_services
from games.closing.services import evening_close, evening_reopen
from games.evening import services as evening_services
from games.evening.services import evening_start
from games.integrity import verify
from games.models import Table
from league.ledger import club_accounts
from league.models import Account, Closing, Evening, Receipt
from tests.factories import FAILED, SeasonFactory, create_table, enter
from tests.races import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

MEET_S = 1.0


@pytest.fixture
def tables() -> list[Table]:
    """Two tables of two evenings of one club, in two seasons: no common lock of a season separates them."""
    first = create_table()
    season = SeasonFactory(club=first.evening.club)
    both = [first, create_table(club=first.evening.club, season=season)]
    for table in both:
        enter(table, FAILED)
    return [Table.objects.select_related("evening__club", "evening__season").get(pk=table.pk) for table in both]


def meet(monkeypatch: pytest.MonkeyPatch, where: Any, name: str) -> None:
    """Each caller of this function waits a moment for the other one to call it too."""
    there, barrier = getattr(where, name), threading.Barrier(2)

    def called(*args: Any, **kwargs: Any) -> Any:
        answer = there(*args, **kwargs)
        with suppress(threading.BrokenBarrierError):
            barrier.wait(MEET_S)
        return answer

    monkeypatch.setattr(where, name, called)


def closing(table: Table) -> Callable[[], object]:
    evening = Evening.objects.select_related("club").get(pk=table.evening_id)
    return lambda: evening_close(evening=evening, author=None, key=uuid.uuid4(), pot=Closing.Pot.CARRY)


def beginning(table: Table) -> Callable[[], object]:
    seating = [f"p{player}" for player in table.places.values_list("player_id", flat=True)]
    evening = table.evening
    return lambda: evening_start(
        club=evening.club,
        season=evening.season,
        author=None,
        seating=seating,
        first_dealer=seating[0],
        held_on=evening.held_on,
        carry=True,
    )


def box() -> int:
    return club_accounts.held(Account.objects.get(kind="box").club_id, "box")


def sound() -> bool:
    return list(verify.differences()) == []


@pytest.fixture
def unlocked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The guard away. On SQLite it is the database itself: it has one writer at a time."""
    for services in (closing_services, evening_services):
        monkeypatch.setattr(services, "lock_club", lambda club_id: None)


def test_two_evenings_that_end_at_once_share_a_box_and_a_chain(
    tables: list[Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    lay = sum(table.pot_minor for table in tables)
    meet(monkeypatch, receipts, "content_of")
    assert at_once([closing(table) for table in tables]) == ["", ""]
    assert box() == lay
    assert sorted(Receipt.objects.values_list("number", flat=True)) == [1, 2]
    assert sound()


@pytest.mark.needs_postgres
def test_the_twin_without_the_guard_ends_one_of_them_or_forks(
    tables: list[Table], unlocked: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    meet(monkeypatch, receipts, "content_of")
    said = at_once([closing(table) for table in tables])
    assert said != ["", ""] or Account.objects.filter(kind="box").count() != 1 or not sound()


def test_the_coins_of_the_box_are_drawn_once(tables: list[Table], monkeypatch: pytest.MonkeyPatch) -> None:
    for table in tables:
        closing(table)()
    lay = box()
    meet(monkeypatch, club_accounts, "held")
    assert at_once([beginning(table) for table in tables]) == ["", "carry"]
    assert Table.objects.exclude(pk__in=[table.pk for table in tables]).get().pot_minor == lay
    assert box() == 0
    assert sound()


@pytest.mark.needs_postgres
def test_the_twin_without_the_guard_draws_it_twice_or_fails(
    tables: list[Table], unlocked: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for table in tables:
        closing(table)()
    meet(monkeypatch, club_accounts, "held")
    assert at_once([beginning(table) for table in tables]) != ["", "carry"]


def test_one_ends_while_another_begins(tables: list[Table], monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = tables
    closing(first)()
    lay = box() + second.pot_minor
    meet(monkeypatch, club_accounts, "held")
    assert at_once([closing(second), beginning(first)]) == ["", ""]
    drawn = Table.objects.exclude(pk__in=[table.pk for table in tables]).get().pot_minor
    assert drawn in (lay - second.pot_minor, lay)
    assert box() + drawn == lay
    assert sound()


def reopening(table: Table) -> Callable[[], object]:
    evening = Evening.objects.get(pk=table.evening_id)
    return lambda: evening_reopen(evening=evening, author=None, key=uuid.uuid4(), owner=True, reason="why")


def test_one_is_reopened_while_another_begins(tables: list[Table], monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = tables
    lay = first.pot_minor
    closing(first)()
    meet(monkeypatch, club_accounts, "held")
    said = at_once([reopening(first), beginning(second)])
    pot = Table.objects.get(pk=first.pk).pot_minor
    # Either the pot was back on its table when the other one looked, or it had gone there.
    assert (said, pot) in ((["", "carry"], lay), (["", ""], 0))
    assert box() == 0
    assert sound()


@pytest.mark.needs_postgres
def test_the_twin_without_the_guard_has_the_pot_twice(
    tables: list[Table], unlocked: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tables
    closing(first)()
    meet(monkeypatch, club_accounts, "held")
    assert at_once([reopening(first), beginning(second)]) != ["", "carry"]
    assert box() < 0 or not sound()
