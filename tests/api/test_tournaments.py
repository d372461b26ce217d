"""A tournament by the API, from its preparation to its end; visibility and refusals."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import DeskMember, Draw, Entrant, Evening, Player, Round, Season, Sheet, Tournament
from tests.api.api_client import ApiClient, done, is_problem, key_for
from tests.api.conftest import PATH
from tests.cast import Cast
from tests.factories import PlayerFactory
from tests.tournaments.rounds import create_round, create_tournament, entrants_of, hand_in

pytestmark = pytest.mark.django_db


def test_the_beginning_of_a_round_is_taken_back_while_nothing_was_played(owner, playing):
    assert not done(owner.post(f"{PATH}/rounds/1/unstart"))["clock"]["running"]
    assert done(owner.get(f"{PATH}/rounds/1"))["state"] == "drawn"
    assert done(owner.post(f"{PATH}/rounds/1/start"))["clock"]["running"]


def tables(client: ApiClient, number: int = 1) -> list[dict[str, Any]]:
    """Return the tables of a round."""
    items: list[dict[str, Any]] = done(client.get(f"{PATH}/rounds/{number}/tables"))["items"]
    return items


def sheet(table: dict[str, Any], chips: tuple[int, ...] = (30, -10, -20), **more: Any) -> dict[str, Any]:
    """Return a body: the chips by seat of a table."""
    seats = [{"number": seat["number"], "chips": chip} for seat, chip in zip(table["seats"], chips, strict=True)]
    return {"table": table["number"], "seats": seats, **more}


@pytest.mark.both_databases
def test_a_tournament_from_its_preparation_to_its_end(owner: ApiClient, tournament: dict[str, Any]):
    assert (tournament["state"], tournament["format"]["tie_breaks"]) == ("draft", ["best_round", "lot"])
    assert tournament["begins_at"] == "19:30"
    assert done(owner.post(f"{PATH}/state", {"step": "open"}))["state"] == "open"
    names = ("Anna", "Beni", "Carlo", "Doris", "Emil", "Fritz")
    entered = done(owner.post(f"{PATH}/entrants", {"people": [{"guest": name} for name in names]}))["items"]
    assert [entrant["number"] for entrant in entered] == [1, 2, 3, 4, 5, 6]
    for entrant in entered:
        assert done(owner.post(f"{PATH}/entrants/{entrant['number']}/check-in", {}))["state"] == "here"
    for number in (1, 2):
        drawn = done(owner.post(f"{PATH}/draws", {"mode": "balanced", "seed": number}))
        assert sorted(seat["name"] for table in drawn["tables"] for seat in table["seats"]) == list(names)
        assert (drawn["round"], drawn["published"], drawn["report"]["seed"]) == (number, False, number)
        published = done(owner.post(f"{PATH}/draws/{drawn['id']}/publish"))
        assert (published["state"], published["draw"], published["hands"]) == ("drawn", drawn["id"], 12)
        assert done(owner.post(f"{PATH}/rounds/{number}/start"))["clock"]["running"]
        for table in tables(owner, number):
            assert table["progress"] == "waiting"
            done(owner.post(f"{PATH}/rounds/{number}/sheets", sheet(table)))
        assert {table["progress"] for table in tables(owner, number)} == {"done"}
        assert done(owner.post(f"{PATH}/rounds/{number}/finish", {}))["state"] == "finished"
    assert done(owner.post(f"{PATH}/state", {"step": "finish"}))["state"] == "finished"
    ranking = done(owner.get(f"{PATH}/ranking"))
    assert sum(line["total"] for line in ranking["items"]) == 0
    assert [cell["kind"] for cell in ranking["items"][0]["cells"]] == ["played", "played"]
    shown = done(owner.get(PATH))
    assert (shown["entrants"], shown["rounds_drawn"], shown["rounds_finished"]) == (6, 2, 2)
    for step, state in (("archive", "archived"), ("unarchive", "finished")):
        assert done(owner.post(f"{PATH}/state", {"step": step}))["state"] == state


def test_the_steps_can_be_taken_back(owner: ApiClient, playing: dict[str, Any]):
    for table in tables(owner):
        done(owner.post(f"{PATH}/rounds/1/sheets", sheet(table)))
    done(owner.post(f"{PATH}/rounds/1/finish", {}))
    assert done(owner.post(f"{PATH}/rounds/1/reopen", {"reason": "A wrong sheet"}))["state"] == "playing"
    done(owner.post(f"{PATH}/rounds/1/finish", {}))
    drawn = done(owner.post(f"{PATH}/draws", {}))
    done(owner.post(f"{PATH}/draws/{drawn['id']}/publish"))
    assert owner.post(f"{PATH}/draws/take-back").status_code == 204
    assert [row["number"] for row in done(owner.get(f"{PATH}/rounds"))["items"]] == [1]
    done(owner.post(f"{PATH}/state", {"step": "finish"}))
    assert is_problem(owner.post(f"{PATH}/state", {"step": "reopen"}), 422, "reason")
    assert done(owner.post(f"{PATH}/state", {"step": "reopen", "reason": "A wrong sheet"}))["state"] == "running"


def test_only_an_owner_opens_a_finished_tournament_again(owner: ApiClient, api: ApiClient, people: Cast, playing: Any):
    put_to_desk(owner, people)
    done(api.post(f"{PATH}/rounds/1/finish", {"despite_open": True}))
    done(api.post(f"{PATH}/state", {"step": "finish"}))
    assert is_problem(api.post(f"{PATH}/state", {"step": "reopen", "reason": "Oh"}), 403, "owner")
    done(owner.post(f"{PATH}/state", {"step": "reopen", "reason": "Oh"}))


def test_a_draw_is_published_while_a_round_is_played_if_that_is_confirmed(owner: ApiClient, playing: dict[str, Any]):
    drawn = done(owner.post(f"{PATH}/draws", {"despite_open": True}))
    publish = f"{PATH}/draws/{drawn['id']}/publish"
    refused = owner.post(publish)
    assert is_problem(refused, 409, "playing")
    assert refused.json()["details"] == {"may_confirm": True}
    done(owner.post(f"{PATH}/rounds/1/unstart"))
    assert is_problem(owner.post(publish, {"despite_open": True}), 409, "drawn")
    assert owner.post(f"{PATH}/draws/take-back").status_code == 204
    assert is_problem(owner.post(publish, {"despite_open": True}), 409, "order")
    again = done(owner.post(f"{PATH}/draws", {}))
    done(owner.post(f"{PATH}/draws/{again['id']}/publish"))
    done(owner.post(f"{PATH}/rounds/1/start"))
    assert done(owner.post(publish, {"despite_open": True}))["number"] == 2


def put_to_desk(owner: ApiClient, people: Cast) -> None:
    """Put the recorder to the desk."""
    assert owner("PUT", f"{PATH}/desk/{people.home.recorder.pk}").status_code == 204


# --- Visibility and rights ---------------------------------------------------------------------------------


def test_a_tournament_in_preparation_is_shown_to_its_desk_alone(
    owner: ApiClient, api: ApiClient, people: Cast, tournament: dict[str, Any]
):
    visitor = ApiClient()
    for client in (api, visitor):
        assert is_problem(client.get(PATH), 404)
        assert is_problem(client.get(f"{PATH}/entrants"), 404)
        assert done(client.get("clubs/roessli/tournaments"))["items"] == []
    put_to_desk(owner, people)
    assert done(api.get(PATH))["runs"]
    assert [row["slug"] for row in done(api.get("clubs/roessli/tournaments"))["items"]] == ["klausturnier"]
    done(owner.post(f"{PATH}/state", {"step": "open"}))
    assert done(visitor.get(PATH))["runs"] is False
    # Prizes can name people, such as donors.
    Tournament.objects.update(prizes="A ham of Anna")
    prizes = [done(client.get(PATH))["prizes"] for client in (api, owner, visitor)]
    assert prizes == ["A ham of Anna", "A ham of Anna", ""]
    assert [row["slug"] for row in done(visitor.get("clubs/roessli/tournaments?state=open"))["items"]]
    assert done(visitor.get("clubs/roessli/tournaments?state=draft"))["items"] == []


def test_a_recorder_who_is_not_at_the_desk_runs_nothing(
    owner: ApiClient, api: ApiClient, people: Cast, playing: dict[str, Any]
):
    drawn = Draw.objects.get()
    writes: list[tuple[str, str, dict[str, Any] | None]] = [
        ("PATCH", PATH, {"fee": "CHF 5"}),
        ("PATCH", f"{PATH}/format", {"rounds": 3}),
        ("POST", f"{PATH}/state", {"step": "finish"}),
        ("PUT", f"{PATH}/award", {"season": "2026", "points": [3]}),
        ("GET", f"{PATH}/desk", None),
        ("POST", f"{PATH}/entrants", {"people": [{"guest": "Zora"}]}),
        ("PATCH", f"{PATH}/entrants/1", {"team": "A"}),
        ("DELETE", f"{PATH}/entrants/1", None),
        ("POST", f"{PATH}/entrants/1/check-in", {}),
        ("POST", f"{PATH}/entrants/1/paid", {}),
        ("POST", f"{PATH}/entrants/1/withdraw", None),
        ("POST", f"{PATH}/entrants/1/come-back", None),
        ("POST", f"{PATH}/entrants/1/substitute", {"guest": "Zora"}),
        ("POST", f"{PATH}/draws", {}),
        ("POST", f"{PATH}/draws/again", {}),
        ("POST", f"{PATH}/draws/take-back", None),
        ("POST", f"{PATH}/draws/{drawn.pk}/swap", {"a": 1, "b": 2}),
        ("POST", f"{PATH}/draws/{drawn.pk}/publish", None),
        ("POST", f"{PATH}/rounds/1/start", None),
        ("POST", f"{PATH}/rounds/1/pause", None),
        ("POST", f"{PATH}/rounds/1/resume", None),
        ("POST", f"{PATH}/rounds/1/minutes", {"minutes": 5}),
        ("POST", f"{PATH}/rounds/1/finish", {"despite_open": True}),
        ("POST", f"{PATH}/rounds/1/reopen", {"reason": "Oh"}),
        ("POST", f"{PATH}/rounds/1/sheets", sheet(tables(api)[0], decides=True)),
    ]
    before = stored()
    for method, path, body in writes:
        assert is_problem(api(method, path, body, match="*"), 403), (method, path)
    assert stored() == before
    put_to_desk(owner, people)
    for method, path, body in writes:
        assert api(method, path, body, match="*").status_code != 403, (method, path)


def stored() -> list[Any]:
    """Return the values of the tournament's rows."""
    rows = [list(model.objects.order_by("pk").values()) for model in (Tournament, Entrant, Round, Draw, Sheet)]
    return [*rows, DeskMember.objects.count()]


