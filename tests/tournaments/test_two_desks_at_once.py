"""Two desks that act at the same moment: the tournament's lock lets one after the other act."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from league.models import Club, Entrant, Round, Sheet, Tournament
from league.tournaments import draw_services, entries, rounds, sheets
from tests.factories import ClubFactory
from tests.races import Race, at_once
from tests.tournaments.played_tournaments import drawn_round, made_tournament, with_entrants

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.needs_postgres]

Call = Callable[[], object]


@pytest.fixture
def tournament() -> Tournament:
    tournament = made_tournament(ClubFactory(), None)
    with_entrants(tournament, None, 8)
    return tournament


@pytest.fixture
def played(tournament: Tournament) -> Round:
    drawn_round(tournament, None)
    return rounds.round_start(tournament=tournament, author=None, number=1)


def publishing(tournament: Tournament) -> Call:
    proposed = draw_services.draw_propose(tournament=tournament, author=None)
    return lambda: draw_services.draw_publish(tournament=tournament, author=None, proposed=proposed)


def drawing(tournament: Tournament) -> Call:
    return lambda: draw_services.draw_propose(tournament=tournament, author=None)


def entering(tournament: Tournament, nickname: str) -> Call:
    people = [entries.Newcomer(nickname=nickname)]
    return lambda: entries.enter(tournament=tournament, author=None, people=people)


def handing_in(current: Round, chips: list[int]) -> Call:
    table = current.draw.plan["tables"][0]
    return lambda: sheets.hand_in(
        tournament=current.tournament,
        author=None,
        number=1,
        table=table["number"],
        chips=dict(zip(table["seats"], chips, strict=True)),
        pot=0,
    )


def test_a_draw_published_twice_opens_one_round(race: Race, tournament: Tournament) -> None:
    publish = publishing(tournament)
    race.after_lock(Tournament)
    assert at_once([publish, publish]) == ["", ""]
    assert Round.objects.filter(tournament=tournament).count() == 1


def test_two_draws_of_a_round_have_two_numbers(race: Race, tournament: Tournament) -> None:
    race.after_lock(Tournament)
    assert at_once([drawing(tournament), drawing(tournament)]) == ["", ""]
    assert list(tournament.draws.values_list("number", flat=True)) == [1, 2]


def test_without_the_lock_one_of_two_draws_fails(race: Race, tournament: Tournament) -> None:
    race.after_lock(Tournament, taken=False)
    assert at_once([drawing(tournament), drawing(tournament)]) == ["", "IntegrityError"]


def test_two_people_entered_at_once_get_two_numbers(race: Race, tournament: Tournament) -> None:
    race.after_lock(Tournament)
    assert at_once([entering(tournament, "Rosa"), entering(tournament, "Sepp")]) == ["", ""]
    assert list(tournament.entrants.values_list("number", flat=True)) == list(range(1, 11))


def test_without_the_locks_they_would_get_the_same_one(race: Race, tournament: Tournament) -> None:
    race.without_lock(Club)
    race.after_lock(Tournament, taken=False)
    assert "IntegrityError" in at_once([entering(tournament, "Rosa"), entering(tournament, "Sepp")])


def test_two_sheets_of_a_table_are_both_kept(race: Race, played: Round) -> None:
    race.after_lock(Tournament)
    assert at_once([handing_in(played, [5, -5, 0, 0]), handing_in(played, [5, 0, -5, 0])]) == ["", ""]
    assert list(Sheet.objects.values_list("number", flat=True)) == [1, 2]
    played.refresh_from_db()
    assert played.sheets_in == 2


def test_somebody_entered_while_the_draw_is_published_is_not_lost(race: Race, tournament: Tournament) -> None:
    publish = publishing(tournament)
    race.after_lock(Tournament)
    assert at_once([publish, entering(tournament, "Rosa")]) == ["", ""]
    seated = {seat for table in Round.objects.get().draw.plan["tables"] for seat in table["seats"]}
    assert Entrant.objects.filter(tournament=tournament).count() == len(seated) + 1
