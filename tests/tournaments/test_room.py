"""The public pages of a tournament: their content, visibility and names."""

from __future__ import annotations

import json
import re
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.corrections.edits import TakeOut
from games.corrections.services import correct
from league.models import Club, Player, Round, Tournament
from league.tournaments import draw_services, entries, rounds, services
from league.tournaments.gate import tournament_for
from league.tournaments.room.screen_pages import screen_pages
from league.tournaments.room.seats import exact_places, similar_places
from league.tournaments.room.selectors import Room
from tests.cast import House
from tests.clients import forget_pages
from tests.factories import MADE, enter
from tests.tournaments.played_tournaments import drawn_round, made_tournament, play_round, with_entrants
from tests.tournaments.rounds import table_of

pytestmark = pytest.mark.django_db

PAGES = ("tournament", "tournament-seat", "tournament-screen")


@pytest.fixture(autouse=True)
def no_kept_page() -> None:
    forget_pages()


def address(name: str, tournament: Tournament) -> str:
    return reverse(name, kwargs={"club": tournament.club.slug, "tournament": tournament.slug})


def page(name: str, tournament: Tournament, client: Client | None = None, query: str = "") -> str:
    answer = (client or Client(headers={"accept-language": "en"})).get(address(name, tournament) + query)
    assert answer.status_code == 200
    return answer.content.decode()


def member(home: House) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(home.member)
    return client


def data_of(body: str) -> dict[str, Any]:
    match = re.search(r'<script id="places" type="application/json">(.*?)</script>', body, re.DOTALL)
    assert match
    read: dict[str, Any] = json.loads(match[1])
    return read


def room_of(tournament: Tournament) -> Room:
    access = tournament_for(AnonymousUser(), tournament.club.slug, tournament.slug)
    return Room(access.tournament, access.access)