def test_every_recorder_hands_in_a_sheet_at_the_table(api: ApiClient, playing: dict[str, Any]):
    handed_in = done(api.post(f"{PATH}/rounds/1/sheets", sheet(tables(api)[0], (10, -4, -8), pot=2)))
    assert (handed_in["at_table"], handed_in["pot"], handed_in["decides"]) == (True, 2, False)
    assert done(api.get(f"{PATH}/rounds/1/sheets?table=1"))["items"] == [handed_in]
    assert done(api.get(f"{PATH}/rounds/1/sheets?table=2"))["items"] == []


def test_visitors_see_public_names_and_no_free_text(owner: ApiClient, entered: dict[str, Any]):
    done(owner("PATCH", f"{PATH}/entrants/1", {"team": "Meiers", "labels": ["Meier"]}, match="*"))
    done(owner.post(f"{PATH}/entrants/1/paid", {}))
    mine, theirs = (done(client.get(f"{PATH}/entrants/1")) for client in (owner, ApiClient()))
    assert (mine["name"], mine["team"], mine["labels"], mine["paid"]) == ("Anna", "Meiers", ["Meier"], True)
    assert (theirs["name"], theirs["team"], theirs["labels"], theirs["paid"]) == ("A.", "", [], None)
    drawn = done(owner.post(f"{PATH}/draws", {}))
    assert is_problem(ApiClient().get(f"{PATH}/draws/{drawn['id']}"), 404)
    assert done(ApiClient().get(f"{PATH}/draws"))["items"] == []
    done(owner.post(f"{PATH}/draws/{drawn['id']}/publish"))
    # Names in the hall are for the tournament's pages.
    done(owner("PATCH", PATH, {"names_shown": True}, match="*"))
    for path in (f"draws/{drawn['id']}", "rounds/1/tables", "entrants", "ranking"):
        text = ApiClient().get(f"{PATH}/{path}").content.decode()
        assert "A." in text
        assert not [name for name in ("Anna", "Beni", "Carlo", "Doris", "Emil", "Fritz", "Meier") if name in text]


