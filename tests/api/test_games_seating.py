"""Seating changes, corrections, the difference finder and house rules, through the API."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.integrity.verify import differences
from games.models import Correction, Happening, Revision, Table
from league.models import Evening, HouseRules, Player
from tests.api.api_client import ApiClient, at, done, is_problem
from tests.factories import FAILED, MADE, WALKOVER, WITH_CARDS, PlayerFactory, body, create_table, enter

pytestmark = pytest.mark.django_db


def seated(table: Table) -> dict[str, int]:
    return {name: player for player, name in table.places.values_list("player_id", "player__nickname")}


# --- Seating changes -----------------------------------------------------------------------------------


def change_seating(api: ApiClient, table: Table, **fields: Any) -> Any:
    """Preview and store a seating change; both must agree."""
    before = Happening.objects.count()
    plan = done(api.post(at(table, "/seating-changes/preview"), fields, key=""))
    assert Happening.objects.count() == before
    got = done(api.post(at(table, "/seating-changes"), fields))
    names = [seat["name"] for seat in got["tables"][0]["seats"]]
    assert [seat["name"] for seat in plan["tables"][0]["seats"]] == names
    assert plan["tables"][0]["next"] == got["tables"][0]["next"]
    return got


@pytest.mark.both_databases
def test_people_come_go_and_change_seats(api, table):
    who = seated(table)
    got = change_seating(api, table, kind="arrive", guest="Zora", after=who["Beni"])
    assert [seat["name"] for seat in got["tables"][0]["seats"]] == ["Anna", "Beni", "Zora", "Carlo", "Doris", "Emil"]
    gian = PlayerFactory(club=table.evening.club, nickname="Gian")
    change_seating(api, table, kind="arrive", player=gian.pk)
    got = change_seating(api, table, kind="leave", player=who["Emil"])
    # Emil was the next dealer; the player after him takes his place.
    assert next(seat["name"] for seat in got["tables"][0]["seats"] if seat["deals"]) == "Gian"
    order = [seat["player"] for seat in got["tables"][0]["seats"]]
    got = change_seating(api, table, kind="order", players=[order[1], order[0], *order[2:]])
    assert got["happening"]["kind"] == "swapped"
    got = change_seating(api, table, kind="dealer", player=who["Anna"])
    assert got["tables"][0]["next"]["dealer"] == 1
    timeline = done(api.get(at(table, "/seating-changes")))["items"]
    assert [change["kind"] for change in timeline] == ["dealer", "swapped", "left", "arrived", "arrived"]
    assert list(differences()) == []


@pytest.mark.both_databases
def test_a_table_is_paused_split_and_merged(api, people):
    table = create_table(club=people.home.club, season=people.home.season, seats=7)
    who = seated(table)
    enter(table, {"declarer": 0, "joiners": [1], "made": [1]})
    assert change_seating(api, table, kind="pause")["tables"][0]["state"] == "paused"
    assert change_seating(api, table, kind="resume")["tables"][0]["state"] == "playing"
    goes = [who["Emil"], who["Franziska"], who["Gian"]]
    got = change_seating(api, table, kind="split", players=goes, dealer=who["Gian"], pot="heads")
    _here, new = got["tables"]
    assert [seat["name"] for seat in new["seats"]] == ["Emil", "Franziska", "Gian"]
    assert new["next"]["pot_before_minor"] > 0
    got = done(api.post(at(table, "/seating-changes"), {"kind": "merge", "into": new["id"], "after": who["Gian"]}))
    assert [row["state"] for row in got["tables"]] == ["merged", "playing"]
    assert got["tables"][0]["next"] is None
    assert len(got["tables"][1]["seats"]) == 7
    assert is_problem(api.post(at(table, "/seating-changes"), {"kind": "pause"}), 409, "dissolved")
    assert list(differences()) == []


@pytest.mark.both_databases
def test_a_seating_change_is_stored_once_for_one_key(api, table):
    key, sent = uuid.uuid4(), {"kind": "arrive", "guest": "Zora"}
    first = api.post(at(table, "/seating-changes"), sent, key=key)
    change_seating(api, table, kind="pause")
    again = api.post(at(table, "/seating-changes"), sent, key=key)
    assert (again.status_code, again.content) == (201, first.content)
    assert Player.objects.filter(nickname="Zora").count() == 1


IMPOSSIBLE_CHANGES = [
    ({"kind": "arrive"}, 422, "R1"),
    ({"kind": "arrive", "player": 10**9}, 422, "player"),
    ({"kind": "leave", "player": 10**9}, 409, "seating"),
    ({"kind": "leave"}, 422, "R1"),
    ({"kind": "pause", "player": 1}, 422, "R1"),
    ({"kind": "resume"}, 409, "same"),
    ({"kind": "split", "players": [10**9]}, 409, "seating"),
    ({"kind": "merge", "into": 10**9}, 409, "table"),
]


@pytest.mark.parametrize(("sent", "status", "code"), IMPOSSIBLE_CHANGES)
def test_an_impossible_seating_change_stores_nothing(api, table, sent, status, code):
    for path in ("/seating-changes", "/seating-changes/preview"):
        assert is_problem(api.post(at(table, path), sent), status, code)
    assert not Happening.objects.exists()


# --- Corrections -------------------------------------------------------------------------------------


def correct(api: ApiClient, table: Table, **fields: Any) -> Any:
    """Preview and store a correction; both must agree."""
    before = set(Revision.objects.values_list("pk", flat=True))
    plan = done(api.post(at(table, "/corrections/preview"), fields, key=""))
    assert Revision.objects.count() == len(before)
    got = done(
        api.post(
            at(table, "/corrections"), fields | {"fingerprint": plan["fingerprint"], "reason": "tapped the wrong row"}
        )
    )
    assert got["players"] == sorted(plan["players"], key=lambda entry: entry["player"])
    # A hand with only a new number gets a new revision, and is not in the preview.
    written = Revision.objects.exclude(pk__in=before).values("hand").distinct().count()
    assert got["hands"] == written >= len(plan["hands"])
    assert list(differences()) == []
    return got


@pytest.mark.both_databases
def test_a_hand_is_changed_and_the_later_ones_replay(api, table):
    enter(table, FAILED)
    enter(table, MADE)
    got = correct(api, table, kind="changed", number=1, players=body(table, MADE)["players"], record=MADE)
    assert (got["kind"], got["hands"], got["reason"]) == ("changed", 2, "tapped the wrong row")
    assert done(api.get(at(table, "/hands/2")))["pot_minor"] == 100
    events = done(api.get(at(table, "/hands/1/history")))["items"]
    assert [event["kind"] for event in events] == ["corrected", "entered"]
    assert (events[0]["before"]["pot_after_minor"], events[0]["after"]["pot_after_minor"]) == (200, 0)
    assert events[0]["correction"]["id"] == got["id"]
    [listed] = done(api.get(f"clubs/roessli/evenings/{table.evening_id}/corrections"))["items"]
    assert listed == got


@pytest.mark.both_databases
def test_hands_are_taken_out_put_in_and_moved(api, table):
    for record in (FAILED, MADE, WALKOVER):
        enter(table, record)
    players = body(table, MADE)["players"]
    assert correct(api, table, kind="voided", number=2)["kind"] == "voided"
    assert done(api.get(at(table)))["hands"] == 2
    assert correct(api, table, kind="inserted", number=2, players=players, record=MADE)["kind"] == "inserted"
    assert correct(api, table, kind="moved", number=3, to=1)["kind"] == "moved"
    outcomes = [hand["outcome"] for hand in done(api.get(at(table, "/hands")))["items"]]
    assert outcomes == ["played", "played", "walkover"]


@pytest.mark.both_databases
def test_two_players_of_a_hand_are_swapped(api, table):
    enter(table, FAILED)
    who = seated(table)
    got = correct(
        api, table, kind="seats", number=1, last=1, who=[[who["Anna"], who["Beni"]], [who["Beni"], who["Anna"]]]
    )
    assert got["kind"] == "seats"
    assert [seat["name"] for seat in done(api.get(at(table, "/hands/1")))["seats"]][:2] == ["Beni", "Anna"]


def test_a_stored_record_can_be_sent_back_with_one_change(api, table):
    """The fields that the table knows are ignored."""
    enter(table, WITH_CARDS)
    hand = done(api.get(at(table, "/hands/1")))
    record = hand["record"] | {"calls": [[0, "weg"], [1, "chratze"], *([seat, "weg"] for seat in (2, 3, 4, 0))]}
    correct(api, table, kind="changed", number=1, players=[seat["player"] for seat in hand["seats"]], record=record)
    assert done(api.get(at(table, "/hands/1")))["seats"][1]["role"] == "declarer"


@pytest.mark.both_databases
def test_a_correction_is_stored_once_for_one_key(api, table):
    enter(table, FAILED)
    sent, key = {"kind": "changed", "number": 1, "players": body(table, MADE)["players"], "record": MADE}, uuid.uuid4()
    first = api.post(at(table, "/corrections"), sent, key=key)
    again = api.post(at(table, "/corrections"), sent, key=key)
    assert (first.status_code, again.status_code, again.content) == (201, 201, first.content)
    assert Correction.objects.count() == 1


@pytest.mark.both_databases
def test_a_correction_of_hands_that_have_changed_is_refused(api, table):
    enter(table, FAILED)
    sent = {"kind": "voided", "number": 1}
    fingerprint = done(api.post(at(table, "/corrections/preview"), sent))["fingerprint"]
    enter(table, MADE)
    assert is_problem(api.post(at(table, "/corrections"), sent | {"fingerprint": fingerprint}), 409, "moved_on")
    assert not Correction.objects.exists()


IMPOSSIBLE_CORRECTIONS = [
    ({"kind": "voided", "number": 9}, 404, "number"),
    ({"kind": "moved", "number": 1}, 422, "R1"),
    ({"kind": "voided", "number": 1, "to": 2}, 422, "R1"),
    ({"kind": "changed", "number": 1, "players": [10**9, 10**9 + 1], "record": WALKOVER}, 422, "seating"),
    ({"kind": "seats", "number": 1, "last": 1, "who": [[10**9, 10**9 + 1]]}, 409, "same"),
]


@pytest.mark.parametrize(("sent", "status", "code"), IMPOSSIBLE_CORRECTIONS)
def test_an_impossible_correction_stores_nothing(api, table, sent, status, code):
    enter(table, FAILED)
    for path in ("/corrections", "/corrections/preview"):
        assert is_problem(api.post(at(table, path), sent), status, code)
    assert Revision.objects.count() == 1


def test_a_player_of_another_club_gets_no_seat(api, table):
    enter(table, FAILED)
    sat = table.places.order_by("seat").values_list("player_id", flat=True)[0]
    for stranger in (PlayerFactory().pk, 10**9):
        sent = {"kind": "seats", "number": 1, "last": 1, "who": [[sat, stranger]]}
        assert is_problem(api.post(at(table, "/corrections"), sent), 422, "seating")
    assert Revision.objects.count() == 1


def test_a_correction_refused_by_the_rulebook_names_clause_and_seat(api, table):
    enter(table, FAILED)
    record = {"declarer": 0, "joiners": [0], "made": [0]}
    sent = {"kind": "changed", "number": 1, "players": body(table, MADE)["players"], "record": record}
    got = api.post(at(table, "/corrections"), sent).json()
    assert (got["status"], got["clause"], got["at"], got["seat"]) == (422, "R3", "joiners[0]", 0)


def test_a_later_hand_that_becomes_impossible_is_named(api, people):
    table = create_table(club=people.home.club, season=people.home.season, seats=4, game="kratzen")
    from tests.factories import FREE, MUSS

    enter(table, MUSS)
    enter(table, FREE)
    answer = api.post(at(table, "/corrections"), {"kind": "voided", "number": 1})
    assert is_problem(answer, 409, "later")
    assert answer.json()["details"]["number"] == 2


def test_a_final_evening_takes_no_correction(api, table):
    enter(table, FAILED)
    done(api.post(f"clubs/roessli/evenings/{table.evening_id}/close", {"pot": "carry"}))
    Evening.objects.update(final_at=timezone.now() - timedelta(hours=1))
    assert is_problem(api.post(at(table, "/corrections"), {"kind": "voided", "number": 1}), 409, "final")


# --- The difference finder -------------------------------------------------------------------------------


def test_a_guess_of_the_finder_can_be_sent_as_a_correction(api, table):
    enter(table, FAILED)
    got = done(api.get(at(table, "/difference-finder?pot_minor=100"), Accept_Language="en"))
    assert got["pot"] == {"counted_minor": 100, "expected_minor": 300, "gap_minor": -200}
    guess = next(candidate for candidate in got["guesses"] if candidate["kind"] == "made")
    assert guess["sentence"] == "Anna made it."
    correct(api, table, **guess["correction"])
    assert done(api.get(at(table, "/difference-finder?pot_minor=100")))["agrees"] is True


def test_the_finder_takes_the_gain_of_a_player_and_names_a_missing_parameter(api, table):
    enter(table, FAILED)
    anna = seated(table)["Anna"]
    got = done(api.get(at(table, f"/difference-finder?player={anna}&balance_minor=-220&antes_in=false")))
    assert (got["balance"]["gap_minor"], got["pot"]) == (0, None)
    for query in ("", "?pot_minor=-1", "?pot_minor=x", f"?player={anna}", "?pot_minor=1&antes_in=perhaps",
                  "?player=999999999&balance_minor=1", "?colour=red"):  # fmt: skip
        assert is_problem(api.get(at(table, f"/difference-finder{query}")), 400), query


# --- House rules -----------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_house_rules_are_read_compared_and_followed_by_the_next_version(api, owner, table):
    got = done(api.get("clubs/roessli/rules?game=chratze"))
    assert (got["version"], got["values"]["stake"], got["versions"][0]["evenings"]) == (1, 20, 1)
    other = {"game": "chratze", "values": {"stake": 50}}
    preview = done(owner.post("clubs/roessli/rules/preview", other))
    assert (preview["version"], HouseRules.objects.count()) == (2, 1)
    assert any(line["before"] for line in preview["lines"])
    assert any(situation["differs"] for situation in preview["situations"])
    answer = owner.post("clubs/roessli/rules", other | {"follows": 1})
    assert (answer.status_code, answer.json()["version"]) == (201, 2)
    assert HouseRules.objects.get(version=2).values == {"stake": 50}
    assert is_problem(owner.post("clubs/roessli/rules", other | {"follows": 1}), 409, "version")
    assert is_problem(owner.post("clubs/roessli/rules", other | {"follows": 2}), 422, "same")
    assert done(api.get("clubs/roessli/rules?game=chratze&version=1"))["values"]["stake"] == 20
    assert is_problem(api.get("clubs/roessli/rules?game=chratze&version=9"), 404)


@pytest.mark.parametrize(
    "values",
    [{"stake": 0}, {"stake": "20"}, {"stake": 1.5}, {"stake": True}, {"colour": 1}, {"rounding": 7}, {"stake": None},
     {"pot_limit": 5}, {"susi": []}, {"max_turns": 99}],
)  # fmt: skip
def test_invalid_house_rules_are_refused(owner, table, values):
    for path, more in (("rules/preview", {}), ("rules", {"follows": 1}), ("seasons/2026/replay", {})):
        answer = owner.post(f"clubs/roessli/{path}", {"game": "chratze", "values": values} | more)
        assert is_problem(answer, 422, "R4"), path
    assert HouseRules.objects.count() == 1


@pytest.mark.both_databases
def test_a_season_is_replayed_under_other_rules_and_nothing_is_stored(owner, table):
    enter(table, FAILED)
    before = Revision.objects.count()
    got = done(owner.post("clubs/roessli/seasons/2026/replay", {"game": "chratze", "values": {"stake": 50}}, key=""))
    assert (got["hands"], got["changed"]) == (1, 1)
    assert sum(account["new_minor"] for account in got["accounts"]) + got["new_pots_minor"] == 0
    assert Revision.objects.count() == before
