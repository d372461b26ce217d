"""Two clubs that enter the same code of a cup at once: one of them is invited."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from league.cups import services
from league.cups.services import code_make, code_use
from league.models import Club, Cup, CupInvitation
from tests.factories import ClubFactory
from tests.races import Race, at_once
from tests.tournaments.cup_of_clubs import cup_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.needs_postgres]


@pytest.fixture
def cup() -> Cup:
    return cup_of(ClubFactory(slug="roessli"))


def entering(code: str, *clubs: Club) -> list[Callable[[], object]]:
    """Return the call of each club that enters the code."""
    return [lambda club=club: code_use(club=club, code=code) for club in clubs]  # type: ignore[misc]


def invited(cup: Cup, *clubs: Club) -> list[str]:
    """Return the short names of the clubs that have an invitation."""
    return [club.slug for club in clubs if services.invitation_of(club, cup.slug) is not None]


def test_of_two_clubs_with_one_code_one_is_invited(race: Race, cup: Cup) -> None:
    clubs = [ClubFactory(slug="sternen"), ClubFactory(slug="adler")]
    _invitation, code = code_make(cup=cup, actor=None)
    race.after_lock(Cup)
    assert at_once(entering(code, *clubs)) == ["", "code"]
    assert len(invited(cup, *clubs)) == 1
    assert CupInvitation.objects.filter(cup=cup).count() == 1


def test_without_the_lock_of_the_cup_both_are_said_to_be(race: Race, cup: Cup) -> None:
    clubs = [ClubFactory(slug="sternen"), ClubFactory(slug="adler")]
    _invitation, code = code_make(cup=cup, actor=None)
    race.after_lock(Cup, taken=False)
    # The second one takes the invitation that the first one believes to have.
    assert at_once(entering(code, *clubs)) == ["", ""]
    assert len(invited(cup, *clubs)) == 1


def test_one_club_that_enters_a_code_twice_at_once_is_invited_once(race: Race, cup: Cup) -> None:
    club = ClubFactory(slug="sternen")
    _invitation, code = code_make(cup=cup, actor=None)
    race.after_lock(Cup)
    assert at_once(entering(code, club, club)) == ["", "code"]
    assert invited(cup, club) == ["sternen"]
