"""The screen of the desk: a whole tournament, the next step, the clock, sheets, and several desks at once."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import DeskMember, Draw, Entrant, Round, Sheet, Tournament
from tests.tournaments.desk_pages import FORMAT, Desk

pytestmark = pytest.mark.django_db


def playing(desk: Desk, **parts: Any) -> dict[int, list[int]]:
    """Begin the first round; return the start numbers by table."""
    desk.do("tournament-setup", "format", **(FORMAT | parts))
    desk.publish()
    desk.do("tournament-round", "start", round=1)
    return {table["number"]: table["seats"] for table in Round.objects.get().draw.plan["tables"]}


def sent(seats: list[int], *amounts: int, pot: int = 0) -> dict[str, Any]:
    return {f"chips-{seat}": amount for seat, amount in zip(seats, amounts, strict=True)} | {"pot": pot}


def test_a_tournament_runs_on_the_pages_from_the_preset_to_the_end(people):
    desk = Desk(people)
    desk.create()
    assert "in preparation" in desk.get("tournament-setup")
    desk.enter()
    assert Entrant.objects.filter(checked_in_at__isnull=False).count() == 8
    desk.do("tournament-setup", "format", **FORMAT)
    for number in (1, 2):
        assert f"Draw round {number}" in desk.get()
        desk.publish()
        assert f"Start round {number}" in desk.get()
        desk.play(number)
        assert f"Finish round {number}" in desk.get()
        desk.do("tournament-round", "finish", round=number)
    assert "Finish the tournament" in desk.get()
    desk.do("tournament-setup", "finish")
    assert Tournament.objects.get().state == "finished"
    assert Sheet.objects.count() == 4
    desk.get()


def test_a_final_is_drawn_for_the_best_once_all_rounds_are_finished(desk):
    desk.do("tournament-setup", "format", **(FORMAT | {"rounds": 1, "final_places": 4}))
    desk.publish()
    desk.play(1)
    assert "Then: draw the final." in desk.get()
    desk.do("tournament-round", "finish", round=1)
    assert "Draw the final" in desk.get()
    desk.publish()
    table = Round.objects.get(number=2).draw.plan["tables"][0]
    assert len(table["seats"]) == 4
    desk.play(2)
    desk.do("tournament-round", "finish", round=2)
    assert "Finish the tournament" in desk.get()


def test_a_recorder_who_is_not_named_has_no_desk(people, desk):
    recorder = Desk(people, "recorder")
    assert recorder.client.get(recorder.url("tournament-desk")).status_code == 403
    assert recorder.client.post(recorder.url("tournament-check-in"), {"who": "1"}).status_code == 403
    desk.do("tournament-setup", "member", user=people.home.recorder.pk, member="yes")
    assert recorder.client.get(recorder.url("tournament-desk")).status_code == 200
    recorder.do("tournament-setup", "member", user=people.home.treasurer.pk, member="yes", status=403)
    assert DeskMember.objects.count() == 1


def test_one_in_preparation_is_not_found_by_others(people):
    Desk(people).create()
    other, member = Desk(people, "recorder"), Desk(people, "member")
    assert other.client.get(other.url("tournament-desk")).status_code == 404
    assert "Klausturnier" not in member.client.get("/c/roessli/tournaments/").content.decode()
    Desk(people).do("tournament-setup", "open")
    assert "Klausturnier" in member.client.get("/c/roessli/tournaments/").content.decode()


def test_the_same_form_sent_twice_is_stored_once(desk):
    key = str(uuid.uuid4())
    playing(desk, minutes=30)
    for _time in range(2):
        desk.post("tournament-round", {"minutes": 5, "round": 1, "key": key})
    assert Round.objects.get().added_seconds == 300
    desk.post("tournament-round", {"minutes": 5, "round": 1})
    assert Round.objects.get().added_seconds == 600


@pytest.mark.parametrize("key", ["no key", "123"])
def test_a_form_with_an_invalid_key_is_refused(desk, key):
    desk.post("tournament-entrants", {"names": "Zoe", "key": key}, status=422)
    desk.post("tournament-draw", {"do": "draw", "key": key}, status=422)
    assert Entrant.objects.count() == 8
    assert Draw.objects.count() == 0


@pytest.mark.parametrize("minutes", ["", "viel", "0", "601", "1.5"])
def test_invalid_minutes_are_refused(desk, minutes):
    playing(desk, minutes=30)
    desk.post("tournament-round", {"round": 1, "minutes": minutes}, status=422)
    assert Round.objects.get().added_seconds == 0


def test_objects_of_another_tournament_are_not_found(people, desk):
    playing(desk)
    for path in ("round/2/table/1/", "round/1/table/9/", "entrants/99/"):
        assert desk.client.get(desk.url("tournament-desk") + path).status_code == 404
    other = Desk(people, tournament="klausturnier-2")
    other.create()
    proposed = Draw.objects.get()
    other.do("tournament-setup", "open")
    assert "Reload the page" in other.do("tournament-draw", "publish", draw=proposed.pk, status=422)


def test_the_clock_stops_and_goes_on(desk):
    playing(desk, minutes=30)
    assert Round.objects.get().running_since is not None
    desk.do("tournament-round", "pause", round=1)
    assert Round.objects.get().running_since is None
    assert "paused" in desk.get()
    desk.do("tournament-round", "resume", round=1)
    assert Round.objects.get().running_since is not None


def test_a_start_is_taken_back_while_nothing_was_played(desk):
    seats = playing(desk)
    desk.do("tournament-round", "unstart", round=1)
    assert Round.objects.get().state == Round.State.DRAWN
    desk.do("tournament-round", "start", round=1)
    desk.hand_in(1, {"number": 1, "seats": seats[1]})
    desk.do("tournament-round", "unstart", round=1, status=409)
    assert Round.objects.get().state == Round.State.PLAYING


def test_a_round_is_finished_with_open_tables_only_if_the_desk_confirms_it(desk):
    seats = playing(desk)
    desk.hand_in(1, {"number": 1, "seats": seats[1]})
    refused = desk.do("tournament-round", "finish", round=1, status=409)
    assert "These tables are not done: 2." in refused
    assert "Finish all the same" in refused
    assert Round.objects.get().state == "playing"
    desk.do("tournament-round", "finish", round=1, confirmed="yes")
    assert Round.objects.get().state == "finished"


def test_the_next_round_is_drawn_while_one_plays_only_if_the_desk_confirms_it(desk):
    playing(desk)
    refused = desk.do("tournament-draw", "draw", status=409)
    assert "Draw all the same" in refused
    assert Draw.objects.filter(round=2).count() == 0
    desk.do("tournament-draw", "draw", confirmed="yes")
    assert Draw.objects.filter(round=2).count() == 1
    assert "Look at the draw of round 2" in desk.get()


@pytest.mark.parametrize(
    ("amounts", "pot", "words"),
    [((5, -1, 0, 0), 0, "4 chips too many"), ((-7, 0, 0, 0), 2, "5 chips are missing")],
)
def test_a_sheet_that_does_not_add_up_is_refused_with_the_difference(desk, amounts, pot, words):
    seats = playing(desk)[1]
    data = sent(seats, *amounts, pot=pot)
    page = desk.post("tournament-sheet", data, status=422, number=1, table=1)
    assert words in page
    assert f'value="{amounts[0]}"' in page
    assert Sheet.objects.count() == 0


def test_chips_are_read_with_either_minus_sign(desk):
    seats = playing(desk)[1]
    data = {f"chips-{seat}": text for seat, text in zip(seats, ("+1'200", "−1200", "0", " -0 "), strict=True)}
    desk.post("tournament-sheet", data, number=1, table=1)
    assert sorted(Sheet.objects.get().chips.values()) == [-1200, 0, 0, 1200]


@pytest.mark.parametrize("wrong", ["", "4.5", "vier", "1e3"])
def test_chips_that_are_no_whole_number_are_refused_at_their_field(desk, wrong):
    seats = playing(desk)[1]
    data = sent(seats, 6, -6, 0, 0) | {f"chips-{seats[0]}": wrong}
    page = desk.post("tournament-sheet", data, status=422, number=1, table=1)
    assert 'aria-invalid="true"' in page
    assert Sheet.objects.count() == 0


def test_two_sheets_that_differ_are_shown_side_by_side_until_one_counts(desk):
    seats = playing(desk)[1]
    desk.post("tournament-sheet", sent(seats, 6, -6, 0, 0), number=1, table=1)
    desk.post("tournament-sheet", sent(seats, 9, -9, 0, 0), number=1, table=1)
    assert "Settle table 1" in desk.get()
    page = desk.get("tournament-sheet", number=1, table=1)
    assert page.count("This one counts</button>") == 2
    assert page.count('class="differs"') == 4
    desk.post("tournament-sheet", {"sheet": 1}, number=1, table=1)
    assert "Sheets differ" not in desk.get()
    assert Sheet.objects.get(decides=True).chips[str(seats[0])] == 6


def test_a_sheet_is_typed_twice_where_the_format_wants_it(desk):
    seats = playing(desk, two_sheets="on")[1]
    desk.post("tournament-sheet", sent(seats, 6, -6, 0, 0), number=1, table=1)
    assert "Second sheet of table 1" in desk.get()
    desk.post("tournament-sheet", sent(seats, 6, -6, 0, 0), number=1, table=1)
    assert "Second sheet missing" not in desk.get()


def test_a_sheet_of_a_finished_round_is_corrected_with_a_reason(desk):
    seats = playing(desk)
    for number, people in seats.items():
        desk.hand_in(1, {"number": number, "seats": people})
    desk.do("tournament-round", "finish", round=1)
    data = sent(seats[1], 8, -8, 0, 0)
    assert "Give a reason" in desk.post("tournament-sheet", data, status=422, number=1, table=1)
    desk.post("tournament-sheet", data | {"reason": "Verschrieben"}, number=1, table=1)
    assert "+8" in desk.get()


def test_the_last_finished_round_is_opened_again_with_a_reason(desk):
    for number, people in playing(desk).items():
        desk.hand_in(1, {"number": number, "seats": people})
    desk.do("tournament-round", "finish", round=1)
    desk.do("tournament-round", "reopen", round=1, status=422)
    desk.do("tournament-round", "reopen", round=1, reason="Tisch 2 fehlt")
    assert Round.objects.get().state == "playing"


def test_a_poll_is_answered_only_after_a_change_of_another_desk(people, desk):
    other = Desk(people)
    playing(desk)
    first = desk.client.get(desk.url("tournament-desk-live"))
    assert first.status_code == 200
    known = {"If-None-Match": first.headers["ETag"]}
    assert desk.client.get(desk.url("tournament-desk-live"), headers=known).status_code == 304
    other.post(
        "tournament-sheet", sent(Round.objects.get().draw.plan["tables"][0]["seats"], 6, -6, 0, 0), number=1, table=1
    )
    after = desk.client.get(desk.url("tournament-desk-live"), headers=known)
    assert after.status_code == 200
    assert "Done" in after.content.decode()


def test_the_queries_of_the_desk_do_not_grow_with_its_people(desk):
    playing(desk)
    with CaptureQueriesContext(connection) as few:
        desk.get()
    desk.post("tournament-entrants", {"names": "\n".join(f"Gast {n}" for n in range(40)), "here": "on"})
    with CaptureQueriesContext(connection) as many:
        desk.get()
    assert len(many) <= len(few)


def test_a_finished_tournament_is_opened_again_by_an_owner_with_a_reason(desk):
    desk.do("tournament-setup", "format", **FORMAT)
    desk.publish()
    desk.play(1)
    desk.do("tournament-round", "finish", round=1)
    desk.do("tournament-setup", "finish")
    assert "Give a reason" in desk.do("tournament-setup", "reopen", status=422)
    desk.do("tournament-setup", "reopen", reason="Ein Zettel fehlte")
    assert Tournament.objects.get().state == "running"


def test_it_is_archived_and_taken_out_of_the_archive(desk):
    Tournament.objects.update(state="finished")
    desk.do("tournament-setup", "archive")
    assert Tournament.objects.get().state == "archived"
    desk.do("tournament-setup", "basics", name="Neu", starts_on="2026-12-05", game="chratze", status=409)
    assert Tournament.objects.get().name == "Klausturnier"
    desk.do("tournament-setup", "unarchive")
    assert Tournament.objects.get().state == "finished"
