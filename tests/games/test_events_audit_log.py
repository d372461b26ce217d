"""Actions at the tables have one entry each in the audit log, stored in the same transaction."""

from __future__ import annotations

import uuid
from datetime import date

import pytest
from django.urls import reverse

from games.closing.services import evening_close, evening_reopen, payments_mark
from games.corrections.edits import TakeOut
from games.corrections.services import correct
from games.errors import Refused
from games.evening.services import evening_start
from games.hands.services import hand_void_last
from games.rules.services import rules_change
from games.seating.changes import Arrive
from games.seating.services import Guest, carry_out
from league.audit import sentences
from league.models import AuditEntry
from tests.cast import House, house
from tests.factories import FAILED, MADE, create_table, enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def home() -> House:
    return house("roessli")


@pytest.fixture
def table(home):
    table = create_table(club=home.club, season=home.season)
    enter(table, MADE)
    enter(table, MADE)
    return table


def logged():
    """The entries since the table was created."""
    begun, *entries = AuditEntry.objects.select_related("actor").order_by("pk")
    assert begun.what == "evening_begun"
    return entries


def sentences_since():
    entries = logged()
    return [(entry.what, line.sentence) for entry, line in zip(entries, sentences.lines_of(entries), strict=True)]


def test_a_voided_hand_and_one_taken_out_are_logged(home, table):
    key = uuid.uuid4()
    for _ in range(2):
        hand_void_last(table=table, author=home.recorder, key=key, number=2)
    correct(table=table, edit=TakeOut(1), author=home.owner, key=uuid.uuid4())
    assert sentences_since() == [
        ("hand_voided", f"Recorder undid hand 2 of evening 1 ({home.season.name})."),
        ("hand_corrected", f"Owner removed hand 1 of evening 1 ({home.season.name})."),
    ]


def test_an_evening_closed_and_reopened_is_logged(home, table):
    key = uuid.uuid4()
    for _ in range(2):
        evening_close(evening=table.evening, author=home.recorder, key=key)
    evening_reopen(evening=table.evening, author=home.owner, key=uuid.uuid4(), owner=True)
    assert sentences_since() == [
        ("evening_closed", f"Recorder closed evening 1 ({home.season.name})."),
        ("evening_reopened", f"Owner reopened evening 1 ({home.season.name})."),
    ]


def test_marked_payments_and_marks_taken_back_are_logged(home, table):
    enter(table, FAILED)
    evening_close(evening=table.evening, author=home.recorder, key=uuid.uuid4())
    for paid in (True, True, False):
        payments_mark(evening=table.evening, author=home.treasurer, key=uuid.uuid4(), paid=paid)
    [_closed, marked, back] = sentences_since()
    many = logged()[1].data["count"]
    assert many > 0
    assert marked == (
        "payments_marked",
        f"Treasurer marked payments of evening 1 ({home.season.name}) as paid ({many}).",
    )
    assert back == (
        "payments_marked",
        f"Treasurer marked payments of evening 1 ({home.season.name}) as not paid ({many}).",
    )


def test_a_new_version_of_the_house_rules_is_logged(home, table):
    given = {"club": home.club, "game": "chratze", "values": {"stake": 40, "coin": 20}, "author": home.owner}
    rules_change(**given, key=uuid.uuid4(), follows=1)
    assert sentences_since() == [("rules_changed", "Owner created version 2 of the house rules of Chratze.")]


def test_guests_typed_at_the_table_are_logged(home, table):
    seated = list(table.places.order_by("seat").values_list("player_id", flat=True))
    evening_start(
        club=home.club,
        season=home.season,
        author=home.recorder,
        seating=[f"p{seated[0]}", "gFritz"],
        first_dealer="gFritz",
        held_on=date(2026, 11, 21),
    )
    act = Arrive(0, seated[0])
    carry_out(table=table, change=act, author=home.recorder, key=uuid.uuid4(), guest=Guest("Zoe"))
    # A player of that name is not added again.
    with pytest.raises(Refused):
        carry_out(table=table, change=act, author=home.recorder, key=uuid.uuid4(), guest=Guest("zoe"))
    assert sentences_since() == [
        ("player_added", "Recorder added the guest Fritz to the roster."),
        ("evening_begun", f"Recorder began evening 2 ({home.season.name})."),
        ("player_added", "Recorder added the guest Zoe to the roster."),
    ]


def test_refused_requests_are_not_logged(home, table):
    with pytest.raises(Refused):
        hand_void_last(table=table, author=home.recorder, key=uuid.uuid4(), number=1)
    assert not logged()


FILES = ["standings-csv", "results-csv", "ledger-csv", "hands-csv", "debts-csv", "evenings-csv"]


@pytest.mark.parametrize("name", FILES)
def test_a_download_by_a_member_of_the_club_is_logged(client, home, table, name):
    others = {"hands-csv": {"evening": table.evening_id}, "evenings-csv": {"player": table.dealer_id}, "debts-csv": {}}
    url = reverse(name, kwargs={"club": home.club.slug} | others.get(name, {"season": home.season.slug}))
    client.get(url)
    assert not logged()
    client.force_login(home.owner)
    client.head(url)
    assert not logged()
    client.get(url)
    [entry] = logged()
    assert (entry.what, entry.actor, entry.data) == ("exported", home.owner, {"file": name.removesuffix("-csv")})
