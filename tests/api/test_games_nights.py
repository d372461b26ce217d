"""Between the hands and after them, through the API: who comes and goes, hands put right, the difference finder, house
rules."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.audit import differences
from games.models import Correction, Happening, Revision, Table
from league.models import Evening, HouseRules, Player
from tests.api.asking import Asker, at, done, is_problem
from tests.factories import FAILED, MADE, TOLD, WALKOVER, PlayerFactory, body, enter, open_table

pytestmark = pytest.mark.django_db


def seated(table: Table) -> dict[str, int]:
    return {name: player for player, name in table.places.values_list("player_id", "player__nickname")}


# --- Between two hands -----------------------------------------------------------------------------------


def act(asks: Asker, table: Table, **fields: Any) -> Any:
    """The act, after what it would do was looked at; the names at the table then."""
    before = Happening.objects.count()
    plan = done(asks.post(at(table, "/acts/preview"), fields, key=""))
    assert Happening.objects.count() == before
    told = done(asks.post(at(table, "/acts"), fields))
    names = [seat["name"] for seat in told["tables"][0]["seats"]]
    assert [seat["name"] for seat in plan["tables"][0]["seats"]] == names
    assert plan["tables"][0]["next"] == told["tables"][0]["next"]
    return told


def test_people_come_go_and_change_seats(asks, table):
    who = seated(table)
    told = act(asks, table, act="arrive", guest="Zora", after=who["Beni"])
    assert [seat["name"] for seat in told["tables"][0]["seats"]] == ["Anna", "Beni", "Zora", "Carlo", "Doris", "Emil"]
    gian = PlayerFactory(club=table.evening.club, nickname="Gian")
    act(asks, table, act="arrive", player=gian.pk)
    told = act(asks, table, act="leave", player=who["Emil"])
    # Emil was to deal: the next one does.
    assert next(seat["name"] for seat in told["tables"][0]["seats"] if seat["deals"]) == "Gian"
    order = [seat["player"] for seat in told["tables"][0]["seats"]]
    told = act(asks, table, act="order", players=[order[1], order[0], *order[2:]])
    assert told["happening"]["kind"] == "swapped"
    told = act(asks, table, act="dealer", player=who["Anna"])
    assert told["tables"][0]["next"]["dealer"] == 1
    story = done(asks.get(at(table, "/acts")))["happenings"]
    assert [one["kind"] for one in story] == ["dealer", "swapped", "left", "arrived", "arrived"]
    assert list(differences()) == []


def test_a_pause_a_division_and_a_joining(asks, people):
    table = open_table(club=people.home.club, season=people.home.season, seats=7)
    who = seated(table)
    enter(table, {"declarer": 0, "joiners": [1], "made": [1]})
    assert act(asks, table, act="pause")["tables"][0]["state"] == "paused"
    assert act(asks, table, act="resume")["tables"][0]["state"] == "playing"
    goes = [who["Emil"], who["Franziska"], who["Gian"]]
    told = act(asks, table, act="split", players=goes, dealer=who["Gian"], pot="heads")
    _here, new = told["tables"]
    assert [seat["name"] for seat in new["seats"]] == ["Emil", "Franziska", "Gian"]
    assert new["next"]["pot_before_minor"] > 0
    told = done(asks.post(at(table, "/acts"), {"act": "merge", "into": new["id"], "after": who["Gian"]}))
    assert [one["state"] for one in told["tables"]] == ["joined", "playing"]
    assert told["tables"][0]["next"] is None
    assert len(told["tables"][1]["seats"]) == 7
    assert is_problem(asks.post(at(table, "/acts"), {"act": "pause"}), 409, "dissolved")
    assert list(differences()) == []


def test_an_act_is_done_once_a_key(asks, table):
    key, sent = uuid.uuid4(), {"act": "arrive", "guest": "Zora"}
    first = asks.post(at(table, "/acts"), sent, key=key)
    act(asks, table, act="pause")
    again = asks.post(at(table, "/acts"), sent, key=key)
    assert (again.status_code, again.content) == (201, first.content)
    assert Player.objects.filter(nickname="Zora").count() == 1


NO_ACTS = [
    ({"act": "arrive"}, 422, "R1"),
    ({"act": "arrive", "player": 10**9}, 422, "player"),
    ({"act": "leave", "player": 10**9}, 409, "seating"),
    ({"act": "leave"}, 422, "R1"),
    ({"act": "pause", "player": 1}, 422, "R1"),
    ({"act": "resume"}, 409, "same"),
    ({"act": "split", "players": [10**9]}, 409, "seating"),
    ({"act": "merge", "into": 10**9}, 409, "table"),
]


@pytest.mark.parametrize(("sent", "status", "code"), NO_ACTS)
def test_an_act_that_cannot_be_changes_nothing(asks, table, sent, status, code):
    for path in ("/acts", "/acts/preview"):
        assert is_problem(asks.post(at(table, path), sent), status, code)
    assert not Happening.objects.exists()


# --- Hands put right -------------------------------------------------------------------------------------


def mend(asks: Asker, table: Table, **fields: Any) -> Any:
    """The correction, after what it would change was looked at."""
    before = set(Revision.objects.values_list("pk", flat=True))
    plan = done(asks.post(at(table, "/corrections/preview"), fields, key=""))
    assert Revision.objects.count() == len(before)
    told = done(asks.post(at(table, "/corrections"), fields | {"seen": plan["seen"], "reason": "tapped the wrong row"}))
    assert told["players"] == sorted(plan["players"], key=lambda one: one["player"])
    # What is only another number is written anew, and is no change to be told.
    written = Revision.objects.exclude(pk__in=before).values("hand").distinct().count()
    assert told["hands"] == written >= len(plan["hands"])
    assert list(differences()) == []
    return told


def test_a_hand_is_changed_and_the_later_ones_replay(asks, table):
    enter(table, FAILED)
    enter(table, MADE)
    told = mend(asks, table, kind="changed", number=1, players=body(table, MADE)["players"], record=MADE)
    assert (told["kind"], told["hands"], told["reason"]) == ("changed", 2, "tapped the wrong row")
    assert done(asks.get(at(table, "/hands/2")))["pot_minor"] == 100
    events = done(asks.get(at(table, "/hands/1/history")))["events"]
    assert [event["kind"] for event in events] == ["corrected", "entered"]
    assert (events[0]["before"]["pot_after_minor"], events[0]["after"]["pot_after_minor"]) == (200, 0)
    assert events[0]["correction"]["id"] == told["id"]
    [listed] = done(asks.get(f"clubs/roessli/evenings/{table.evening_id}/corrections"))["corrections"]
    assert listed == told


def test_hands_are_taken_out_put_in_and_moved(asks, table):
    for record in (FAILED, MADE, WALKOVER):
        enter(table, record)
    players = body(table, MADE)["players"]
    assert mend(asks, table, kind="voided", number=2)["kind"] == "voided"
    assert done(asks.get(at(table)))["hands"] == 2
    assert mend(asks, table, kind="inserted", number=2, players=players, record=MADE)["kind"] == "inserted"
    assert mend(asks, table, kind="moved", number=3, to=1)["kind"] == "moved"
    outcomes = [hand["outcome"] for hand in done(asks.get(at(table, "/hands")))["items"]]
    assert outcomes == ["played", "played", "walkover"]


def test_other_people_sat_there(asks, table):
    enter(table, FAILED)
    who = seated(table)
    told = mend(
        asks, table, kind="seats", number=1, last=1, who=[[who["Anna"], who["Beni"]], [who["Beni"], who["Anna"]]]
    )
    assert told["kind"] == "seats"
    assert [seat["name"] for seat in done(asks.get(at(table, "/hands/1")))["seats"]][:2] == ["Beni", "Anna"]


def test_a_stored_record_can_be_sent_back_with_one_change(asks, table):
    """What the table knows by itself is not read from it."""
    enter(table, TOLD)
    hand = done(asks.get(at(table, "/hands/1")))
    record = hand["record"] | {"calls": [[0, "weg"], [1, "chratze"], *([seat, "weg"] for seat in (2, 3, 4, 0))]}
    mend(asks, table, kind="changed", number=1, players=[seat["player"] for seat in hand["seats"]], record=record)
    assert done(asks.get(at(table, "/hands/1")))["seats"][1]["role"] == "declarer"


def test_a_correction_is_stored_once_a_key(asks, table):
    enter(table, FAILED)
    sent, key = {"kind": "changed", "number": 1, "players": body(table, MADE)["players"], "record": MADE}, uuid.uuid4()
    first = asks.post(at(table, "/corrections"), sent, key=key)
    again = asks.post(at(table, "/corrections"), sent, key=key)
    assert (first.status_code, again.status_code, again.content) == (201, 201, first.content)
    assert Correction.objects.count() == 1


def test_a_correction_of_hands_that_moved_on_is_refused(asks, table):
    enter(table, FAILED)
    sent = {"kind": "voided", "number": 1}
    seen = done(asks.post(at(table, "/corrections/preview"), sent))["seen"]
    enter(table, MADE)
    assert is_problem(asks.post(at(table, "/corrections"), sent | {"seen": seen}), 409, "moved_on")
    assert not Correction.objects.exists()


NO_CORRECTIONS = [
    ({"kind": "voided", "number": 9}, 404, "number"),
    ({"kind": "moved", "number": 1}, 422, "R1"),
    ({"kind": "voided", "number": 1, "to": 2}, 422, "R1"),
    ({"kind": "changed", "number": 1, "players": [10**9, 10**9 + 1], "record": WALKOVER}, 422, "seating"),
    ({"kind": "seats", "number": 1, "last": 1, "who": [[10**9, 10**9 + 1]]}, 409, "same"),
]


@pytest.mark.parametrize(("sent", "status", "code"), NO_CORRECTIONS)
def test_a_correction_that_cannot_be_changes_nothing(asks, table, sent, status, code):
    enter(table, FAILED)
    for path in ("/corrections", "/corrections/preview"):
        assert is_problem(asks.post(at(table, path), sent), status, code)
    assert Revision.objects.count() == 1


def test_nobody_of_another_club_is_put_into_a_seat(asks, table):
    enter(table, FAILED)
    sat = table.places.order_by("seat").values_list("player_id", flat=True)[0]
    for stranger in (PlayerFactory().pk, 10**9):
        sent = {"kind": "seats", "number": 1, "last": 1, "who": [[sat, stranger]]}
        assert is_problem(asks.post(at(table, "/corrections"), sent), 422, "seating")
    assert Revision.objects.count() == 1


def test_what_the_rulebook_refuses_in_a_correction_names_clause_and_seat(asks, table):
    enter(table, FAILED)
    record = {"declarer": 0, "joiners": [0], "made": [0]}
    sent = {"kind": "changed", "number": 1, "players": body(table, MADE)["players"], "record": record}
    told = asks.post(at(table, "/corrections"), sent).json()
    assert (told["status"], told["clause"], told["at"], told["seat"]) == (422, "R3", "joiners[0]", 0)


def test_a_later_hand_that_becomes_impossible_is_named(asks, people):
    table = open_table(club=people.home.club, season=people.home.season, seats=4, game="kratzen")
    from tests.factories import FREE, MUSS

    enter(table, MUSS)
    enter(table, FREE)
    answer = asks.post(at(table, "/corrections"), {"kind": "voided", "number": 1})
    assert is_problem(answer, 409, "later")
    assert answer.json()["details"]["number"] == 2


def test_a_final_evening_takes_no_correction(asks, table):
    enter(table, FAILED)
    done(asks.post(f"clubs/roessli/evenings/{table.evening_id}/close", {"pot": "carry"}))
    Evening.objects.update(final_at=timezone.now() - timedelta(hours=1))
    assert is_problem(asks.post(at(table, "/corrections"), {"kind": "voided", "number": 1}), 409, "final")


# --- The difference finder -------------------------------------------------------------------------------


def test_a_guess_of_the_finder_can_be_sent_as_a_correction(asks, table):
    enter(table, FAILED)
    told = done(asks.get(at(table, "/difference?pot_minor=100"), Accept_Language="en"))
    assert told["pot"] == {"counted_minor": 100, "due_minor": 300, "gap_minor": -200}
    guess = next(one for one in told["guesses"] if one["kind"] == "made")
    assert guess["told"] == "Anna made it."
    mend(asks, table, **guess["correction"])
    assert done(asks.get(at(table, "/difference?pot_minor=100")))["agrees"] is True


def test_the_finder_takes_a_purse_and_says_what_is_missing(asks, table):
    enter(table, FAILED)
    anna = seated(table)["Anna"]
    told = done(asks.get(at(table, f"/difference?player={anna}&purse_minor=-220&antes_in=false")))
    assert (told["purse"]["gap_minor"], told["pot"]) == (0, None)
    for query in ("", "?pot_minor=-1", "?pot_minor=x", f"?player={anna}", "?pot_minor=1&antes_in=perhaps",
                  "?player=999999999&purse_minor=1", "?colour=red"):  # fmt: skip
        assert is_problem(asks.get(at(table, f"/difference{query}")), 400), query


# --- House rules -----------------------------------------------------------------------------------------


def test_house_rules_are_read_compared_and_followed_by_the_next_version(asks, owner, table):
    told = done(asks.get("clubs/roessli/rules?game=chratze"))
    assert (told["version"], told["values"]["stake"], told["versions"][0]["evenings"]) == (1, 20, 1)
    other = {"game": "chratze", "values": {"stake": 50}}
    preview = done(owner.post("clubs/roessli/rules/preview", other))
    assert (preview["version"], HouseRules.objects.count()) == (2, 1)
    assert any(line["before"] for line in preview["lines"])
    assert any(one["differs"] for one in preview["situations"])
    answer = owner.post("clubs/roessli/rules", other | {"follows": 1})
    assert (answer.status_code, answer.json()["version"]) == (201, 2)
    assert HouseRules.objects.get(version=2).values == {"stake": 50}
    assert is_problem(owner.post("clubs/roessli/rules", other | {"follows": 1}), 409, "version")
    assert is_problem(owner.post("clubs/roessli/rules", other | {"follows": 2}), 422, "same")
    assert done(asks.get("clubs/roessli/rules?game=chratze&version=1"))["values"]["stake"] == 20
    assert is_problem(asks.get("clubs/roessli/rules?game=chratze&version=9"), 404)


@pytest.mark.parametrize(
    "values",
    [{"stake": 0}, {"stake": "20"}, {"stake": 1.5}, {"stake": True}, {"colour": 1}, {"rounding": 7}, {"stake": None},
     {"pot_limit": 5}, {"susi": []}, {"max_turns": 99}],
)  # fmt: skip
def test_house_rules_that_cannot_be_are_refused(owner, table, values):
    for path, more in (("rules/preview", {}), ("rules", {"follows": 1}), ("seasons/2026/replay", {})):
        answer = owner.post(f"clubs/roessli/{path}", {"game": "chratze", "values": values} | more)
        assert is_problem(answer, 422, "R4"), path
    assert HouseRules.objects.count() == 1


def test_a_season_is_replayed_under_other_rules_and_nothing_is_stored(owner, table):
    enter(table, FAILED)
    before = Revision.objects.count()
    told = done(owner.post("clubs/roessli/seasons/2026/replay", {"game": "chratze", "values": {"stake": 50}}, key=""))
    assert (told["hands"], told["changed"]) == (1, 1)
    assert sum(one["new_minor"] for one in told["accounts"]) + told["new_pots_minor"] == 0
    assert Revision.objects.count() == before
