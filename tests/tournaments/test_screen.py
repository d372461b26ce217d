"""The big screen: all tables and withdrawn entrants are on it; the podium is revealed place by place."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.errors import Refused
from league.models import Player, Tournament
from league.tournaments import entries, rounds, services
from league.tournaments.paper.results import LEAST_ROW, ROW, _row_height
from league.tournaments.podium import podium_places
from league.tournaments.room.screen_pages import STRIP, STRIP_LARGE, Scene, screen_pages
from tests.tournaments.desk_pages import FORMAT
from tests.tournaments.played_tournaments import drawn_round, made_tournament, play_round, with_entrants
from tests.tournaments.test_room import room_of

pytestmark = pytest.mark.django_db


def screen_of(tournament: Tournament) -> str:
    where = {"club": tournament.club.slug, "tournament": tournament.slug}
    return str(
        Client(headers={"accept-language": "en"}).get(reverse("tournament-screen", kwargs=where)).content.decode()
    )


def playing(home: Any, count: int, **parts: Any) -> tuple[Tournament, Scene]:
    tournament = made_tournament(home.club, None, **parts)
    with_entrants(tournament, None, count)
    drawn_round(tournament, None)
    rounds.round_start(tournament=tournament, author=None, number=1)
    return tournament, screen_pages(room_of(tournament))[0]


SEVEN = {"wished": 7, "most": 7}


@pytest.mark.parametrize(
    ("count", "parts", "strips"),
    [(20, {}, [5]), (32, {}, [4, 4]), (80, {}, [5] * 4), (14, SEVEN, [2]), (28, SEVEN, [2, 2])],
)
def test_while_a_round_is_played_every_table_with_all_its_people_is_on_the_screen(home, count, parts, strips):
    tournament, main = playing(home, count, **parts)
    assert [len(strip) for strip in main.strips] == strips
    assert max(strips) <= (STRIP_LARGE if parts else STRIP)
    body = screen_of(tournament)
    assert len(re.findall(r"<h3>Table", body)) == sum(strips)
    shown = "".join(re.findall(r'<div class="strip">.*?</section>', body, re.DOTALL))
    assert shown.count("<li>") == count, "each name is a line of its own, which is cut with an ellipsis"
    assert ("1/" in shown) == (len(strips) > 1)


def test_the_final_ranking_shares_the_height_and_marks_who_withdrew(home):
    tournament = made_tournament(home.club, None, rounds=2)
    with_entrants(tournament, None, 37)
    play_round(tournament, None)
    entries.withdraw(tournament=tournament, author=None, number=5)
    play_round(tournament, None, seed=2)
    services.tournament_finish(tournament=tournament, author=None)
    scenes = screen_pages(room_of(tournament))
    assert [(scene.kind, scene.rows, len(scene.columns)) for scene in scenes] == [("ranks", 10, 2), ("ranks", 9, 2)]
    assert screen_of(tournament).count(">withdrawn<") == 1


@pytest.fixture
def played(home) -> Tournament:
    """All rounds are played, the last one is hidden; G-names are public, so a visitor could read them."""
    tournament = made_tournament(home.club, None, rounds=2, hide_last=True)
    with_entrants(tournament, None, 8)
    Player.objects.filter(club=home.club).update(publicity=Player.Publicity.NICKNAME)
    play_round(tournament, None)
    play_round(tournament, None, seed=2)
    return Tournament.objects.get(pk=tournament.pk)


def reveal(tournament: Tournament, step: int | None) -> None:
    services.podium_reveal(tournament=tournament, author=None, step=step)
    tournament.refresh_from_db()


def test_the_podium_is_revealed_from_last_to_first_and_nothing_earlier_is_in_the_page(played):
    ranks = services.ranking_of(played).lines[:3]
    names = {line.rank: f">G{line.number}<" for line in ranks}
    for step, known in enumerate([[], [3], [3, 2], [3, 2, 1]]):
        reveal(played, step)
        body = screen_of(played)
        assert [rank for rank in (3, 2, 1) if names[rank] in body] == known
        assert body.count("step place-") == 3
        assert body.count(" new") == bool(step)
    assert [scene.kind for scene in screen_pages(room_of(played))] == ["podium"], "the other places stay hidden"
    services.tournament_finish(tournament=played, author=None)
    assert [scene.kind for scene in screen_pages(room_of(Tournament.objects.get(pk=played.pk)))] == ["podium", "ranks"]
    reveal(played, None)
    assert "step place-" not in screen_of(played)


def test_equal_winners_share_a_place(home):
    tournament = made_tournament(home.club, None, rounds=1, tie_breaks=[])
    with_entrants(tournament, None, 8)
    drawn_round(tournament, None)
    rounds.round_start(tournament=tournament, author=None, number=1)
    rounds.round_finish(tournament=tournament, author=None, number=1, despite_open=True)
    reveal(tournament, 1)
    (scene,) = [page for page in screen_pages(room_of(tournament)) if page.kind == "podium"]
    assert [(place.rank, len(place.winners)) for place in scene.columns[0]] == [(1, 8)]


def test_the_podium_waits_for_the_last_round_and_has_no_further_places(home, played):
    with pytest.raises(Refused) as refused:
        reveal(played, 4)
    assert refused.value.status == 422
    other = made_tournament(home.club, None, rounds=2)
    with_entrants(other, None, 8)

    def too_early() -> None:
        with pytest.raises(Refused) as refused:
            reveal(other, 0)
        assert refused.value.status == 409

    too_early()
    play_round(other, None)
    too_early()
    drawn_round(other, None, seed=2)
    rounds.round_start(tournament=other, author=None, number=2)
    too_early()
    rounds.round_finish(tournament=other, author=None, number=2, despite_open=True)
    reveal(other, 0)


def test_who_withdrew_is_not_on_the_podium(home):
    """Of four entrants two are left: the third place is that of one who withdrew, and is not revealed."""
    tournament = made_tournament(home.club, None, rounds=2)
    with_entrants(tournament, None, 4)
    play_round(tournament, None)
    for number in (1, 2):
        entries.withdraw(tournament=tournament, author=None, number=number)
    services.tournament_finish(tournament=tournament, author=None)
    left = [line.rank for line in services.ranking_of(tournament).lines if not line.withdrawn]
    assert left == [1, 2]
    assert podium_places(services.ranking_of(tournament)) == [2, 1]
    reveal(tournament, 2)
    (scene,) = [page for page in screen_pages(room_of(tournament)) if page.kind == "podium"]
    assert [(place.rank, place.shown) for place in scene.columns[0]] == [(1, True), (2, True)]
    with pytest.raises(Refused):
        reveal(tournament, 3)


def test_each_tap_of_the_desk_shows_a_place(desk):
    desk.do("tournament-setup", "format", **(FORMAT | {"rounds": 1}))
    desk.publish()
    desk.play(1)
    desk.do("tournament-round", "finish", round=1)
    assert "Reveal the podium on the big screen" in desk.get()
    desk.do("tournament-setup", "reveal", step=0)
    taps = 0
    while match := re.search(r'name="step" value="(\d)">\s*<button class="btn go"', desk.get()):
        desk.do("tournament-setup", "reveal", step=match[1])
        taps += 1
    assert 1 <= taps <= 3
    assert "Finish the tournament" in desk.get()


def test_a_result_list_needs_no_page_for_a_few_names():
    high = 297.0
    for count in (*range(1, 37), *range(41, 70)):
        assert _row_height(count, high) == ROW, count
    for count in (37, 38, 39, 40):
        row = _row_height(count, high)
        assert LEAST_ROW <= row < ROW
        assert int((high - 17 - 41) / row) - 1 >= count