def test_the_last_round_is_hidden_until_the_end(owner: ApiClient, entered: dict[str, Any]):
    done(owner("PATCH", f"{PATH}/format", {"rounds": 1, "hide_last": True}, match="*"))
    drawn = done(owner.post(f"{PATH}/draws", {}))
    done(owner.post(f"{PATH}/draws/{drawn['id']}/publish"))
    for table in tables(owner):
        done(owner.post(f"{PATH}/rounds/1/sheets", sheet(table)))
    done(owner.post(f"{PATH}/rounds/1/finish", {}))
    visitor = ApiClient()

    def seen(client: ApiClient) -> tuple[Any, ...]:
        ranking, shown = done(client.get(f"{PATH}/ranking")), done(client.get(f"{PATH}/rounds/1/tables"))
        chips = {seat["chips"] for table in shown["items"] for seat in table["seats"]}
        return ranking["rounds"], ranking["hidden"], chips, len(done(client.get(f"{PATH}/rounds/1/sheets"))["items"])

    assert seen(visitor) == (0, True, {None}, 0)
    assert seen(owner) == (1, False, {30, -10, -20}, 2)
    done(owner.post(f"{PATH}/state", {"step": "finish"}))
    assert seen(visitor) == seen(owner)


def test_a_tournament_of_another_club_is_not_found(owner: ApiClient, people: Cast, tournament: dict[str, Any]):
    theirs = create_tournament(people.away.club)
    entrants_of(theirs, 6)
    create_round(theirs, {1: [1, 2, 3], 2: [4, 5, 6]})
    for path in ("", "/entrants", "/entrants/1", "/rounds/1", "/ranking", "/draws"):
        assert is_problem(owner.get(f"clubs/roessli/tournaments/{theirs.slug}{path}"), 404)
        assert done(owner.get(f"clubs/sternen/tournaments/{theirs.slug}{path}"))


