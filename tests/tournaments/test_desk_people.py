"""The people at the desk: check-in by two letters or a number, entering at the door, and the page of one entrant."""

from __future__ import annotations

import pytest

from league.models import Entrant, Player, Tournament
from league.tournaments.desk.people import Person, who_is
from league.tournaments.pasted_list import names_in
from tests.cast import Cast
from tests.tournaments.desk_pages import FORMAT, Desk

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(people: Cast) -> Desk:
    """A tournament with eight people, none of whom is here."""
    desk = Desk(people)
    desk.create()
    desk.enter(here=False)
    return desk


def person(number: int, name: str, *, here: bool = False) -> Person:
    return Person(number, name, number, here, False, False, False, (), "", None, None, None, None)


def here() -> list[int]:
    return list(Entrant.objects.filter(checked_in_at__isnull=False).values_list("number", flat=True))


@pytest.mark.parametrize(
    ("typed", "number"),
    [("2", 2), (" beni ", 2), ("be", 2), ("CA", 3), ("oberdorf", 4), ("anna", 1)],
)
def test_one_person_is_meant(typed, number):
    people = [person(1, "Anna"), person(2, "Beni"), person(3, "Carlo"), person(4, "Anna-Maria von Oberdorf")]
    assert who_is(typed, people).person == people[number - 1]


def test_of_several_who_begin_alike_the_one_who_is_missing_is_meant():
    people = [person(1, "Andi", here=True), person(2, "Anna"), person(3, "Beni")]
    assert who_is("an", people).person == people[1]
    both = [person(1, "Andi"), person(2, "Anna")]
    assert who_is("an", both).person is None
    assert who_is("an", both).several == tuple(both)


def test_a_name_that_is_a_number_is_a_start_number():
    assert who_is("7", [person(7, "Anna"), person(8, "7")]).person == person(7, "Anna")
    assert who_is("9", [person(7, "Anna")]).person is None


def test_checking_in_by_letters_by_number_and_back(desk):
    desk.post("tournament-check-in", {"who": "ca"})
    desk.post("tournament-check-in", {"who": "5"})
    assert here() == [3, 5]
    assert "3 Carlo is here" not in desk.get().split('id="desk-notes"')[0]
    desk.post("tournament-check-in", {"who": "3", "away": "1"})
    assert here() == [5]


def test_an_unknown_name_can_be_entered_at_once(desk):
    page = desk.post("tournament-check-in", {"who": "Xaver"}, status=422)
    assert "Nobody here is called “Xaver”." in page
    assert "Enter Xaver, who is here" in page
    desk.post("tournament-entrants", {"names": "Xaver", "here": "on", "from": "desk"})
    assert here() == [9]


def test_several_are_offered_to_choose_from(desk):
    desk.post("tournament-entrants", {"names": "Hans"})
    page = desk.post("tournament-check-in", {"who": "h"}, status=422)
    assert "Several begin with" in page
    assert 'value="8"' in page
    assert 'value="9"' in page
    assert here() == []


@pytest.mark.parametrize("typed", ["", "   ", "99"])
def test_nobody_is_checked_in_by_nothing_or_an_unknown_number(desk, typed):
    desk.post("tournament-check-in", {"who": typed}, status=422)
    assert here() == []


def test_a_pasted_list_is_entered_whole_or_not_at_all(desk):
    page = desk.post("tournament-entrants", {"names": "Ida, Jost; Kari\nAnna"}, status=409)
    assert "Anna is entered already" in page
    assert "Ida, Jost; Kari" in page
    assert Entrant.objects.count() == 8
    desk.post("tournament-entrants", {"names": "Ida, Jost; Kari", "paid": "on"})
    assert Entrant.objects.count() == 11
    assert Entrant.objects.filter(paid=True, checked_in_at=None).count() == 3


def test_names_are_separated_by_lines_commas_and_semicolons():
    assert names_in(" Anna \r\n\n Hans  Peter, Ida;;\tJost") == ["Anna", "Hans Peter", "Ida", "Jost"]
    assert names_in(" ,;\n") == []


def test_a_player_of_the_roster_is_entered_and_no_guest_is_made(people, desk):
    known = Player.objects.create(club=people.home.club, nickname="Zita")
    desk.post("tournament-entrants", {"names": "zita"})
    assert Entrant.objects.get(number=9).player == known
    assert Player.objects.filter(nickname__iexact="zita").count() == 1


def one(desk: Desk, do: str, *, number: int = 1, status: int = 303, **data: str) -> str:
    return desk.post("tournament-entrant", {"do": do, **data}, status=status, number=number)


def test_labels_team_and_fixed_table(desk):
    one(desk, "describe", labels="Familie Gerber, Eck", team="Eins", fixed_table="3")
    entrant = Entrant.objects.get(number=1)
    assert (entrant.labels, entrant.team, entrant.fixed_table) == (["Familie Gerber", "Eck"], "Eins", 3)
    one(desk, "describe", labels="", team="", fixed_table="")
    entrant.refresh_from_db()
    assert (entrant.labels, entrant.team, entrant.fixed_table) == ([], "", None)
    assert "from 1 to 999" in one(desk, "describe", fixed_table="drei", status=422)


def test_a_paid_tick_is_set_and_taken_back(desk):
    one(desk, "paid", paid="yes")
    assert Entrant.objects.get(number=1).paid
    desk.do("tournament-entrants", "paid", number=1, paid="no")
    assert not Entrant.objects.get(number=1).paid


def test_withdrawing_and_coming_back(desk):
    one(desk, "withdraw")
    assert Entrant.objects.get(number=1).struck
    assert "struck" in desk.get("tournament-entrants")
    one(desk, "back")
    assert not Entrant.objects.get(number=1).struck
    assert here() == [1]


def test_a_substitute_takes_over_and_both_names_are_shown(desk):
    one(desk, "substitute", substitute="Zoe")
    assert Entrant.objects.get(number=1).player.nickname == "Zoe"
    page = desk.get("tournament-entrants")
    assert "Zoe" in page
    assert "for Anna" in page
    assert "entered already" in one(desk, "substitute", number=2, substitute="Zoe", status=409)


def test_an_entry_by_mistake_is_taken_out_before_the_first_draw(desk):
    one(desk, "out", number=8)
    assert Entrant.objects.count() == 7


def test_unknown_actions_and_numbers_are_refused(desk):
    assert desk.client.get(desk.url("tournament-entrant", number=77)).status_code == 404
    one(desk, "dance", status=422)


def test_a_slip_is_named_when_somebody_checks_in(desk):
    desk.do("tournament-setup", "format", **FORMAT, slips="on")
    answer = desk.client.post(desk.url("tournament-check-in"), {"who": "1"}, follow=True)
    slip = Entrant.objects.get(number=1).slip
    assert f"1 Anna is here: table {slip[0]}, place {slip[1]}." in answer.content.decode()
    assert Tournament.objects.get().state == "open"