def text_of(body: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", body))


# --- Names -------------------------------------------------------------------------------------------------


def test_visitors_see_public_names_and_people_of_the_club_nicknames(home):
    tournament = made_tournament(home.club, None)
    with_entrants(tournament, None, 8)
    Player.objects.filter(nickname="G3").update(nickname="Wendelin")
    play_round(tournament, None)
    drawn_round(tournament, None)
    for name in PAGES:
        assert "Wendelin" not in page(name, tournament), name
        assert "Wendelin" in page(name, tournament, member(home)), name
    Player.objects.filter(nickname="Wendelin").update(publicity=Player.Publicity.NICKNAME)
    assert all("Wendelin" in page(name, tournament) for name in PAGES)


def test_a_team_is_free_text_and_a_visitor_reads_a_number(home):
    tournament = made_tournament(home.club, None, team_size=2)
    for entrant in with_entrants(tournament, None, 8):
        entrant.team = f"Wendelins {entrant.number % 4}"
        entrant.save()
    play_round(tournament, None)
    assert "Wendelins" not in page("tournament", tournament)
    assert "Team 4" in page("tournament", tournament)
    assert "Wendelins 1" in page("tournament", tournament, member(home))


def test_prizes_are_free_text_and_the_fee_is_not(home):
    tournament = made_tournament(home.club, None)
    Tournament.objects.filter(pk=tournament.pk).update(fee="15 francs", prizes="A ham from Wendelin")
    assert "15 francs" in page("tournament", tournament)
    assert "Wendelin" not in page("tournament", tournament)
    assert "A ham from Wendelin" in page("tournament", tournament, member(home))


def test_a_substitute_is_shown_with_both_names(home):
    tournament = made_tournament(home.club, None)
    with_entrants(tournament, None, 8)
    play_round(tournament, None)
    entries.substitute(tournament=tournament, author=None, number=2, newcomer=entries.Newcomer(nickname="Sub"))
    body = text_of(page("tournament", tournament, member(home)))
    assert re.search(r"Sub\s+for G2", body)


def test_a_withdrawn_entrant_is_marked_and_a_struck_one_is_gone(home):
    tournament = made_tournament(home.club, None)
    with_entrants(tournament, None, 9)
    entries.withdraw(tournament=tournament, author=None, number=9)
    play_round(tournament, None)
    entries.withdraw(tournament=tournament, author=None, number=1)
    body = page("tournament", tournament, member(home))
    assert body.count(">withdrawn<") == 2, "in the ranking and among the entrants"
    assert "G9" not in body


# --- The ranking -------------------------------------------------------------------------------------------


def test_means_are_in_italics_and_dropped_rounds_struck_through(home):
    tournament = made_tournament(home.club, None, rounds=3, least=4, most=4, drop_worst=1)
    with_entrants(tournament, None, 9)
    play_round(tournament, None)
    body = page("tournament", tournament)
    assert "does not count" not in body.split('id="ranking"')[1].split("</section>")[0], "one round always counts"
    play_round(tournament, None)
    body = page("tournament", tournament)
    table = body.split('id="ranking"')[1].split("</section>")[0]
    assert '<i title="sat out: mean of the own rounds' in table
    assert "<s title=" in table
    assert "Struck through" in table
    assert "In italics" in table


def test_the_last_round_is_hidden_until_the_tournament_is_finished(home):
    tournament = made_tournament(home.club, None, rounds=2, hide_last=True)
    with_entrants(tournament, None, 8)
    play_round(tournament, None, seed=1)
    after_one = {line.person.number: line.line.total for line in room_of(tournament).ranking}
    play_round(tournament, None, seed=2)
    hidden = room_of(tournament)
    assert hidden.hides_last
    assert {line.person.number: line.line.total for line in hidden.ranking} == after_one
    assert "without the last round" in page("tournament", tournament)
    assert len(screen_pages(hidden)) == 1
    services.tournament_finish(tournament=tournament, author=None)
    assert not room_of(tournament).hides_last
    assert {line.person.number: line.line.total for line in room_of(tournament).ranking} != after_one
    assert "without the last round" not in page("tournament", tournament)


def test_a_draw_publishes_seed_repeats_bound_and_the_most_meetings(home):
    tournament = made_tournament(home.club, None)
    with_entrants(tournament, None, 8)
    current = drawn_round(tournament, None, seed=4711)
    text = text_of(page("tournament", tournament))
    report = current.draw.report
    assert "Seed 4711" in text
    assert f"Repeated meetings {report['repeats']} At least, by arithmetic {report['bound']}" in text
    assert f"Most meetings of two {report['most']}" in text


def test_a_redraw_lists_the_moves(home):
    tournament = made_tournament(home.club, None)
    with_entrants(tournament, None, 8)
    current = drawn_round(tournament, None)
    first, second = current.draw.plan["tables"][0]["seats"][0], current.draw.plan["tables"][1]["seats"][0]
    swapped = draw_services.draw_swap(tournament=tournament, author=None, proposed=current.draw, a=first, b=second)
    draw_services.draw_publish(tournament=tournament, author=None, proposed=swapped)
    text = text_of(page("tournament", tournament, member(home)))
    assert f"G{first} and G{second} exchanged their places." in text
    assert "changed by the desk" in text


# --- The right to read -------------------------------------------------------------------------------------


def test_in_preparation_only_the_desk_sees_the_pages(home):
    tournament = made_tournament(home.club, None)
    Tournament.objects.filter(pk=tournament.pk).update(state="draft")
    owner = Client()
    owner.force_login(home.owner)
    for name in (*PAGES, "tournament-clock"):
        assert Client().get(address(name, tournament)).status_code == 404
        assert member(home).get(address(name, tournament)).status_code == 404
        assert owner.get(address(name, tournament)).status_code == 200


def test_a_private_club_has_no_public_pages(home):
    tournament = made_tournament(home.club, None)
    Club.objects.filter(pk=home.club.pk).update(visibility=Club.Visibility.PRIVATE)
    for name in (*PAGES, "tournament-clock"):
        assert Client().get(address(name, tournament)).status_code == 404
        assert member(home).get(address(name, tournament)).status_code == 200


# --- Where do I sit ----------------------------------------------------------------------------------------


def test_the_page_has_the_place_of_everybody(home):
    tournament = made_tournament(home.club, None, least=4, most=4)
    with_entrants(tournament, None, 9)
    current = drawn_round(tournament, None)
    read = data_of(page("tournament-seat", tournament, member(home)))
    assert read["people"] == [[number, f"G{number}"] for number in range(1, 10)]
    assert read["tables"] == [[table["number"], table["seats"]] for table in current.draw.plan["tables"]]
    assert read["out"] == current.draw.plan["out"]
    assert len(read["out"]) == 1


def test_a_name_cannot_leave_its_script(home):
    tournament = made_tournament(home.club, None)
    with_entrants(tournament, None, 8)
    Player.objects.filter(nickname="G1").update(nickname="</script><b>")
    body = page("tournament-seat", tournament, member(home))
    assert data_of(body)["people"][0] == [1, "</script><b>"]
    assert "</script><b>" not in body


@pytest.mark.parametrize(
    ("who", "numbers"),
    [
        ("3", [3]),
        ("03", [3]),
        ("99", []),
        ("g1", [1]),
        ("G", list(range(1, 9))),
        ("Gerda", list(range(2, 9))),
        ("x", []),
    ],
)
def test_without_a_script_the_server_finds_by_name_number_or_initials(home, who, numbers):
    tournament = made_tournament(home.club, None)
    with_entrants(tournament, None, 8)
    Player.objects.filter(nickname="G1").update(publicity=Player.Publicity.NICKNAME)
    room = room_of(tournament)
    places = exact_places(room, who) or ([] if who.isdecimal() else similar_places(room, who))
    assert [place.person.number for place in places] == numbers


def test_only_recorders_get_the_link_to_the_table(home):
    tournament = made_tournament(home.club, None)
    with_entrants(tournament, None, 8)
    drawn_round(tournament, None)
    recorder = Client()
    recorder.force_login(home.recorder)
    assert data_of(page("tournament-seat", tournament, recorder))["open"] == {}, "the round has not begun"
    rounds.round_start(tournament=tournament, author=None, number=1)
    assert set(data_of(page("tournament-seat", tournament, recorder))["open"]) == {"1", "2"}
    assert data_of(page("tournament-seat", tournament, member(home)))["open"] == {}
    assert data_of(page("tournament-seat", tournament))["open"] == {}


# --- The big screen ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [6, 8, 46, 100])
def test_every_table_and_every_name_is_on_the_screen_once_and_fits(home, count):
    tournament = made_tournament(home.club, None)
    with_entrants(tournament, None, count)
    drawn_round(tournament, None)
    scenes = screen_pages(room_of(tournament))
    named = [
        place.person.number for scene in scenes if scene.kind == "names" for part in scene.columns for place in part
    ]
    assert sorted(named) == list(range(1, count + 1))
    tables = [table.number for scene in scenes if scene.kind == "tables" for part in scene.columns for table in part]
    assert tables == list(range(1, len(tables) + 1))
    rows = {"few": 8, "some": 11, "more": 12, "many": 15}
    for scene in scenes:
        if scene.kind == "names":
            assert max(len(part) for part in scene.columns) <= rows[scene.size]
            assert len(scene.columns) <= 4


def test_the_screen_shows_the_next_needed_page(home):
    def kinds() -> list[str]:
        return [scene.kind for scene in screen_pages(room_of(tournament))]

    tournament = made_tournament(home.club, None, rounds=2)
    with_entrants(tournament, None, 20)
    assert kinds() == ["welcome", "names"]
    drawn_round(tournament, None)
    assert kinds() == ["names", "tables"]
    rounds.round_start(tournament=tournament, author=None, number=1)
    assert kinds() == ["main", "names"], "no ranking yet"
    draws_and_results(tournament)
    assert kinds() == ["main", "ranks"]


def draws_and_results(tournament: Tournament) -> None:
    """Finish the round that is played, without results of the tables."""
    rounds.round_finish(tournament=tournament, author=None, number=1, despite_open=True)


# --- The clock ---------------------------------------------------------------------------------------------


def clock(tournament: Tournament) -> dict[str, Any]:
    answer = Client().get(address("tournament-clock", tournament))
    assert answer["Cache-Control"].startswith("no-store") or "no-store" in answer["Cache-Control"]
    read: dict[str, Any] = answer.json()
    return read


def test_the_clock_has_the_remaining_seconds_and_its_state(home):
    tournament = made_tournament(home.club, None, minutes=40)
    with_entrants(tournament, None, 8)
    assert clock(tournament)["round"] is None
    drawn_round(tournament, None)
    answer = clock(tournament)
    assert (answer["round"], answer["rounds"], answer["state"], answer["running"]) == (1, 4, "drawn", False)
    assert (answer["limit"], answer["remaining"]) == (2400, 2400)
    rounds.round_start(tournament=tournament, author=None, number=1)
    rounds.minutes_add(tournament=tournament, author=None, number=1, minutes=5)
    answer = clock(tournament)
    assert answer["running"]
    assert answer["limit"] == 2700
    assert 2690 < answer["remaining"] <= 2700
    rounds.clock_pause(tournament=tournament, author=None, number=1)
    Round.objects.filter(tournament=tournament).update(elapsed_seconds=2800)
    answer = clock(tournament)
    assert not answer["running"]
    assert answer["remaining"] == -100


def test_a_round_without_a_time_has_no_remaining_seconds(home):
    tournament = made_tournament(home.club, None)
    with_entrants(tournament, None, 8)
    drawn_round(tournament, None)
    assert clock(tournament)["remaining"] is None


def test_the_clock_names_the_version_that_the_pages_carry(home):
    tournament = made_tournament(home.club, None)
    with_entrants(tournament, None, 8)
    drawn_round(tournament, None)
    rounds.round_start(tournament=tournament, author=None, number=1)
    version = clock(tournament)["version"]
    for client in (None, member(home)):
        for name in PAGES:
            assert f'data-version="{version}"' in page(name, tournament, client), name
    enter(table_of(tournament.rounds.get()), MADE)
    assert clock(tournament)["version"] == version, "a hand of the running round changes no page"
    entries.check_in(tournament=tournament, author=None, number=1, here=False)
    assert clock(tournament)["version"] != version


def test_a_corrected_hand_of_a_finished_round_is_another_version(home):
    tournament = made_tournament(home.club, None, hands=1)
    with_entrants(tournament, None, 8)
    drawn_round(tournament, None)
    rounds.round_start(tournament=tournament, author=None, number=1)
    current = tournament.rounds.get()
    enter(table_of(current), MADE)
    rounds.round_finish(tournament=tournament, author=None, number=1, despite_open=True)
    version, before = clock(tournament)["version"], page("tournament", tournament)
    correct(table=table_of(current), edit=TakeOut(number=1), author=None, key=uuid.uuid4())
    assert clock(tournament)["version"] != version
    assert page("tournament", tournament) != before


# --- Queries -----------------------------------------------------------------------------------------------

QUERIES = {
    "tournament": 10,
    "tournament-seat": 10,
    "tournament-screen": 10,
    "tournament-seat-find": 2,
    "tournament-clock": 4,
    "tournament-picture": 10,
}


@pytest.mark.parametrize("count", [8, 40])
@pytest.mark.parametrize("name", QUERIES)
def test_the_number_of_queries_does_not_depend_on_the_entrants(home, name, count):
    tournament = made_tournament(home.club, None, minutes=40)
    with_entrants(tournament, None, count)
    play_round(tournament, None)
    drawn_round(tournament, None)
    rounds.round_start(tournament=tournament, author=None, number=2)
    with CaptureQueriesContext(connection) as made:
        assert Client().get(address(name, tournament)).status_code == 200
    assert len(made) == QUERIES[name]
