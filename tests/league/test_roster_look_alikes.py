"""Nobody gets a name that looks like another one of the club, by whichever way a player is added or renamed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from games.evening.services import evening_start
from games.seating.changes import Arrive
from games.seating.services import Guest, plan
from league.errors import Refused
from league.models import Club, Player
from league.roster import services
from league.roster.look_alikes import looks
from league.roster.services import player_add, player_change
from tests.factories import ClubFactory, PlayerFactory, SeasonFactory, create_table

CYRILLIC_ANNA = "\u0410nn\u0430"


def same(name: str, other: str) -> bool:
    return not looks(name).isdisjoint(looks(other))


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Anna", CYRILLIC_ANNA),
        ("Anna", "\u0391nna"),
        ("Anna", "\uff21\uff4e\uff4e\uff41"),
        ("Anna", "\U0001d400nna"),
        ("Anna", "An\u034fna"),
        ("Anna", "Anna\ufe0f"),
        ("Anna", "\u1d00nna"),
        ("ANNA", "\u0430nna"),
        ("Emil", "EmiI"),
        ("Emil", "Emi1"),
        ("Otto", "0tto"),
        ("Noëlle", "Noe\u0308lle"),
        ("Noël", "No\u0451l"),
        ("Hans Peter", "Hans  Peter"),
        ("Hans-Peter", "Hans\u2010Peter"),
        ("D'Arcy", "D\u2019Arcy"),
    ],
)
def test_names_that_look_the_same(name: str, other: str) -> None:
    assert same(name, other)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ian", "Lan"),
        ("René", "Rene"),
        ("Zoë", "Zoe"),
        ("Anna", "Hanna"),
        ("Anna 2", "Anna 3"),
        ("Uli", "Ueli"),
        ("Ümit", "Umit"),
    ],
)
def test_names_that_people_can_tell_apart(name: str, other: str) -> None:
    assert not same(name, other)


@pytest.fixture
def club() -> Club:
    club: Club = PlayerFactory(nickname="Anna").club
    return club


def add(club: Club) -> object:
    return player_add(club=club, nickname=CYRILLIC_ANNA, actor=None)


def rename(club: Club) -> object:
    return player_change(player=PlayerFactory(club=club), actor=None, changes={"nickname": CYRILLIC_ANNA})


def rename_for_visitors(club: Club) -> object:
    changes = {"publicity": "pseudonym", "pseudonym": CYRILLIC_ANNA}
    return player_change(player=PlayerFactory(club=club), actor=None, changes=changes)


def start_with_a_guest(club: Club) -> object:
    player = PlayerFactory(club=club)
    seating = [f"p{player.pk}", f"g{CYRILLIC_ANNA}"]
    return evening_start(
        club=club,
        season=SeasonFactory(club=club),
        author=None,
        seating=seating,
        first_dealer=seating[0],
        held_on=date(2026, 11, 20),
    )


def seat_a_guest(club: Club) -> object:
    table = create_table(club=club, season=SeasonFactory(club=club))
    return plan(table=table, change=Arrive(0, table.places.first().player_id), guest=Guest(CYRILLIC_ANNA))


WAYS: list[Callable[[Club], object]] = [add, rename, rename_for_visitors, start_with_a_guest, seat_a_guest]


@pytest.mark.django_db
@pytest.mark.parametrize("way", WAYS)
def test_a_name_that_looks_like_another_is_refused(club: Club, way: Callable[[Club], object]) -> None:
    with pytest.raises(Refused) as caught:
        way(club)
    assert caught.value.status == 422
    assert "Anna" in caught.value.sentence
    assert not Player.objects.filter(nickname=CYRILLIC_ANNA).exists()


@pytest.mark.django_db
@pytest.mark.parametrize("way", WAYS)
def test_without_the_check_it_is_accepted(
    club: Club, way: Callable[[Club], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "looks", lambda name: frozenset({name}))
    way(club)


@pytest.mark.django_db
def test_names_of_before_the_check_and_of_other_clubs_do_not_matter(club: Club) -> None:
    old = PlayerFactory(club=club, nickname=CYRILLIC_ANNA)
    player_change(player=old, actor=None, changes={"active": False})
    player_change(player=old, actor=None, changes={"nickname": "Beni"})
    assert player_add(club=ClubFactory(), nickname=CYRILLIC_ANNA, actor=None).pk
