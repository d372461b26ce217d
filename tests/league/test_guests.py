"""Who is called a guest on the pages of a club."""

from __future__ import annotations

import pytest
from django.urls import reverse

from league.models import AuditEntry, Player
from tests.cast import House
from tests.clients import reader
from tests.factories import MADE, PlayerFactory, create_table, enter
from tests.league.test_standings_parts import FIRST, SECOND, count, play

pytestmark = pytest.mark.django_db


def test_a_guest_who_comes_again_is_called_so_no_longer(home):
    guest = PlayerFactory(club=home.club, nickname="Carlo", guest=True)
    page = reverse("player", kwargs={"club": home.club.slug, "player": guest.pk})
    roster = reverse("club-roster", kwargs={"club": home.club.slug})
    for day, called in ((FIRST, True), (SECOND, False)):
        play(home, day, MADE)
        count(home)
        assert (">guest</span>" in reader(home.owner).get(page).content.decode()) is called
        assert (guest in reader(home.owner).get(roster).context["guests"]) is called
    # An account says more than a number of evenings; the flag of the formula stays.
    assert not Player(guest=True, user_id=1).called_guest(0)
    assert Player.objects.get(pk=guest.pk).guest


def test_one_tap_makes_the_guests_of_an_evening_regular_players(home, people):
    guests = guests_of_club(home, "Rico", "Sandra")
    (elsewhere,), us = guests_of_club(home, "Toni"), regulars(home)
    enter(create_table(club=home.club, season=home.season, players=[elsewhere, *us], held_on=FIRST), MADE)
    enter(create_table(club=home.club, season=home.season, players=[*guests, *us], held_on=SECOND), MADE)
    evening = home.season.evenings.get(held_on=SECOND)
    roster = reverse("club-roster", kwargs={"club": home.club.slug})
    owner = reader(home.owner)
    assert "All belong to us" in owner.get(roster).content.decode()
    assert reader(home.recorder).post(roster, {"join": evening.pk}).status_code == 403
    assert reader(people.away.owner).post(roster, {"join": evening.pk}).status_code in (403, 404)
    for wrong in ("x", "0", str(10**30)):
        assert owner.post(roster, {"join": wrong}).status_code == 404
    assert owner.post(roster, {"join": evening.pk}).status_code == 303
    assert set(Player.objects.filter(guest=True)) == {elsewhere}
    assert AuditEntry.objects.filter(what="player_changed", actor=home.owner).count() == 2
    # The evening before has its own guest.
    assert owner.get(roster).context["joining"] == [elsewhere]


def test_an_evening_of_another_club_is_not_found(people):
    away = people.away
    table = create_table(club=away.club, season=away.season, players=[*guests_of_club(away, "Rico"), *regulars(away)])
    enter(table, MADE)
    roster = reverse("club-roster", kwargs={"club": people.home.club.slug})
    assert reader(people.home.owner).post(roster, {"join": table.evening_id}).status_code == 404
    assert Player.objects.filter(club=away.club, guest=True).exists()


def regulars(of: House) -> list[Player]:
    return [PlayerFactory(club=of.club, nickname=name) for name in ("Uschi", "Vreni", "Walter")]


def guests_of_club(of: House, *names: str) -> list[Player]:
    return [PlayerFactory(club=of.club, nickname=name, guest=True) for name in names]
