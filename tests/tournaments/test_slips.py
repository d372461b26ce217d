"""The first round by slips: the tables that are left out, and those that are fixed for somebody."""

from __future__ import annotations

import pytest

from league.errors import Refused
from league.models import Draw, Tournament
from league.tournaments import draw_services, entries, services
from tests.factories import ClubFactory
from tests.tournaments.played_tournaments import made_tournament, with_entrants

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Tournament:
    """Twelve people who are expected, at three tables of four."""
    tournament = made_tournament(ClubFactory(), None, slips=True)
    with_entrants(tournament, None, 12, here=False)
    return tournament


def come(tournament: Tournament, *numbers: int) -> None:
    for number in numbers:
        entries.check_in(tournament=tournament, author=None, number=number)


def fix(tournament: Tournament, number: int, table: int | None) -> None:
    entries.describe(tournament=tournament, author=None, number=number, fixed_table=table)


def close(tournament: Tournament, *numbers: int) -> None:
    services.closed_tables_set(tournament=tournament, author=None, numbers=numbers)


def slips(tournament: Tournament) -> dict[int, list[int]]:
    """The slips by start number, of those who have one."""
    return dict(tournament.entrants.exclude(slip=None).values_list("number", "slip"))


def drawn(tournament: Tournament) -> Draw:
    return draw_services.draw_propose(tournament=tournament, author=None, seed=1)


def seats(draw: Draw) -> dict[int, int]:
    """The table of each start number."""
    return {number: table["number"] for table in draw.plan["tables"] for number in table["seats"]}


def test_no_slip_is_for_a_closed_table(tournament: Tournament) -> None:
    close(tournament, 2, 4)
    come(tournament, *range(1, 13))
    assert {table for table, _seat, _expected in slips(tournament).values()} == {1, 3, 5}
    with_entrants(tournament, None, 12)
    assert {table for table, _seat, _expected in slips(tournament).values()} == {1, 3, 5, 6, 7, 8}
    tables = seats(drawn(tournament))
    assert tables == {number: slip[0] for number, slip in slips(tournament).items()}


def test_a_table_that_is_closed_after_its_slips_is_not_in_the_draw(tournament: Tournament) -> None:
    come(tournament, *range(1, 13))
    before = {number: slip[0] for number, slip in slips(tournament).items()}
    close(tournament, 2)
    tables = seats(drawn(tournament))
    assert sorted(set(tables.values())) == [1, 3, 4]
    assert tables == {number: 4 if table == 2 else table for number, table in before.items()}


@pytest.mark.parametrize("table", [2, 7])
def test_the_slip_of_somebody_with_a_fixed_table_is_for_that_table(tournament: Tournament, table: int) -> None:
    fix(tournament, 12, table)
    come(tournament, *range(1, 13))
    drawn_slips = slips(tournament)
    assert drawn_slips[12][0] == table
    assert len({(table_number, seat) for table_number, seat, _expected in drawn_slips.values()}) == 12
    assert len({table_number for table_number, _seat, _expected in drawn_slips.values()}) == 3
    assert seats(drawn(tournament)) == {number: slip[0] for number, slip in drawn_slips.items()}


def test_a_seat_is_kept_for_somebody_with_a_fixed_table_who_comes_last(tournament: Tournament) -> None:
    for number in (11, 12):
        fix(tournament, number, 1)
    come(tournament, *range(1, 11))
    with_entrants(tournament, None, 3)
    assert [slip[0] for slip in slips(tournament).values()].count(1) == 3
    come(tournament, 11, 12)
    assert sorted(slip[1] for slip in slips(tournament).values() if slip[0] == 1) == [1, 2, 3, 4, 5]


def test_no_seat_is_kept_for_somebody_who_withdrew(tournament: Tournament) -> None:
    fix(tournament, 12, 9)
    entries.withdraw(tournament=tournament, author=None, number=12)
    come(tournament, *range(1, 12))
    assert {slip[0] for slip in slips(tournament).values()} == {1, 2, 3}


def test_a_fixed_table_that_is_closed_gets_no_slip(tournament: Tournament) -> None:
    close(tournament, 2)
    fix(tournament, 12, 2)
    come(tournament, *range(1, 13))
    before = slips(tournament)
    assert {slip[0] for slip in before.values()} == {1, 3, 4}
    fix(tournament, 11, 2)
    assert slips(tournament) == before
    with pytest.raises(Refused) as refused:
        drawn(tournament)
    assert (refused.value.status, refused.value.code) == (422, "draw")


def test_somebody_with_a_fixed_table_may_sit_out_by_name(tournament: Tournament) -> None:
    fix(tournament, 12, 2)
    come(tournament, *range(1, 13))
    draw = draw_services.draw_propose(tournament=tournament, author=None, seed=1, left_out=[12])
    assert seats(draw) == {number: slip[0] for number, slip in slips(tournament).items() if number != 12}


def test_a_slip_follows_a_table_that_is_fixed_later(tournament: Tournament) -> None:
    come(tournament, *range(1, 13))
    table = slips(tournament)[1][0] % 3 + 1
    fix(tournament, 1, table)
    assert slips(tournament)[1][0] == table
    assert seats(drawn(tournament))[1] == table
    fix(tournament, 1, None)
    assert slips(tournament)[1][0] == table


def test_a_slip_stays_once_the_round_is_drawn(tournament: Tournament) -> None:
    come(tournament, *range(1, 13))
    draw_services.draw_publish(tournament=tournament, author=None, proposed=drawn(tournament))
    before = slips(tournament)
    fix(tournament, 1, before[1][0] % 3 + 1)
    assert slips(tournament) == before


def test_a_fixed_table_is_kept_where_the_slips_of_others_fill_it(tournament: Tournament) -> None:
    come(tournament, *range(1, 12))
    with_entrants(tournament, None, 4)
    assert [slip[0] for slip in slips(tournament).values()].count(1) == 5
    fix(tournament, 12, 1)
    come(tournament, 12)
    assert slips(tournament)[12][:2] == [1, 6]
    tables = seats(drawn(tournament))
    assert tables[12] == 1
    assert sum(table == 1 for table in tables.values()) <= 5


def test_a_fixed_table_without_a_slip_of_it_is_kept_by_the_draw(tournament: Tournament) -> None:
    come(tournament, *range(1, 13))
    table = slips(tournament)[1][0] % 3 + 1
    tournament.entrants.filter(number=1).update(fixed_table=table)
    assert seats(drawn(tournament))[1] == table


def test_all_slips_may_be_drawn(tournament: Tournament) -> None:
    come(tournament, *range(1, 13))
    with pytest.raises(Refused, match="slips"):
        with_entrants(tournament, None, 60)


@pytest.mark.parametrize("without", [None, 3])
def test_somebody_with_a_slip_sits_out_by_name(tournament: Tournament, without: int | None) -> None:
    come(tournament, *range(1, 13))
    tournament.entrants.filter(number=without).update(slip=None)
    draw = draw_services.draw_propose(tournament=tournament, author=None, seed=1, left_out=[2])
    assert (draw.plan["out"], draw.left_out, draw.kind) == ([2], [2], Draw.Kind.SLIPS)
    assert sorted(seats(draw)) == [1, *range(3, 13)]
