"""Writes that arrive late: the evening is closed or final by then. Nothing is lost, and no amount is shown."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.closing.services import evening_close, evening_reopen
from games.models import Revision, Table
from games.night import answers
from league.models import Evening, Season, Submission
from tests.cast import House
from tests.factories import FAILED, create_table, enter
from tests.games.night_writes import begin, hand, post, refused, seats, stored, url

pytestmark = pytest.mark.django_db

WRONG = {"deltas": [0, 0, 0, 0, 0], "pot_after": 5}


@pytest.fixture
def table(home: House) -> Table:
    return create_table(club=home.club, season=home.season, author=home.recorder)


def close(table: Table, *, final: bool) -> None:
    evening_close(evening=table.evening, author=None, key=uuid.uuid4())
    if final:
        Evening.objects.update(final_at=timezone.now() - timedelta(seconds=1))


@pytest.mark.both_databases
@pytest.mark.parametrize("final", [False, True], ids=["provisional", "final"])
def test_a_closed_evening_takes_no_write_and_the_write_stays_valid(
    recorder: Client, home: House, table: Table, final: bool
) -> None:
    entry = hand(table)
    close(table, final=final)
    answer = refused(post(recorder, entry, table), 409, "closed")
    day = Evening.objects.values_list("final_at", flat=True).get()
    assert answer["final_on"] == timezone.localdate(day).isoformat()
    assert (answer["snapshot"] is None) == final
    assert not Submission.objects.filter(key=entry["key"]).exists()
    again = {"key": uuid.uuid4(), "owner": True, "reason": "a phone was late"}
    evening_reopen(evening=Evening.objects.select_related("club").get(), author=home.owner, **again)
    assert stored(post(recorder, entry, table))["number"] == 1


def test_a_stored_write_gets_its_answer_without_amounts_once_the_evening_is_final(
    recorder: Client, table: Table
) -> None:
    entry = hand(table, expected=WRONG)
    assert stored(post(recorder, entry, table))["difference"]["pot_after"] == 0
    close(table, final=True)
    answer = post(recorder, entry, table)
    assert stored(answer)["number"] == 1
    assert stored(answer)["difference"] is None
    assert answer.json()["snapshot"] is None
    several = post(recorder, {"format": 1, "writes": [entry]}, table).json()
    assert several == {"answers": [{"stored": stored(answer)}], "snapshot": None}
    assert Revision.objects.count() == 1


def test_the_snapshot_of_a_final_evening_is_refused(recorder: Client, table: Table) -> None:
    enter(table, FAILED)
    close(table, final=False)
    assert recorder.get(url(table)).json()["evening"]["open"] is False
    Evening.objects.update(final_at=timezone.now() - timedelta(seconds=1))
    answer = refused(recorder.get(url(table)), 409, "closed")
    assert answer["snapshot"] is None
    assert answer["final_on"] is not None


def test_without_the_check_the_amounts_of_a_final_evening_would_be_sent(
    recorder: Client, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    enter(table, FAILED)
    close(table, final=True)
    monkeypatch.setattr(answers.selectors, "sees_table_amounts", lambda access, evening: True)
    assert recorder.get(url(table)).json()["seats"][0]["sum"] != 0


def test_where_points_alone_count_a_closed_evening_has_no_snapshot(recorder: Client, table: Table) -> None:
    Season.objects.update(points_only=True)
    answer = post(recorder, hand(table, record=FAILED), table).json()
    assert (answer["snapshot"]["club"]["currency"], answer["snapshot"]["points_only"]) == ("", True)
    close(table, final=False)
    assert refused(post(recorder, hand(table, 2), table), 409, "closed")["snapshot"] is None


def test_a_difference_is_logged_without_names(recorder: Client, table: Table, caplog: pytest.LogCaptureFixture) -> None:
    assert stored(post(recorder, hand(table, expected=WRONG), table))["difference"]["sentence"]
    [line] = [record.msg for record in caplog.records if "night_difference" in str(record.msg)]
    logged: Any = line
    assert (logged["table"], logged["number"], logged["phone"]) == (table.pk, 1, [[0, 0, 0, 0, 0], 5])
    assert "Anna" not in str(logged)


def test_a_hand_that_breaks_a_clause_here_alone_is_logged(
    recorder: Client, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    three = {"declarer": 0, "joiners": [1], "made": [0, 1, 2]}
    for write in (hand(table, record=three), hand(table, record=three, expected=WRONG)):
        refused(post(recorder, write, table), 422, "R5")
    [line] = [record.msg for record in caplog.records if "night_refused" in str(record.msg)]
    logged: Any = line
    assert (logged["table"], logged["number"], logged["clause"], logged["at"]) == (table.pk, 1, "R5", "made[2]")


def test_equal_amounts_of_the_phone_are_no_difference(recorder: Client, table: Table) -> None:
    right = stored(post(recorder, hand(table, expected=WRONG), table))["difference"]
    other = create_table(club=table.evening.club, season=table.evening.season)
    expected = {"deltas": right["deltas"], "pot_after": right["pot_after"]}
    assert stored(post(recorder, hand(other, expected=expected), other))["difference"] is None


def test_an_evening_that_begins_late_has_its_own_date(recorder: Client, home: House, table: Table) -> None:
    close(table, final=True)
    begun = stored(post(recorder, begin(home.season, seats(table), held_on="2025-01-31")))
    evening = Evening.objects.get(tables=begun["table"])
    assert (evening.held_on.isoformat(), evening.number) == ("2025-01-31", 2)
