"""Triggers on postings and transfers, one by one: each refuses with its own sentence, and is needed."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest
from django.db import DatabaseError, connection, transaction

from games.models import Table
from league.models import Account, Posting, Transfer
from league.triggers import LEAGUE_CHECKS, Check, drop
from tests.factories import MADE, SeasonFactory, create_table, enter

pytestmark = [pytest.mark.rest, pytest.mark.django_db, pytest.mark.both_databases]

CHECKS = {check.name: check for check in LEAGUE_CHECKS}


@pytest.fixture
def played() -> Table:
    table = create_table()
    enter(table, MADE)
    return table


def stored(table: Table, *, season: int, payee: int, kind: str) -> Posting:
    """A posting with one transfer from the table's pot, as the ledger writes it: the transfer first."""
    posting_id = uuid.uuid4()
    Transfer.objects.create(
        posting_id=posting_id,
        season_id=season,
        from_account_id=table.pot_account_id,
        to_account_id=payee,
        amount_minor=20,
        kind=kind,
    )
    evening = table.evening
    return Posting.objects.create(
        id=posting_id,
        club_id=evening.club_id,
        season_id=evening.season_id,
        evening=evening,
        source=uuid.uuid4(),
        revision=1,
    )


def account_of(table: Table) -> int:
    """The account of a player at the table."""
    return Account.objects.get(player=table.places.order_by("seat")[0].player).pk


def to_another_club(table: Table) -> None:
    stored(table, season=table.evening.season_id, payee=account_of(create_table(seats=2)), kind="paid")


def in_a_season_of_another_club(table: Table) -> None:
    stored(table, season=SeasonFactory().pk, payee=account_of(table), kind="paid")


def into_a_stored_posting(table: Table) -> None:
    transfer = stored(table, season=table.evening.season_id, payee=account_of(table), kind="paid").transfers.get()
    transfer.pk = None
    transfer.save(force_insert=True)


def without_a_result_row(table: Table) -> None:
    stored(table, season=table.evening.season_id, payee=account_of(table), kind="pot")


ATTACKS: list[tuple[str, Callable[[Table], None]]] = [
    ("one_club", to_another_club),
    ("one_club", in_a_season_of_another_club),
    ("before_posting", into_a_stored_posting),
    ("adds_up", without_a_result_row),
]


def refusal(attack: Callable[[Table], None], table: Table) -> str:
    """The database's sentence; empty where the rows were stored. Constraints that wait for the commit are checked."""
    try:
        with transaction.atomic():
            attack(table)
            connection.check_constraints()
    except DatabaseError as fault:
        return str(fault)
    return ""


@pytest.mark.parametrize(("name", "attack"), ATTACKS)
def test_a_trigger_refuses_with_its_sentence(name: str, attack: Callable[[Table], None], played: Table) -> None:
    assert CHECKS[name].message in refusal(attack, played)


@pytest.mark.parametrize(("name", "attack"), ATTACKS)
def test_without_this_trigger_alone_the_rows_are_stored(
    name: str, attack: Callable[[Table], None], played: Table
) -> None:
    drop(connection, (), (CHECKS[name],))
    assert refusal(attack, played) == ""


def test_each_check_is_attacked() -> None:
    attacked: set[Check] = {CHECKS[name] for name, _attack in ATTACKS}
    assert attacked == set(LEAGUE_CHECKS)
