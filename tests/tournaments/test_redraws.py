"""A published draw that is drawn again or taken back: what was handed in, recorded or noted at its tables."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import translation

from games.integrity import verify
from league.errors import Refused
from league.models import Draw, Round, Tournament
from league.tournaments import draw_services, entries, rounds, sheets
from tests.factories import ClubFactory
from tests.tournaments.played_tournaments import drawn_round, made_tournament, with_entrants

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture
def tournament() -> Tournament:
    """A tournament with eight people, whose first round is drawn and published."""
    tournament = made_tournament(ClubFactory(), None, pot="nobody")
    with_entrants(tournament, None, 8)
    drawn_round(tournament, None, seed=1)
    return tournament


def first_round(tournament: Tournament) -> Round:
    return Round.objects.select_related("draw", "evening").get(tournament=tournament, number=1)


def seats_at(tournament: Tournament, number: int) -> list[int]:
    plan = first_round(tournament).draw.plan
    return next(table["seats"] for table in plan["tables"] if table["number"] == number)


def hand_in(tournament: Tournament, *numbers: int) -> None:
    """Hand in a sheet for these tables: the first seat won 6 chips."""
    for number in numbers:
        seats = seats_at(tournament, number)
        sheets.hand_in(
            tournament=tournament,
            author=None,
            number=1,
            table=number,
            chips=dict.fromkeys(seats, 0) | {seats[0]: 6, seats[1]: -6},
            pot=0,
        )


def publish(tournament: Tournament, proposed: Draw) -> Round:
    return draw_services.draw_publish(tournament=tournament, author=None, proposed=proposed)


def swap(tournament: Tournament, a: int, b: int) -> Draw:
    """Exchange two people of the newest draw."""
    newest = tournament.draws.latest("pk")
    return draw_services.draw_swap(tournament=tournament, author=None, proposed=newest, a=a, b=b)


# --- A table with a sheet ----------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_the_people_of_a_table_with_a_sheet_do_not_change(tournament: Tournament) -> None:
    hand_in(tournament, 1)
    before = first_round(tournament).draw
    swapped = swap(tournament, seats_at(tournament, 1)[0], seats_at(tournament, 2)[0])
    with pytest.raises(Refused) as refused:
        publish(tournament, swapped)
    assert (refused.value.status, refused.value.code) == (409, "begun")
    assert refused.value.sentence == "Table 1 has begun: its people stay where they are."
    assert first_round(tournament).draw == before
    hand_in(tournament, 2)
    rounds.round_finish(tournament=tournament, author=None, number=1)
    assert list(verify.differences()) == []


def test_a_table_with_a_sheet_is_not_closed(tournament: Tournament) -> None:
    with_entrants(tournament, None, 3)
    publish(tournament, draw_services.draw_again(tournament=tournament, author=None))
    last = max(one["number"] for one in first_round(tournament).draw.plan["tables"])
    hand_in(tournament, last)
    for number in (9, 10, 11):
        entries.withdraw(tournament=tournament, author=None, number=number)
    again = draw_services.draw_again(tournament=tournament, author=None)
    assert last not in {one["number"] for one in again.plan["tables"]}
    with pytest.raises(Refused, match=f"Table {last} has begun"):
        publish(tournament, again)


def test_a_table_with_a_sheet_may_play_in_another_order(tournament: Tournament) -> None:
    hand_in(tournament, 1)
    one, other = seats_at(tournament, 1)[:2]
    publish(tournament, swap(tournament, one, other))
    assert seats_at(tournament, 1)[:2] == [other, one]
    hand_in(tournament, 2)
    rounds.round_finish(tournament=tournament, author=None, number=1)
    assert list(verify.differences()) == []


def test_tables_without_a_sheet_change(tournament: Tournament) -> None:
    with_entrants(tournament, None, 4)
    publish(tournament, draw_services.draw_again(tournament=tournament, author=None))
    hand_in(tournament, 1)
    publish(tournament, swap(tournament, seats_at(tournament, 2)[0], seats_at(tournament, 3)[0]))
    hand_in(tournament, 2, 3)
    rounds.round_finish(tournament=tournament, author=None, number=1)
    assert list(verify.differences()) == []
