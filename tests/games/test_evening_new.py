"""The page of a new evening as a browser without scripts uses it."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.test import Client

from games.evening.house_rules import house_rules_set
from games.models import Table
from league.models import Evening, Player
from league.standings.counting import count_season
from tests.cast import House
from tests.factories import PlayerFactory, SeasonFactory, create_table, enter

pytestmark = pytest.mark.django_db


def url(table: Table) -> str:
    return f"/c/{table.evening.club.slug}/t/{table.pk}/"


def text(response: Any) -> str:
    return " ".join(response.content.decode().split())


@pytest.fixture
def roster(home: House) -> list[Player]:
    return [PlayerFactory(club=home.club, nickname=name) for name in ("Anna", "Beni", "Carlo", "Doris")]


def test_the_most_recent_players_by_date_come_first(recorder: Client, home: House, roster: list[Player]) -> None:
    anna, beni, carlo, doris = roster
    for day, players in ((10, [beni, carlo]), (20, [carlo, doris]), (5, [anna, doris])):
        played = create_table(season=home.season, club=home.club, held_on=date(2026, 11, day), players=players)
        enter(played, {"declarer": 0, "joiners": [1], "made": [0, 1]})
    count_season(home.season.pk)
    expected = ["Carlo", "Doris", "Beni", "Anna"]
    page = recorder.get("/c/roessli/e/new/")
    assert [candidate.nickname for candidate in page.context["form"].candidates()] == expected
    sitting = [PlayerFactory(club=home.club, nickname="Emil"), anna]
    newest = create_table(season=home.season, club=home.club, players=sitting)
    comes = recorder.get(f"/c/roessli/t/{newest.pk}/seating/")
    assert [player.nickname for player in comes.context["chips"]] == ["Carlo", "Doris", "Beni"]


def evening(home: House, **more: Any) -> dict[str, Any]:
    return {"key": str(uuid.uuid4()), "season": home.season.pk, "held_on": "2026-11-20"} | more


def nicknames(table: Table) -> list[str]:
    return list(table.places.order_by("seat").values_list("player__nickname", flat=True))


def test_an_evening_starts_in_the_order_sent_with_guests(recorder: Client, home: House, roster: list[Player]) -> None:
    seating = [f"p{roster[2].pk}", "gFritz", f"p{roster[0].pk}"]
    answer = recorder.post("/c/roessli/e/new/", evening(home, seating=seating, first_dealer="gFritz"))
    table = Table.objects.get()
    assert (answer.status_code, answer.url) == (303, url(table))
    assert nicknames(table) == ["Carlo", "Fritz", "Anna"]
    assert table.first_dealer.nickname == "Fritz"
    assert table.first_dealer.guest


def test_an_evening_sent_twice_begins_once(recorder: Client, home: House, roster: list[Player]) -> None:
    sent = evening(home, seating=[f"p{player.pk}" for player in roster], first_dealer=f"p{roster[0].pk}")
    answers = [recorder.post("/c/roessli/e/new/", sent) for _ in range(3)]
    assert {(answer.status_code, answer.url) for answer in answers} == {(303, url(Table.objects.get()))}
    assert "sent before with other content" in text(
        recorder.post("/c/roessli/e/new/", sent | {"first_dealer": f"p{roster[1].pk}"})
    )


def test_without_scripts_ticks_and_numbers_seat_the_table(recorder: Client, home: House, roster: list[Player]) -> None:
    anna, beni, *_ = roster
    sent = evening(home, player=[anna.pk, beni.pk], guest=["", "Fritz", ""], first_dealer="g#1")
    sent |= {f"order-p{anna.pk}": "3", f"order-p{beni.pk}": "2", "order-g1": "1"}
    assert recorder.post("/c/roessli/e/new/", sent).status_code == 303
    assert nicknames(Table.objects.get()) == ["Fritz", "Beni", "Anna"]
    assert Table.objects.get().first_dealer.nickname == "Fritz"


EVENINGS_REFUSED: list[tuple[Callable[[list[Player]], dict[str, Any]], str]] = [
    (lambda r: {"player": [r[0].pk], "first_dealer": f"p{r[0].pk}"}, "two to seven players"),
    (lambda r: {"player": [r[0].pk, r[1].pk]}, "Say who deals first"),
    (lambda r: {"player": [r[0].pk], "guest": ["anna"], "first_dealer": f"p{r[0].pk}"}, "nickname of somebody"),
    (lambda r: {"player": [r[0].pk, 10**9], "first_dealer": f"p{r[0].pk}"}, "no player 1000000000 in this club"),
    (lambda r: {"seating": ["zzz", f"p{r[0].pk}"], "first_dealer": f"p{r[0].pk}"}, "nickname of at most 40"),
    (lambda r: {"player": [p.pk for p in r[:2]], "first_dealer": f"p{r[0].pk}", "held_on": "soon"}, "This is no date"),
    (lambda r: {"player": [p.pk for p in r[:2]], "first_dealer": f"p{r[0].pk}", "season": "0"}, "no such season"),
]


@pytest.mark.parametrize(("sent", "sentence"), EVENINGS_REFUSED)
def test_a_refused_evening_shows_the_reason_and_keeps_the_ticks(
    recorder: Client, home: House, roster: list[Player], sent: Callable[..., Any], sentence: str
) -> None:
    answer = recorder.post("/c/roessli/e/new/", evening(home) | sent(roster))
    assert answer.status_code == 422
    assert sentence in text(answer)
    ticked = {candidate.nickname for candidate in answer.context["form"].candidates() if candidate.here}
    assert "Anna" in ticked
    assert not Evening.objects.exists()


def test_a_season_of_another_club_is_no_choice(recorder: Client, home: House, roster: list[Player]) -> None:
    theirs = SeasonFactory()
    seating = [f"p{player.pk}" for player in roster]
    sent = evening(home, seating=seating, first_dealer=seating[0]) | {"season": theirs.pk}
    assert recorder.post("/c/roessli/e/new/", sent).status_code == 422


def test_a_club_without_season_or_players_shows_the_next_step(recorder: Client, home: House) -> None:
    assert "Nobody is in the roster yet." in text(recorder.get("/c/roessli/e/new/"))
    home.season.delete()
    assert "This club has no season yet." in text(recorder.get("/c/roessli/e/new/"))


def test_the_house_rules_of_the_evening_are_shown_as_sentences(recorder: Client, home: House) -> None:
    rules = {"stake": 50, "blind": "none", "susi": "forced", "pot_limit": 2000}
    house_rules_set(club=home.club, game="chratze", values=rules, author=None)
    page = text(recorder.get("/c/roessli/e/new/"))
    for words in (
        "0.50 each",
        "not allowed",
        "must join if nobody else has",
        "penalties raise it to CHF 20.00 at most",
    ):
        assert words in page


@pytest.mark.parametrize("players", [0, 20])
def test_the_new_evening_has_the_same_queries_for_any_roster(
    recorder: Client, home: House, django_assert_num_queries: Any, players: int
) -> None:
    PlayerFactory.create_batch(players, club=home.club)
    with django_assert_num_queries(13):
        recorder.get("/c/roessli/e/new/")


def ticked(client: Client) -> tuple[list[str], str]:
    form = client.get("/c/roessli/e/new/?like=last").context["form"]
    return [candidate.nickname for candidate in form.sitting()], form.first_dealer()


def test_an_evening_like_last_time_seats_the_same_people(recorder: Client, home: House, roster: list[Player]) -> None:
    anna, beni, carlo, doris = roster
    create_table(season=home.season, club=home.club, held_on=date(2026, 11, 1), players=[doris, anna, beni, carlo])
    table = create_table(season=home.season, club=home.club, held_on=date(2026, 11, 8), players=[carlo, anna, doris])
    enter(table, {"declarer": 0, "joiners": [1], "made": [0, 1]})
    table.refresh_from_db()
    assert ticked(recorder) == (["Carlo", "Anna", "Doris"], f"p{table.dealer_id}")
    # Whoever left the roster is not seated, and a player merged into another one is that one.
    Player.objects.filter(pk=carlo.pk).update(active=False)
    Player.objects.filter(pk=anna.pk).update(main=beni)
    assert ticked(recorder)[0] == ["Beni", "Doris"]
    assert recorder.get("/c/roessli/e/new/").context["form"].sitting() == []


def test_a_first_evening_offers_no_last_time(recorder: Client, roster: list[Player]) -> None:
    page = recorder.get("/c/roessli/e/new/?like=last")
    assert page.status_code == 200
    assert b"data-last=" not in page.content


def test_the_evening_of_another_club_is_no_last_time(recorder: Client, roster: list[Player]) -> None:
    create_table()
    assert ticked(recorder) == ([], "")