@pytest.mark.parametrize("path", ["entrants/99", "draws/99999", "rounds/9", "rounds/9/tables", "rounds/9/clock"])
def test_missing_objects_of_a_tournament_are_not_found(owner: ApiClient, playing: dict[str, Any], path: str):
    assert is_problem(owner.get(f"{PATH}/{path}"), 404, "not_found")


# --- Writes ------------------------------------------------------------------------------------------------


def test_a_repeated_write_is_answered_and_not_carried_out_again(owner: ApiClient, entered: dict[str, Any]):
    key = uuid.uuid4()
    first, again = (owner.post(f"{PATH}/entrants", {"people": [{"guest": "Gret"}]}, key=key) for _ in range(2))
    assert done(first) == done(again)
    assert again["Idempotency-Replayed"] == "true"
    assert Entrant.objects.count() == 7
    assert is_problem(owner.post(f"{PATH}/entrants", {"people": [{"guest": "Hans"}]}, key=key), 422, "key_reused")
    other = owner.post(f"{PATH}/entrants", {"people": [{"guest": "Hans"}]})
    assert done(other)["items"][0]["number"] == 8


def test_people_are_entered_all_or_none(owner: ApiClient, people: Cast, entered: dict[str, Any]):
    foreign = PlayerFactory(club=people.away.club)
    before = Entrant.objects.count(), Player.objects.count()
    answer = owner.post(f"{PATH}/entrants", {"people": [{"guest": "Gret"}, {"player": foreign.pk}]})
    assert is_problem(answer, 422)
    assert answer.json()["at"] == "people[1].player"
    answer = owner.post(f"{PATH}/entrants", {"people": [{"guest": "Gret"}, {"guest": "Anna"}]})
    assert is_problem(answer, 409, "entered")
    assert answer.json()["details"] == {"number": 1}
    for wrong in ({}, {"player": 1, "guest": "Gret"}):
        assert is_problem(owner.post(f"{PATH}/entrants", {"people": [wrong]}), 400)
    assert (Entrant.objects.count(), Player.objects.count()) == before


@pytest.mark.both_databases
def test_a_change_needs_the_state_that_was_read(owner: ApiClient, entered: dict[str, Any]):
    for path, change in (
        (PATH, {"fee": "CHF 9"}),
        (f"{PATH}/format", {"rounds": 3}),
        (f"{PATH}/entrants/1", {"team": "A"}),
    ):
        read = owner.get(path)
        assert is_problem(owner("PATCH", path, change), 428)
        done(owner("PATCH", path, change, match=read["ETag"]))
        assert is_problem(owner("PATCH", path, change, match=read["ETag"]), 412)
        assert owner.get(path)["ETag"] != read["ETag"]
        assert owner.get(path, If_None_Match=owner.get(path)["ETag"]).status_code == 304


