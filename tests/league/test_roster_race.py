"""Two names that look the same, given in the same club in the same moment: one of them is refused."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import date

import pytest

from games.evening.services import evening_start
from games.models import Place, Table
from games.seating.changes import NEWCOMER, Arrive, Split
from games.seating.services import Guest, carry_out
from league.models import Club, Evening, Player
from league.roster.services import player_add, player_change
from tests.factories import PlayerFactory, SeasonFactory, create_table
from tests.races import Race, at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.needs_postgres]

Call = Callable[[], object]
NAME, CYRILLIC = "Zora", "Zor\u0430"


@pytest.fixture
def club() -> Club:
    club: Club = PlayerFactory(nickname="Anna").club
    return club


def adding(club: Club, name: str) -> Call:
    return lambda: player_add(club=club, nickname=name, actor=None)


def renaming(club: Club, name: str) -> Call:
    player = PlayerFactory(club=club)
    return lambda: player_change(player=player, actor=None, changes={"nickname": name})


def renaming_for_visitors(club: Club, name: str) -> Call:
    player = PlayerFactory(club=club)
    changes = {"publicity": "pseudonym", "pseudonym": name}
    return lambda: player_change(player=player, actor=None, changes=changes)


def starting_with_a_guest(club: Club, name: str) -> Call:
    season, seating = SeasonFactory(club=club), [f"p{PlayerFactory(club=club).pk}", f"g{name}"]
    day = date(2026, 11, 20)
    return lambda: evening_start(
        club=club, season=season, author=None, seating=seating, first_dealer=seating[0], held_on=day
    )


def seating_a_guest(club: Club, name: str) -> Call:
    players = [PlayerFactory(club=club) for _ in range(3)]
    table = create_table(club=club, season=SeasonFactory(club=club), players=players)
    arrives = Arrive(NEWCOMER, players[0].pk)
    return lambda: carry_out(table=table, change=arrives, author=None, key=uuid.uuid4(), guest=Guest(name))


WAYS = [adding, renaming, renaming_for_visitors, starting_with_a_guest, seating_a_guest]


def alike(club: Club) -> int:
    names = Player.objects.filter(club=club).values_list("nickname", "pseudonym")
    return sum(name in pair for pair in names for name in (NAME, CYRILLIC))


@pytest.mark.parametrize("way", WAYS)
def test_of_two_names_that_look_the_same_one_is_stored(
    way: Callable[[Club, str], Call], race: Race, club: Club
) -> None:
    race.after_lock(Club)
    assert at_once([adding(club, NAME), way(club, CYRILLIC)]) == ["", "player"]
    assert alike(club) == 1


@pytest.mark.parametrize("way", WAYS)
def test_without_the_lock_of_the_club_both_are_stored(way: Callable[[Club, str], Call], race: Race, club: Club) -> None:
    race.after_lock(Club, taken=False)
    assert at_once([adding(club, NAME), way(club, CYRILLIC)]) == ["", ""]
    assert alike(club) == 2


def seats_of(name: str) -> int:
    return Place.objects.filter(player__in=Player.objects.filter(nickname__iexact=name)).count()


def test_a_guest_who_comes_to_two_evenings_at_once_is_one_player(race: Race, club: Club) -> None:
    race.after_lock(Club)
    assert at_once([seating_a_guest(club, "Änni"), seating_a_guest(club, "änni")]) == ["", ""]
    assert Place.objects.filter(player=Player.objects.get(nickname__in=["Änni", "änni"])).count() == 2


def test_without_the_lock_of_the_club_one_of_the_two_evenings_does_without_the_guest(race: Race, club: Club) -> None:
    race.after_lock(Club, taken=False)
    assert at_once([seating_a_guest(club, NAME), seating_a_guest(club, NAME)]) == ["", "player"]
    assert seats_of(NAME) == 1


def at_two_tables(club: Club, name: str) -> list[Call]:
    """Seat a guest at both tables of one evening."""
    first = create_table(club=club, season=SeasonFactory(club=club), seats=6)
    people = tuple(first.places.order_by("seat").values_list("player_id", flat=True))
    carry_out(table=first, change=Split(people[:3], people[0]), author=None, key=uuid.uuid4())
    second = Table.objects.get(evening=first.evening_id, number=2)
    return [
        lambda: carry_out(
            table=first, change=Arrive(NEWCOMER, people[3]), author=None, key=uuid.uuid4(), guest=Guest(name)
        ),
        lambda: carry_out(
            table=second, change=Arrive(NEWCOMER, people[0]), author=None, key=uuid.uuid4(), guest=Guest(name)
        ),
    ]


def test_a_guest_who_is_put_at_two_tables_at_once_sits_at_one(race: Race, club: Club) -> None:
    calls = at_two_tables(club, NAME)
    race.after_lock(Evening)
    assert at_once(calls) == ["", "seating"]
    assert seats_of(NAME) == 1


def test_without_the_locks_of_evening_and_club_only_the_unique_name_refuses_it(race: Race, club: Club) -> None:
    calls = at_two_tables(club, NAME)
    race.without_lock(Evening)
    race.after_lock(Club, taken=False)
    assert at_once(calls) == ["", "player"]


def test_a_nickname_and_the_same_public_name_at_once_are_not_both_stored(race: Race, club: Club) -> None:
    race.after_lock(Club)
    assert at_once([adding(club, "ÄNNI"), renaming_for_visitors(club, "änni")]) == ["", "player"]


def test_without_the_lock_of_the_club_a_nickname_and_the_same_public_name_are_both_stored(
    race: Race, club: Club
) -> None:
    race.after_lock(Club, taken=False)
    assert at_once([adding(club, NAME), renaming_for_visitors(club, NAME)]) == ["", ""]
    assert alike(club) == 2
