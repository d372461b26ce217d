"""Locks at the tables: of two at once one sees the change of the other. Without its lock each race ends wrong."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest

from games.closing import pots
from games.closing.services import evening_close, payments_mark
from games.corrections.edits import TakeOut
from games.corrections.services import correct
from games.disputes.services import dispute_raise
from games.evening.services import evening_start
from games.hands import services
from games.hands.services import hand_enter, hand_void_last
from games.integrity import verify
from games.models import Dispute, Hand, Place, Table
from games.seating import services as seating_services
from games.seating.changes import Arrive, Split
from games.seating.services import carry_out
from league import ledger
from league.models import Closing, Evening, Payment, Player, Season, Transfer
from tests.factories import FAILED, MADE, PlayerFactory, body, create_table, enter
from tests.races import Race, at_once

pytestmark = [pytest.mark.rest, pytest.mark.django_db(transaction=True), pytest.mark.needs_postgres]

Call = Callable[[], object]


@pytest.fixture
def table() -> Table:
    opened = create_table(seats=6)
    enter(opened, FAILED)
    return Table.objects.select_related("evening__club", "evening__season").get(pk=opened.pk)


def sound() -> bool:
    """The records, the ledger and the tables agree."""
    return list(verify.differences()) == []


def storing(table: Table) -> Call:
    sent = body(table, MADE)
    return lambda: hand_enter(table=table, author=None, key=uuid.uuid4(), body=sent)


def voiding(table: Table) -> Call:
    return lambda: hand_void_last(table=table, author=None, key=uuid.uuid4(), number=1)


def closing(table: Table) -> Call:
    evening = Evening.objects.select_related("club").get(pk=table.evening_id)
    return lambda: evening_close(evening=evening, author=None, key=uuid.uuid4(), pot=Closing.Pot.CARRY)


def taking_out(table: Table) -> Call:
    return lambda: correct(table=table, edit=TakeOut(number=1), author=None, key=uuid.uuid4())


def seating(table: Table, player: int) -> Call:
    after = table.places.order_by("seat")[0].player_id
    return lambda: carry_out(table=table, change=Arrive(player, after), author=None, key=uuid.uuid4())


# --- The table's row: every writer at a table reads it first --------------------------------------------------


@pytest.mark.parametrize("other", [closing, voiding, taking_out])
def test_a_hand_and_another_write_at_its_table_follow_one_another(
    other: Callable[[Table], Call], race: Race, table: Table
) -> None:
    race.after_lock(Table)
    said = at_once([storing(table), other(table)])
    assert said[0] == ""
    # Without the lock of one of the two they wait for each other, and the database ends one of them.
    assert not said[1].endswith("Error")
    assert sound()


@pytest.mark.parametrize("other", [closing, voiding, taking_out])
def test_without_the_lock_of_the_table_one_of_them_overwrites_the_other(
    other: Callable[[Table], Call], race: Race, table: Table
) -> None:
    race.without_lock(Table)
    race.after(services, "_check_turn")
    race.after(services, "_last")
    race.after(pots, "pots_total")
    race.after(services.chains, "seating")
    said = at_once([storing(table), other(table)])
    # A closing that sees a part of the other's writes finds sums that do not add up, and stores nothing.
    assert "Unbalanced" in said or not sound()


def test_of_two_hands_with_one_number_one_is_refused_as_taken(race: Race, table: Table) -> None:
    race.after_lock(Table)
    assert at_once([storing(table), storing(table)]) == ["", "taken"]


def test_without_the_lock_of_the_table_the_unique_number_tells_the_same(race: Race, table: Table) -> None:
    race.after_lock(Table, taken=False)
    assert at_once([storing(table), storing(table)]) == ["", "taken"]
    assert sound()


# --- The evening's row: every service that seats a player or ends the evening ---------------------------------


@pytest.fixture
def two_tables(table: Table) -> list[Table]:
    people = tuple(table.places.order_by("seat").values_list("player_id", flat=True))
    carry_out(table=table, change=Split(people[:3], people[0], by_heads=True), author=None, key=uuid.uuid4())
    return list(Table.objects.filter(evening=table.evening_id).select_related("evening").order_by("number"))


def newcomer(tables: list[Table]) -> Player:
    """A player of the club with an account: two first seats at once would both open one."""
    late = PlayerFactory(club=tables[0].evening.club)
    ledger.ensure_player_accounts(late.club_id, [late.pk])
    return late


def test_a_player_is_seated_at_one_of_two_tables(race: Race, two_tables: list[Table]) -> None:
    late = newcomer(two_tables)
    race.after_lock(Evening)
    assert at_once([seating(table, late.pk) for table in two_tables]) == ["", "seating"]
    assert Place.objects.filter(player=late).count() == 1


def test_without_the_lock_of_the_evening_the_player_sits_at_both(race: Race, two_tables: list[Table]) -> None:
    late = newcomer(two_tables)
    race.without_lock(Evening)
    race.after(seating_services, "evening_tables")
    assert at_once([seating(table, late.pk) for table in two_tables]) == ["", ""]
    assert Place.objects.filter(player=late).count() == 2


def test_an_evening_is_closed_once(race: Race, table: Table) -> None:
    race.after_lock(Evening)
    assert at_once([closing(table), closing(table)]) == ["", "closed"]
    assert Closing.objects.count() == 1


def test_without_the_lock_of_the_evening_it_is_closed_twice(race: Race, table: Table) -> None:
    race.after_lock(Evening, taken=False)
    assert at_once([closing(table), closing(table)]) == ["", ""]
    assert Closing.objects.count() == 2


def paying(table: Table) -> Call:
    evening = Evening.objects.get(pk=table.evening_id)
    return lambda: payments_mark(evening=evening, author=None, key=uuid.uuid4(), paid=True)


def test_a_payment_is_marked_as_paid_once(race: Race, table: Table) -> None:
    closing(table)()
    race.after_lock(Evening)
    assert at_once([paying(table), paying(table)]) == ["", ""]
    assert Transfer.objects.filter(kind=Transfer.Kind.PAID).count() == Payment.objects.count() > 0


def test_without_the_lock_of_the_evening_one_of_two_who_mark_it_fails(race: Race, table: Table) -> None:
    closing(table)()
    race.after_lock(Evening, taken=False)
    assert at_once([paying(table), paying(table)]) == ["", "IntegrityError"]


# --- Unique values of a season and of a hand ------------------------------------------------------------------


def beginning(season: Season) -> Call:
    people = [f"p{PlayerFactory(club=season.club).pk}" for _ in range(3)]
    return lambda: evening_start(
        club=season.club, season=season, author=None, seating=people, first_dealer=people[0], held_on=season.starts_on
    )


def test_two_evenings_that_begin_at_once_get_two_numbers(race: Race, table: Table) -> None:
    season = table.evening.season
    race.after_lock(Season)
    assert at_once([beginning(season), beginning(season)]) == ["", ""]
    assert sorted(Evening.objects.values_list("number", flat=True)) == [1, 2, 3]


def test_without_the_lock_of_the_season_one_of_them_fails(race: Race, table: Table) -> None:
    season = table.evening.season
    race.after_lock(Season, taken=False)
    assert at_once([beginning(season), beginning(season)]) == ["", "IntegrityError"]


def disputing(table: Table, player: int) -> Call:
    return lambda: dispute_raise(table=table, number=1, player_id=player, text="no", author=None, key=uuid.uuid4())


def test_a_hand_is_disputed_once_by_a_player(race: Race, table: Table) -> None:
    player = table.places.order_by("seat")[0].player_id
    race.after_lock(Hand)
    assert at_once([disputing(table, player), disputing(table, player)]) == ["", "disputed"]


def test_without_the_lock_of_the_hand_it_is_disputed_twice(race: Race, table: Table) -> None:
    player = table.places.order_by("seat")[0].player_id
    race.after_lock(Hand, taken=False)
    assert at_once([disputing(table, player), disputing(table, player)]) == ["", ""]
    assert Dispute.objects.count() == 2