def test_changes_before_and_after_the_first_draw(owner: ApiClient, people: Cast, entered: dict[str, Any]):
    change = {
        "name": "Klausjass",
        "ends_on": "2026-12-06",
        "begins_at": None,
        "prizes": "A ham",
        "closed_tables": [3, 1],
    }
    changed = done(owner("PATCH", PATH, change, match="*"))
    assert changed | {"closed_tables": [3, 1]} == changed | change
    assert changed["closed_tables"] == [1, 3]
    assert changed["slug"] == "klausturnier"
    award = done(owner("PUT", f"{PATH}/award", {"season": "2026", "points": [10, 6]}))
    assert (award["award_season"], award["award_points"]) == ("2026", [10, 6])
    assert is_problem(owner("PUT", f"{PATH}/award", {"season": "2025", "points": []}), 422, "season")
    drawn = done(owner.post(f"{PATH}/draws", {}))
    done(owner.post(f"{PATH}/draws/{drawn['id']}/publish"))
    assert is_problem(owner("PATCH", f"{PATH}/format", {"rounds": 3}, match="*"), 409, "state")
    assert is_problem(owner("PATCH", PATH, {"game": "kratzen"}, match="*"), 409, "state")
    assert Season.objects.filter(club=people.home.club).count() == 1


@pytest.mark.parametrize(("sent", "status", "location"), [
    ({"name": " ", "starts_on": "2026-12-05"}, 400, "name"),
    ({"name": "X", "starts_on": "2026-12-05", "begins_at": "25:00"}, 400, "begins_at"),
    ({"name": "X", "starts_on": "2026-12-05", "ends_on": "2026-12-04"}, 422, "ends_on"),
    ({"name": "X", "starts_on": "1899-12-31"}, 422, "starts_on"),
    ({"name": "X", "starts_on": "9999-12-31"}, 422, "starts_on"),
    ({"name": "X", "starts_on": "2026-12-05", "ends_on": "9999-12-31"}, 422, "ends_on"),
    ({"name": "X", "starts_on": "2026-12-05", "game": "poker"}, 422, "game"),
    ({"name": "X", "starts_on": "2026-12-05", "preset": "poker"}, 422, "preset"),
    ({"name": "X", "starts_on": "2026-12-05", "format": {"rounds": 0}}, 400, "format.rounds"),
    ({"name": "X", "starts_on": "2026-12-05", "format": {"least": 5, "wished": 4}}, 422, "wished"),
    ({"name": "X", "starts_on": "2026-12-05", "format": {"colour": "red"}}, 400, "format.colour"),
])  # fmt: skip
def test_an_impossible_tournament_is_refused(owner: ApiClient, sent: dict[str, Any], status: int, location: str):
    answer = owner.post("clubs/roessli/tournaments", sent)
    assert is_problem(answer, status)
    assert [error["at"] for error in answer.json()["errors"]] == [location]
    assert not Tournament.objects.exists()
    assert not Season.every.filter(in_chips=True).exists()


@pytest.mark.both_databases
def test_the_entrants_come_and_go(owner: ApiClient, playing: dict[str, Any]):
    assert is_problem(owner("DELETE", f"{PATH}/entrants/1"), 409)
    assert done(owner.post(f"{PATH}/entrants/2/withdraw"))["state"] == "withdrawn"
    assert done(owner.post(f"{PATH}/entrants/2/come-back"))["state"] == "here"
    done(owner.post(f"{PATH}/rounds/1/finish", {"despite_open": True}))
    substituted = done(owner.post(f"{PATH}/entrants/3/substitute", {"guest": "Zora"}))
    assert substituted["name"] == "Zora"
    assert [
        (change["from_round"], change["left"]["name"], change["came"]["name"])
        for change in substituted["substitutions"]
    ] == [(2, "Carlo", "Zora")]
    # The draw of the first round shows its people.
    drawn = done(owner.get(f"{PATH}/draws/{Draw.objects.get().pk}"))
    assert "Carlo" in [seat["name"] for table in drawn["tables"] for seat in table["seats"]]
    assert is_problem(owner.post(f"{PATH}/entrants/3/substitute", {"guest": "Anna"}), 409, "entered")


