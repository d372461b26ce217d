"""A hand at the same moment as a redraw or as the end of its round: it is stored before, or refused.

Each race is forced: both wait for each other between reading and writing, unless a lock keeps them apart.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.db import transaction

from games.closing import round_result
from games.errors import Refused
from games.hands import services as hands
from games.hands.services import hand_enter
from games.integrity import verify
from games.models import Table
from games.tournaments import round_tables
from league.models import Evening, Round
from league.tournaments.tables import TableBegun, of_games
from tests.factories import MADE, body, enter
from tests.races import at_once
from tests.tournaments.rounds import create_round, create_tournament, entrants_of, seatings, table_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

MEET_S = 1.0


@pytest.fixture
def drawn() -> Round:
    tournament = create_tournament()
    entrants_of(tournament, 9)
    return create_round(tournament, {1: (1, 2, 3, 4, 5), 2: (6, 7, 8, 9)})


def meet(monkeypatch: pytest.MonkeyPatch, *places: tuple[Any, str]) -> None:
    """Each caller of one of these functions waits a moment for the call of the other one."""
    barrier = threading.Barrier(2)

    def waiting(there: Callable[..., Any]) -> Callable[..., Any]:
        def called(*args: Any, **kwargs: Any) -> Any:
            answer = there(*args, **kwargs)
            with suppress(threading.BrokenBarrierError):
                barrier.wait(MEET_S)
            return answer

        return called

    for where, name in places:
        monkeypatch.setattr(where, name, waiting(getattr(where, name)))


def a_hand(current: Round) -> Callable[[], object]:
    table = table_of(current)
    sent = body(table, MADE)
    return lambda: hand_enter(table=table, author=None, key=uuid.uuid4(), body=sent)


def the_end(current: Round) -> Callable[[], object]:
    evening = Evening.objects.select_related("club", "season").get(pk=current.evening_id)

    def close() -> None:
        with transaction.atomic():
            of_games().close(evening, divide_pots=True, sheets={}, author=None)

    return close


def a_redraw(current: Round) -> Callable[[], object]:
    evening = Evening.objects.select_related("club", "season").get(pk=current.evening_id)
    wanted = seatings(current.tournament, {2: (6, 7, 8, 9)})

    def redraw() -> None:
        try:
            with transaction.atomic():
                of_games().reseat(evening, wanted)
        except TableBegun as begun:
            raise Refused(status=409, code="begun", sentence="") from begun

    return redraw


def sound() -> bool:
    return list(verify.differences()) == []


def test_a_hand_at_the_end_of_its_round_is_divided_with_it_or_refused(drawn, monkeypatch):
    enter(table_of(drawn), MADE)
    meet(monkeypatch, (hands, "_check_turn"), (round_result, "table_ends"))
    said = at_once([a_hand(drawn), the_end(drawn)])
    assert said in (["", ""], ["", "closed"])
    assert table_of(drawn).pot_minor == 0
    assert sound()


def test_a_hand_at_a_redraw_keeps_its_table_or_is_refused(drawn, monkeypatch):
    meet(monkeypatch, (hands, "_check_turn"), (round_tables, "_check_not_begun"))
    said = at_once([a_hand(drawn), a_redraw(drawn)])
    assert said in (["", "begun"], ["", "dissolved"])
    there = Table.objects.filter(evening=drawn.evening_id, number=1)
    assert there.exists() == ("begun" in said)
    assert sound()


@pytest.mark.needs_postgres
def test_the_twin_without_the_lock_loses_the_hand_or_its_table(drawn, monkeypatch):
    """The guard away: the redraw reads the tables without locking them."""
    unlocked = lambda evening: {  # noqa: E731
        table.number: table for table in Table.objects.filter(evening=evening).prefetch_related("places")
    }
    monkeypatch.setattr(round_tables, "_locked_tables", unlocked)
    meet(monkeypatch, (hands, "_check_turn"), (round_tables, "_check_not_begun"))
    said = at_once([a_hand(drawn), a_redraw(drawn)])
    assert said not in (["", "begun"], ["", "dissolved"]) or not sound()
