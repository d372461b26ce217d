"""A player who is not in the club is named by the id that was sent, with its place; nothing is stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.models import Hand, Table
from league.models import Evening, Player
from tests.api.api_client import ApiClient, done, is_problem
from tests.cast import Cast
from tests.factories import FAILED, MADE, PlayerFactory, body, enter

pytestmark = pytest.mark.django_db

Body = Callable[[Table, int], dict[str, Any]]


def evening(table: Table, player: int) -> dict[str, Any]:
    seats = [{"guest": "Zora"}, {"player": player}, {"guest": "Yves"}]
    return {"season": "2026", "held_on": "2026-11-20", "game": "chratze", "seating": seats, "first_dealer": 0}


def correction(table: Table, player: int, **more: Any) -> dict[str, Any]:
    players = [*body(table, MADE)["players"][:-1], player]
    return {"kind": "changed", "number": 1, "players": players, "record": MADE, **more}


def reseating(table: Table, player: int) -> dict[str, Any]:
    return {"kind": "seats", "number": 1, "last": 1, "who": [[body(table, MADE)["players"][0], player]]}


def present(table: Table, player: int) -> dict[str, Any]:
    return {"pot": "share", "present": [body(table, MADE)["players"][0], player]}


CASES: dict[str, tuple[str, Body, int, str]] = {
    "evening": ("evenings", evening, 422, "seating[1].player"),
    "closing": ("evenings/EVENING/close", present, 422, "present[1]"),
    "arrival": ("tables/TABLE/seating-changes", lambda _, player: {"kind": "arrive", "player": player}, 422, "player"),
    "correction": ("tables/TABLE/corrections", correction, 422, "players[4]"),
    "correction preview": ("tables/TABLE/corrections/preview", correction, 422, "players[4]"),
    "reseating": ("tables/TABLE/corrections", reseating, 422, "who[0]"),
    "merge": ("players/PLAYER/merges", lambda _, player: {"main": player, "reason": "the same"}, 404, "main"),
    "invitation": ("invitations", lambda _, player: {"player": player}, 404, "player"),
}


@pytest.mark.parametrize("foreign", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_the_player_is_named(people: Cast, owner: ApiClient, table: Table, case: str, foreign: bool):
    path, make, status, place = CASES[case]
    enter(table, FAILED)
    player = PlayerFactory(club=people.away.club).pk if foreign else 987654
    names = {"EVENING": table.evening_id, "TABLE": table.pk, "PLAYER": body(table, MADE)["players"][0]}
    for name, number in names.items():
        path = path.replace(name, str(number))
    stored = [model.objects.count() for model in (Player, Evening, Hand)]
    answer = owner.post(f"clubs/roessli/{path}", make(table, player), Accept_Language="en")
    assert is_problem(answer, status)
    assert (answer.json()["at"], answer.json()["detail"]) == (place, f"There is no player {player} in this club.")
    assert [model.objects.count() for model in (Player, Evening, Hand)] == stored


def test_the_main_player_of_a_merge_preview_is_named(owner: ApiClient, table: Table):
    path = f"clubs/roessli/players/{body(table, MADE)['players'][0]}/merges/preview?main=987654"
    assert is_problem(owner.get(path), 404, "player")
    assert "987654" in owner.get(path).json()["detail"]


def test_a_hand_for_other_players_is_answered_with_those_who_sit_there(api: ApiClient, table: Table):
    sent = body(table, MADE)
    answer = api.post(f"clubs/roessli/tables/{table.pk}/hands", sent | {"players": sent["players"][::-1]})
    assert is_problem(answer, 409, "seating")
    assert answer.json()["details"] == {"expected": sent["players"]}
    done(api.post(f"clubs/roessli/tables/{table.pk}/hands", sent | {"players": answer.json()["details"]["expected"]}))


@pytest.mark.parametrize(("method", "path", "sent", "place"), [
    ("PUT", "clubs/roessli/players/PLAYER/person", {"person": 987654}, "person"),
    ("POST", "me/api-keys", {"name": "a program", "club": "nowhere"}, "club"),
])  # fmt: skip
def test_another_thing_that_is_not_there_has_its_place(owner: ApiClient, table: Table, method, path, sent, place):
    answer = owner(method, path.replace("PLAYER", str(body(table, MADE)["players"][0])), sent)
    assert is_problem(answer, 404, place)
    assert answer.json()["at"] == place
