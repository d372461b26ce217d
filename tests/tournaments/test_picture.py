"""The picture of a tournament, and the tags of its public pages."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from league.models import Club, Player, Tournament
from league.sharing.pictures import Heading, RankRow
from league.templatetags.sharing import PICTURE_SIZE
from league.tournaments import services
from league.tournaments.room import views
from league.tournaments.room.picture import Figure, tournament_picture
from tests.cast import House, house
from tests.clients import forget_pages
from tests.league.test_sharing import tags
from tests.tournaments.played_tournaments import made_tournament, play_round, with_entrants
from tests.tournaments.test_awards import finished

pytestmark = pytest.mark.django_db
PAGES = ("tournament", "tournament-seat", "tournament-screen")


class Drawn:
    """The content of the last picture."""

    heading: Heading
    facts: list[Figure]
    rows: list[RankRow]
    state: str

    def names(self) -> list[str]:
        return [row.name for row in self.rows]


@pytest.fixture
def home() -> House:
    return house("roessli")


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    last = Drawn()

    def noted(heading: Heading, facts: list[Figure], rows: list[RankRow], state: str) -> bytes:
        last.heading, last.facts, last.rows, last.state = heading, facts, rows, state
        return tournament_picture(heading, facts, rows, state)

    monkeypatch.setattr(views, "tournament_picture", noted)
    return last


def address(tournament: Tournament, name: str = "tournament-picture") -> str:
    return reverse(name, kwargs={"club": tournament.club.slug, "tournament": tournament.slug})


def get(tournament: Tournament, person: Any = None) -> int:
    forget_pages()
    client = Client(headers={"accept-language": "en"})
    if person is not None:
        client.force_login(person)
    answer = client.get(address(tournament))
    if answer.status_code == 200:
        with Image.open(io.BytesIO(answer.content)) as image:
            assert (image.format, image.size) == ("PNG", PICTURE_SIZE)
    return answer.status_code


def test_before_the_first_round_it_has_time_place_and_numbers(home, drawn):
    Club.objects.filter(pk=home.club.pk).update(place="Bern")
    tournament = made_tournament(home.club, None, rounds=3)
    with_entrants(tournament, None, 8)
    assert get(tournament) == 200
    assert drawn.heading.title == "Cup"
    assert drawn.heading.club.endswith(" · Bern")
    assert [fact.text for fact in drawn.facts] == ["21 November 2026", "3", "8"]
    assert drawn.rows == []
    assert drawn.state == "Open for entries. The first draw appears here."


def test_after_a_round_it_has_the_top_of_the_ranking_by_consent_for_every_requester(home, drawn):
    tournament = made_tournament(home.club, None, rounds=3)
    with_entrants(tournament, None, 8)
    play_round(tournament, None)
    for person in (None, home.owner, home.member):
        assert get(tournament, person) == 200
        assert all(re.fullmatch(r"G\.( \d)?", name) for name in drawn.names()), drawn.names()
        assert drawn.facts[1].text == "1 of 3"
        assert drawn.heading.note == "Ranking after 1 round"
    Player.objects.filter(club=home.club).update(publicity=Player.Publicity.NICKNAME)
    assert get(tournament) == 200
    assert all(re.fullmatch(r"G\d", name) for name in drawn.names()), drawn.names()


def test_drawn_for_its_reader_it_would_name_everybody(home, drawn, monkeypatch):
    monkeypatch.setattr(views, "as_visitor", lambda access: access)
    tournament = made_tournament(home.club, None, rounds=3)
    with_entrants(tournament, None, 8)
    play_round(tournament, None)
    assert get(tournament, home.member) == 200
    assert all(re.fullmatch(r"G\d", name) for name in drawn.names()), drawn.names()


def test_names_in_the_hall_are_not_in_it(home, drawn):
    """It is sent on to people who are not in the hall."""
    tournament = made_tournament(home.club, None, rounds=3)
    with_entrants(tournament, None, 8)
    play_round(tournament, None)
    services.names_show(tournament=tournament, author=None, shown=True)
    assert get(tournament) == 200
    assert all(re.fullmatch(r"G\.( \d)?", name) for name in drawn.names()), drawn.names()


def test_the_last_round_is_hidden_in_it_until_the_prize_giving(home, drawn):
    tournament = made_tournament(home.club, None, rounds=2, hide_last=True)
    with_entrants(tournament, None, 8)
    play_round(tournament, None, seed=1)
    assert get(tournament) == 200
    after_one = [row.worth for row in drawn.rows]
    play_round(tournament, None, seed=2)
    assert get(tournament, home.owner) == 200
    assert [row.worth for row in drawn.rows] == after_one
    services.tournament_finish(tournament=tournament, author=None)
    assert get(tournament) == 200
    assert [row.worth for row in drawn.rows] != after_one
    assert drawn.heading.note == "Final ranking"


def test_one_in_preparation_and_one_of_a_private_club_have_none_for_others(home, drawn):
    tournament = made_tournament(home.club, None)
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.DRAFT)
    assert (get(tournament), get(tournament, home.member), get(tournament, home.owner)) == (404, 404, 200)
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.OPEN)
    Club.objects.filter(pk=home.club.pk).update(visibility=Club.Visibility.PRIVATE)
    assert (get(tournament), get(tournament, house("sternen").owner), get(tournament, home.member)) == (404, 404, 200)


def test_the_public_pages_of_a_tournament_lead_to_its_picture(home):
    tournament = made_tournament(home.club, None)
    with_entrants(tournament, None, 8)
    play_round(tournament, None)
    for name in PAGES:
        page_tags = tags(Client(), address(tournament, name))
        assert page_tags["og:image"] == f"http://testserver{address(tournament)}", name
        assert page_tags["canonical"] == f"http://testserver{address(tournament, name)}", name
        assert "Cup" in page_tags["og:title"], name
        assert "Cup" in page_tags["og:description"], name
        member = Client()
        member.force_login(home.member)
        assert tags(member, address(tournament, name)) == {}, name


def test_the_picture_of_the_evening_that_stands_for_a_tournament_is_the_tournaments(home):
    tournament = finished(home.season, [])
    tournament.refresh_from_db()
    names = {"club": home.club.slug, "evening": tournament.award_evening_id}
    answer = Client().get(reverse("evening-picture", kwargs=names))
    assert (answer.status_code, answer["Location"]) == (302, address(tournament))