def test_a_mistaken_entry_is_taken_out_before_the_first_draw(owner: ApiClient, entered: dict[str, Any]):
    drawn = done(owner.post(f"{PATH}/draws", {}))
    assert owner("DELETE", f"{PATH}/entrants/6").status_code == 204
    assert [entrant["number"] for entrant in done(owner.get(f"{PATH}/entrants"))["items"]] == [1, 2, 3, 4, 5]
    shown = done(owner.get(f"{PATH}/draws/{drawn['id']}"))
    gone = [seat for table in shown["tables"] for seat in table["seats"] if seat["number"] == 6]
    assert gone == [{"number": 6, "player": None, "name": ""}]
    assert is_problem(owner.post(f"{PATH}/draws/{drawn['id']}/publish"), 409)


@pytest.mark.parametrize("path", ["entrants", "ranking", "rounds/1/tables", "draws", "rounds/1/sheets"])
def test_longer_lists_cost_no_more_queries(people: Cast, owner: ApiClient, path: str):
    counts = []
    for size in (3, 12):
        tournament = create_tournament(people.home.club)
        entrants_of(tournament, size)
        current = create_round(tournament, {n + 1: [3 * n + 1, 3 * n + 2, 3 * n + 3] for n in range(size // 3)})
        for table in range(size // 3):
            hand_in(current, table + 1, (3, -3, 0))
        url = f"clubs/roessli/tournaments/{tournament.slug}/{path}"
        done(owner.get(url))
        with CaptureQueriesContext(connection) as caught:
            assert len(done(owner.get(url))["items"]) in (1, size, size // 3)
        counts.append(len(caught))
    assert counts[0] == counts[1] <= 20


def test_entrants_come_in_pages(owner: ApiClient, entered: dict[str, Any]):
    first = done(owner.get(f"{PATH}/entrants?limit=4"))
    second = done(owner.get(first["next"]))
    assert [entrant["number"] for entrant in [*first["items"], *second["items"]]] == [1, 2, 3, 4, 5, 6]
    assert second["next"] is None


@pytest.mark.both_databases
def test_a_draw_is_swapped_and_drawn_again(owner: ApiClient, entered: dict[str, Any]):
    first = done(owner.post(f"{PATH}/draws", {"seed": 1}))
    entrant, other = (table["seats"][0]["number"] for table in first["tables"])
    swapped = done(owner.post(f"{PATH}/draws/{first['id']}/swap", {"a": entrant, "b": other}))
    assert (swapped["kind"], swapped["number"], swapped["changes"][0]["swapped"]) == ("swapped", 2, [entrant, other])
    assert [table["seats"][0]["number"] for table in swapped["tables"]] == [other, entrant]
    assert is_problem(owner.post(f"{PATH}/draws/{first['id']}/publish"), 409, "newer")
    done(owner.post(f"{PATH}/draws/{swapped['id']}/publish"))
    done(owner.post(f"{PATH}/entrants", {"people": [{"guest": "Gret", "here": True}]}))
    again = done(owner.post(f"{PATH}/draws/again", {}))
    assert (again["kind"], again["round"], again["published"]) == ("redrawn", 1, False)
    assert {"number": 7, "arrived": True} in again["changes"]
    done(owner.post(f"{PATH}/draws/{again['id']}/publish"))
    listed = done(owner.get(f"{PATH}/draws?round=1"))["items"]
    assert [(line["number"], line["published"]) for line in listed] == [(1, False), (2, False), (3, True)]


def test_the_clock_of_a_round(owner: ApiClient, playing: dict[str, Any]):
    assert done(owner.get(f"{PATH}/rounds/1/clock"))["clock"]["remaining"] is None
    assert done(owner.post(f"{PATH}/rounds/1/pause"))["clock"]["running"] is False
    assert done(owner.post(f"{PATH}/rounds/1/resume"))["clock"]["running"] is True
    done(owner.post(f"{PATH}/rounds/1/minutes", {"minutes": 5}))
    assert done(owner.get(f"{PATH}/rounds/1"))["added_minutes"] == 5
    done(owner.post(f"{PATH}/rounds/1/minutes", {"minutes": -2}))
    assert done(owner.get(f"{PATH}/rounds/1"))["added_minutes"] == 3
    assert is_problem(owner.post(f"{PATH}/rounds/1/minutes", {"minutes": 0}), 422, "minutes")


def test_a_sheet_that_does_not_add_up_is_refused(owner: ApiClient, playing: dict[str, Any]):
    table = tables(owner)[0]
    answer = owner.post(f"{PATH}/rounds/1/sheets", sheet(table, (30, -10, -19)))
    assert is_problem(answer, 422, "sum")
    assert answer.json()["details"] == {"difference": 1}
    doubled = sheet(table)
    doubled["seats"][1]["number"] = doubled["seats"][0]["number"]
    assert is_problem(owner.post(f"{PATH}/rounds/1/sheets", doubled), 422, "seats")
    assert is_problem(owner.post(f"{PATH}/rounds/1/sheets", {**sheet(table), "table": 9}), 404, "table")
    assert not Sheet.objects.exists()


def test_sheets_that_differ_are_decided_by_the_desk(owner: ApiClient, api: ApiClient, playing: dict[str, Any]):
    table = tables(owner)[0]
    done(api.post(f"{PATH}/rounds/1/sheets", sheet(table)))
    done(owner.post(f"{PATH}/rounds/1/sheets", sheet(table, (20, -10, -10))))
    assert [row["progress"] for row in tables(owner)] == ["disagree", "waiting"]
    refused = owner.post(f"{PATH}/rounds/1/finish", {"despite_open": True})
    assert is_problem(refused, 409, "disagree")
    assert refused.json()["details"] == {"tables": [1]}
    done(owner.post(f"{PATH}/rounds/1/sheets", sheet(table, decides=True)))
    assert [(row["progress"], row["sheets"], row["sheet"]) for row in tables(owner)] == [
        ("done", 3, 3),
        ("waiting", 0, None),
    ]
    assert is_problem(owner.post(f"{PATH}/rounds/1/finish", {}), 409, "playing")
    done(owner.post(f"{PATH}/rounds/1/finish", {"despite_open": True}))


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("close", {"pot": "kitty"}),
        ("reopen", {"reason": "Oh"}),
        ("last-hand", {"on": True}),
    ],
)
def test_a_round_is_not_closed_as_an_evening(
    owner: ApiClient, playing: dict[str, Any], path: str, sent: dict[str, Any]
):
    current = Round.objects.get()
    before = stored(), Evening.objects.values().get(pk=current.evening_id)
    answer = owner.post(f"clubs/roessli/evenings/{current.evening_id}/{path}", sent)
    assert answer.status_code in (409, 422), answer.content
    assert (stored(), Evening.objects.values().get(pk=current.evening_id)) == before


def test_presets_and_the_outlook_of_a_format(owner: ApiClient, entered: dict[str, Any]):
    presets = done(owner.get("clubs/roessli/tournament-presets"))["items"]
    assert [preset["code"] for preset in presets][:2] == ["evening", "day"]
    seen = done(owner.get(f"{PATH}/outlook"))
    assert (seen["entrants"], seen["tables"], seen["rounds"]) == (6, [{"size": 3, "tables": 2}], 2)
    assert done(owner.get(f"{PATH}/outlook?entrants=2"))["refused"]
    assert is_problem(owner.get(f"{PATH}/outlook?entrants=0"), 400)


def test_a_key_that_may_only_read_writes_nothing(people: Cast, entered: dict[str, Any]):
    reader = ApiClient(key=key_for(people.home.owner, "read"))
    assert done(reader.get(PATH))["runs"] is False
    assert is_problem(reader.post(f"{PATH}/draws", {}), 403)
    assert done(reader.get(f"{PATH}/entrants/1"))["paid"] is None


def test_names_in_the_hall_are_chosen_and_refused_by_the_desk(
    owner: ApiClient, api: ApiClient, entered: dict[str, Any]
):
    assert done(owner.get(PATH))["names_shown"] is False
    assert done(owner("PATCH", PATH, {"names_shown": True}, match="*"))["names_shown"] is True
    assert done(owner("PATCH", f"{PATH}/entrants/1", {"name_hidden": True}, match="*"))["name_hidden"] is True
    assert Entrant.objects.exclude(name_hidden_since=None).get().number == 1
    seen = done(api.get(f"{PATH}/entrants/1"))
    assert seen["name_hidden"] is None, "for the desk alone"
