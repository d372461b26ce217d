"""An evening that was begun and played on a phone without a network, write by write."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.closing.services import evening_close
from games.evening.house_rules import house_rules_set
from games.evening.services import evening_start
from games.models import Happening, Revision, Table
from games.seating.changes import Arrive
from games.seating.services import Guest, carry_out
from league.ledger import club_accounts
from league.models import Account, AuditEntry, Evening, Player, Submission
from league.roster.merging import players_merge
from tests.cast import House
from tests.factories import FAILED, MADE, PlayerFactory, SeasonFactory, create_table, enter
from tests.games.night_writes import begin, hand, post, refused, seats, stored, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def roster(home: House) -> list[int]:
    return [PlayerFactory(club=home.club, nickname=name).pk for name in ("Anna", "Beni", "Carlo", "Doris")]


@pytest.fixture
def table(home: House) -> Table:
    return create_table(club=home.club, season=home.season, author=home.recorder)


# --- Begin -----------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_a_whole_night_arrives_with_keys_in_place_of_ids(recorder: Client, home: House, roster: list[int]) -> None:
    first = begin(home.season, [*roster[:3], "Fritz"])
    key = first["key"]
    fritz = f"{key}:3"
    comes = write("come", key, guest="Rosa", after=fritz)
    four, five = [*roster[:3], fritz], [*roster[:3], fritz, comes["key"]]
    walkover = {"declarer": 0, "joiners": []}
    night = [
        hand(key, 1, walkover, players=four),
        comes,
        hand(key, 2, walkover, players=five),
        write("dealer", key, player=comes["key"]),
        write("order", key, players=[five[1], five[0], *five[2:]]),
        write("pause", key),
        write("resume", key),
        write("leave", key, player=fritz),
        hand(key, 3, walkover, players=[roster[1], roster[0], roster[2], comes["key"]]),
    ]
    begun = stored(post(recorder, first))
    answers = [stored(post(recorder, entry)) for entry in night]
    table = Table.objects.get(pk=begun["table"])
    assert table.hands == 3
    assert seats(table)[-1] == Player.objects.get(nickname="Rosa").pk
    assert answers[-1]["number"] == 3
    again = [stored(post(recorder, entry)) for entry in [first, *night]]
    assert again == [begun, *answers]
    assert (Evening.objects.count(), Revision.objects.count(), Player.objects.filter(guest=True).count()) == (1, 3, 2)


def test_the_answer_names_the_players_whom_a_write_made(recorder: Client, home: House, roster: list[int]) -> None:
    first = begin(home.season, [*roster[:2], "Fritz"])
    begun = stored(post(recorder, first))
    fritz = Player.objects.get(nickname="Fritz")
    assert begun["players"][f"{first['key']}:2"] == {"player": fritz.pk, "name": "Fritz"}
    assert begun["at"] == begun["table_url"] == f"/c/roessli/t/{begun['table']}/"
    comes = write("come", first["key"], guest="Rosa", after=f"{first['key']}:2")
    answer = post(recorder, comes)
    assert stored(answer)["players"][comes["key"]]["name"] == "Rosa"
    assert answer.json()["snapshot"]["refs"] == {
        comes["key"]: Player.objects.get(nickname="Rosa").pk,
        **{f"{first['key']}:{seat}": player for seat, player in enumerate([*roster[:2], fritz.pk])},
    }
    assert {first["key"], comes["key"]} <= set(answer.json()["snapshot"]["keys"])


@pytest.mark.both_databases
def test_the_same_write_is_known_once_its_keys_became_ids(recorder: Client, home: House, roster: list[int]) -> None:
    first = begin(home.season, [*roster[:3], "Fritz"])
    table = Table.objects.get(pk=stored(post(recorder, first))["table"])
    entry = hand(first["key"], 1, players=[*roster[:3], f"{first['key']}:3"], record={"declarer": None})
    answer = stored(post(recorder, entry))
    now = entry | {"table": table.pk, "players": seats(table)}
    assert stored(post(recorder, now, table)) | {"players": {}} == answer | {"players": {}}
    assert Revision.objects.count() == 1


def test_the_evening_keeps_the_rules_by_which_the_phone_played(
    recorder: Client, home: House, roster: list[int]
) -> None:
    house_rules_set(club=home.club, game="chratze", values={"stake": 20}, author=None)
    house_rules_set(club=home.club, game="chratze", values={"stake": 50}, author=None)
    begun = stored(post(recorder, begin(home.season, roster, rules_version=1)))
    assert Evening.objects.get().house_rules.version == 1
    answer = recorder.get(f"/c/roessli/t/{begun['table']}/night/").json()
    assert (answer["evening"]["rules_version"], answer["evening"]["rules"]["stake"]) == (1, 20)


def test_unknown_rules_and_an_unknown_season_are_refused(recorder: Client, home: House, roster: list[int]) -> None:
    refused(post(recorder, begin(home.season, roster, rules_version=7)), 409, "rules")
    elsewhere = SeasonFactory()
    refused(post(recorder, begin(elsewhere, roster)), 409, "season")
    sitting = begin(home.season, [*roster[:2], PlayerFactory().pk])
    refused(post(recorder, sitting), 422, "seating")
    refused(post(recorder, begin(home.season, roster, held_on="9999-12-31")), 422, "held_on")
    assert not Evening.objects.exists()
    assert not Submission.objects.exists()


@pytest.mark.both_databases
def test_a_guest_with_a_new_player_is_that_player(recorder: Client, home: House, roster: list[int]) -> None:
    first = begin(home.season, [*roster[:2], "fritz"])
    fritz = PlayerFactory(club=home.club, nickname="Fritz")
    begun = stored(post(recorder, first))
    assert begun["players"][f"{first['key']}:2"] == {"player": fritz.pk, "name": "Fritz"}
    assert stored(post(recorder, first)) == begun
    assert Player.objects.count() == 5


def test_a_guest_whose_name_only_looks_like_another_one_gets_a_number(
    recorder: Client, home: House, roster: list[int]
) -> None:
    first = begin(home.season, [*roster[:2], "Annа"])
    comes = write("come", first["key"], guest="Вeni", after=roster[0])
    assert stored(post(recorder, first))["players"][f"{first['key']}:2"]["name"] == "Annа 2"
    assert stored(post(recorder, comes))["players"][comes["key"]]["name"] == "Вeni 2"


def test_two_who_turn_out_to_be_one_are_refused(recorder: Client, home: House, roster: list[int]) -> None:
    Player.objects.filter(pk=roster[0]).update(nickname="Fritz")
    refused(post(recorder, begin(home.season, [*roster[:2], "Fritz"])), 422, "seating")


@pytest.mark.both_databases
def test_a_player_merged_meanwhile_sits_as_the_other_one(recorder: Client, home: House, roster: list[int]) -> None:
    first = begin(home.season, roster[:3])
    main = PlayerFactory(club=home.club, nickname="Beat")
    beni = Player.objects.get(pk=roster[1])
    players_merge(club=home.club, player=beni, main=main, reason="the same", actor=None)
    begun = stored(post(recorder, first))
    assert begun["players"][str(roster[1])] == {"player": main.pk, "name": "Beat"}
    entry = hand(first["key"], players=roster[:3], record={"declarer": None})
    answer = stored(post(recorder, entry))
    assert answer["players"] == {str(roster[1]): {"player": main.pk, "name": "Beat"}}
    assert stored(post(recorder, entry)) == answer
    named = write("dealer", first["key"], player=roster[1])
    stored(post(recorder, named))
    assert Table.objects.get().dealer_id == main.pk
    # Sent again after that player has left, both are still the same requests.
    stored(post(recorder, write("leave", first["key"], player=main.pk)))
    stored(post(recorder, named))
    assert stored(post(recorder, entry))["number"] == 1


def left_over(home: House) -> int:
    """The coins in the box after an evening."""
    table = create_table(club=home.club, season=home.season, author=home.recorder)
    enter(table, FAILED)
    evening_close(evening=table.evening, pot="carry", author=None, key=uuid.uuid4())
    return club_accounts.held(home.club.pk, Account.Kind.BOX)


@pytest.mark.both_databases
def test_the_pot_of_the_last_evening_is_carried_over(recorder: Client, home: House, roster: list[int]) -> None:
    amount = left_over(home)
    answer = post(recorder, begin(home.season, roster, carry=True))
    assert stored(answer)["difference"] is None
    assert answer.json()["snapshot"]["table"]["pot_before"] == amount > 0


def test_an_emptied_box_has_a_notice_and_delays_nothing(recorder: Client, home: House, roster: list[int]) -> None:
    first = begin(home.season, roster, carry=True)
    answer = stored(post(recorder, first))
    assert "began empty" in answer["difference"]["sentence"]
    left_over(home)
    assert stored(post(recorder, first)) == answer


def test_beginning_is_logged_as_by_the_form(recorder: Client, home: House, roster: list[int]) -> None:
    post(recorder, begin(home.season, [*roster[:2], "Fritz"]))
    logged = AuditEntry.objects.filter(what__in=["evening_begun", "player_added"]).order_by("what")
    assert [entry.what for entry in logged] == ["evening_begun", "player_added"]


# --- Order -----------------------------------------------------------------------------------------------


def test_writes_after_a_missing_write_wait(recorder: Client, home: House, table: Table) -> None:
    lost = str(uuid.uuid4())
    assert (
        "has to arrive first"
        in refused(post(recorder, hand(lost, players=seats(table))), 409, "reference")["refused"]["sentence"]
    )
    refused(post(recorder, hand(table, players=[*seats(table)[:4], lost]), table), 409, "reference")
    refused(post(recorder, write("leave", table, player=f"{lost}:1"), table), 409, "reference")
    # A key that is known, but has made no player.
    known = hand(table)
    stored(post(recorder, known, table))
    refused(post(recorder, write("leave", table, player=known["key"]), table), 409, "reference")


@pytest.mark.both_databases
def test_the_keys_of_another_club_are_unknown(recorder: Client, table: Table, away_table: Table) -> None:
    away = Submission.objects.filter(club=away_table.evening.club).first()
    assert away is not None
    answer = refused(post(recorder, hand(str(away.key), players=[1, 2])), 409, "reference")
    assert answer["snapshot"] is None
    refused(post(recorder, hand(away_table, players=[1, 2])), 404, "table")
    key, guest = uuid.uuid4(), Guest("Fritz")
    carry_out(table=away_table, change=Arrive(0, seats(away_table)[0]), author=None, key=key, guest=guest)
    refused(post(recorder, write("leave", table, player=str(key)), table), 409, "reference")
    refused(post(recorder, write("leave", table, player=f"{away.key}:0"), table), 409, "reference")


@pytest.fixture
def away_table(home: House) -> Table:
    table = create_table()
    return evening_start(
        club=table.evening.club,
        season=table.evening.season,
        author=None,
        seating=[f"p{player}" for player in seats(table)],
        first_dealer=f"p{seats(table)[0]}",
        held_on=timezone.localdate(),
        key=uuid.uuid4(),
    )


# --- Seating ---------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_a_write_without_effect_is_accepted_once_and_changes_nothing_later(recorder: Client, table: Table) -> None:
    mine = write("pause", table)
    stored(post(recorder, write("pause", table), table))
    first = stored(post(recorder, mine, table))
    stored(post(recorder, write("resume", table), table))
    assert stored(post(recorder, mine, table)) == first
    assert Table.objects.get(pk=table.pk).paused_at is None
    assert Happening.objects.count() == 2


def test_another_seating_leads_to_both_stories(recorder: Client, table: Table) -> None:
    enter(table, MADE)
    anna = seats(table)[0]
    entry = hand(table, 2)
    stored(post(recorder, write("leave", table, player=anna), table))
    answer = refused(post(recorder, entry, table), 409, "seating")
    assert answer["stories"] == f"/c/roessli/t/{table.pk}/stories/?from=2"
    assert answer["snapshot"]["table"]["hands"] == 1
    refused(post(recorder, write("leave", table, player=anna), table), 409, "seating")


@pytest.mark.both_databases
def test_the_same_key_for_another_entry_is_refused(recorder: Client, table: Table) -> None:
    entry = write("dealer", table, player=seats(table)[0])
    stored(post(recorder, entry, table))
    refused(post(recorder, entry | {"player": seats(table)[1]}, table), 422, "key_reused")
    refused(post(recorder, write("pause", table) | {"key": entry["key"]}, table), 422, "key_reused")


def test_position_rises_with_every_write(recorder: Client, table: Table) -> None:
    positions = []
    for entry in (hand(table), write("pause", table), hand(table, 2, FAILED)):
        stored(post(recorder, entry, table))
        positions.append(recorder.get(f"/c/roessli/t/{table.pk}/night/").json()["table"]["position"])
    recorder.post(f"/c/roessli/t/{table.pk}/void/", {"key": str(uuid.uuid4()), "number": 2})
    positions.append(recorder.get(f"/c/roessli/t/{table.pk}/night/").json()["table"]["position"])
    assert positions == [1, 2, 3, 4]


def test_a_round_of_a_tournament_takes_hands_and_no_other_seats(recorder: Client, table: Table, home: House) -> None:
    """Its snapshot has no roster: a holder of a table card may not read the names of the club."""
    season: Any = table.evening.season
    type(season).every.filter(pk=season.pk).update(in_chips=True, points_only=True, ranking="points")
    refused(post(recorder, write("leave", table, player=seats(table)[0]), table), 409, "round")
    PlayerFactory(club=home.club, nickname="Zora")
    answer = post(recorder, hand(table), table)
    assert stored(answer)["number"] == 1
    assert answer.json()["snapshot"]["roster"] == []
    assert answer.json()["snapshot"]["club"]["currency"] == ""
