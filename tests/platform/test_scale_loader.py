"""The loader of `bench.scale` makes a server whose clubs agree with their records, also those that are copies."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection

from bench.scale.plan import COMPARED_SEASONS, firsts, planned
from bench.scale.template import BIG, TINY_KINDS
from games.models import Hand
from league.models import Club, ResultRow, Season, SeasonCount, Standing
from tests.processes import Process

pytestmark = [pytest.mark.rest, pytest.mark.needs_postgres, pytest.mark.django_db(transaction=True)]

CLUBS, HANDS, SEED = 8, 240, 7
Start = Callable[..., Process]


def loaded(start: Start, clubs: int, hands: int, seconds: float = 120, *, tiny: bool = True) -> tuple[int, str]:
    """Fill this test's database with so many hands; return the exit status of the loader and what it printed. The
    evenings of a `tiny` server have a few hands each."""
    name = connection.settings_dict["NAME"]
    connection.close()
    size = ["--tiny"] if tiny else []
    process = start(*("-m", "bench.scale", str(clubs), str(hands)), *size, *("--seed", str(SEED), "--database", name))
    return process.process.wait(seconds), process.output()


def verify(start: Start) -> tuple[int, str]:
    connection.close()
    process = start("manage.py", "verify", "--jobs", "1")
    return process.process.wait(120), process.output()


def standings() -> set[tuple[object, ...]]:
    columns = [column.attname for column in Standing._meta.concrete_fields if not column.primary_key]
    return set(Standing.objects.values_list(*columns))


def test_all_clubs_agree_with_their_records(start_process):
    status, said = loaded(start_process, CLUBS, HANDS)
    assert status == 0, said
    clubs = planned(CLUBS, HANDS, kinds=TINY_KINDS, seed=SEED)
    assert Club.objects.count() == CLUBS
    assert Hand.objects.count() == sum(club.hands for club in clubs)
    # More clubs than those that the product counted: the others are copies with their counts.
    assert len(firsts(clubs)) < CLUBS
    assert SeasonCount.objects.count() == Season.every.count() == sum(club.seasons for club in clubs)
    status, said = verify(start_process)
    assert status == 0, said

    before = standings()
    assert before
    connection.close()
    rebuilt = start_process("manage.py", "rebuild")
    assert rebuilt.process.wait(120) == 0, rebuilt.output()
    assert standings() == before

    # A database with clubs is refused, and stays as it is.
    status, said = loaded(start_process, CLUBS, HANDS)
    assert (status, "is not empty" in said) == (1, True)
    assert Club.objects.count() == CLUBS

    # The control: `verify` reads the copies too.
    copied = Club.objects.latest("pk")
    row = ResultRow.objects.filter(evening__club=copied).earliest("pk")
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("UPDATE league_resultrow SET change_minor = change_minor + 10 WHERE id = %s", [row.pk])
    status, said = verify(start_process)
    assert status == 1, said


def test_the_first_club_is_the_same_on_every_server():
    for clubs, hands in ((1, 10_000), (100, 1_000_000), (10_000, 3_000_000)):
        plan = planned(clubs, hands, seed=SEED)
        assert (len(plan), plan[0].kind, plan[0].seasons, plan[0].earlier) == (clubs, BIG, COMPARED_SEASONS, 0)
        assert abs(sum(club.hands for club in plan) - hands) < BIG.season_hands
