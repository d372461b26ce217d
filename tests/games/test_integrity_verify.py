"""`verify` finds every kind of damage; `rebuild` repairs derived data."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection

from games.integrity import verify
from games.models import Table
from league.jobs import tasks as jobs
from league.models import Balance, ResultRow, Season, Standing
from league.standings.counting import count_season
from league.triggers import GAMES_APPEND_ONLY, LEAGUE_APPEND_ONLY, LEAGUE_CHECKS, drop
from tests.factories import FAILED, MADE, PASSED_OUT, create_table, enter, void

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def played() -> Table:
    table = create_table()
    for record in (MADE, FAILED, PASSED_OUT, FAILED):
        enter(table, record)
    void(table)
    enter(table, MADE)
    enter(table, FAILED)
    void(table)
    count_season(Season.objects.get().pk)
    return table


def test_a_sound_league_has_no_differences(played):
    assert list(verify.differences()) == []
    out = StringIO()
    call_command("verify", stdout=out)
    assert "agrees" in out.getvalue()


DAMAGE = {
    "result row": "UPDATE league_resultrow SET change_minor = change_minor + 1 WHERE seat = 0",
    "lost row": "DELETE FROM league_resultrow WHERE seat = 0",
    "pot": "UPDATE games_table SET pot_minor = pot_minor + 5",
    "hands": "UPDATE games_table SET hands = hands + 1",
    "standing": "UPDATE league_standing SET points = points + 1",
    "night": "UPDATE league_eveningscore SET hands = hands + 1",
    "balance": "UPDATE league_balance SET balance_minor = balance_minor + 1",
    "decisions": "UPDATE league_decisioncount SET hands = hands + 1",
    "feat": "UPDATE league_feat SET value = value + 1",
    "transfer": "UPDATE league_transfer SET amount_minor = amount_minor + 1",
    "lost transfer": "DELETE FROM league_transfer WHERE amount_minor > 40",
    "seat": "UPDATE games_seat SET number = 6 WHERE number = 0",
    "lost seat": "DELETE FROM games_seat WHERE number = 4",
    "record": "UPDATE games_revision SET record = {record}",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_found(played, damage):
    drop(connection, LEAGUE_APPEND_ONLY + GAMES_APPEND_ONLY, LEAGUE_CHECKS)
    changed = "REPLACE(CAST(record AS text), '\"pot_before\": 0', '\"pot_before\": 5')"
    if connection.vendor == "postgresql":
        changed = f"CAST({changed} AS jsonb)"
    with connection.cursor() as cursor:
        cursor.execute(DAMAGE[damage].replace("{record}", changed))
    assert list(verify.differences())
    with pytest.raises(SystemExit) as stop:
        call_command("verify", stdout=StringIO(), stderr=StringIO())
    assert stop.value.code == 1


@pytest.mark.parametrize("damage", [*list(DAMAGE)[:7], "decisions", "feat"])
def test_rebuild_repairs_derived_data(played, damage):
    before = [list(m.objects.order_by("pk").values_list("player_id", "rank", "points")) for m in (Standing,)]
    with connection.cursor() as cursor:
        cursor.execute(DAMAGE[damage])
    call_command("rebuild", stdout=StringIO())
    assert list(verify.differences()) == []
    assert [list(m.objects.order_by("pk").values_list("player_id", "rank", "points")) for m in (Standing,)] == before


def test_the_queue_command_shows_the_waiting_seasons():
    table = create_table()
    enter(table, MADE)
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("queue", stdout=out)
    assert "1 of 1 seasons wait" in out.getvalue()
    assert "never run" in out.getvalue()
    jobs.sweep()
    out = StringIO()
    call_command("queue", "--all", "--json", stdout=out)
    state = json.loads(out.getvalue())
    assert (state["ok"], state["seasons"], state["waiting"]) == (True, 1, [])


def test_counts_follow_from_the_hands(played):
    anna = Standing.objects.get(player__nickname="Anna")
    # Made, failed, passed out, made: 2 - 2 + 0 + 2 points; the two voided hands count for nothing.
    assert (anna.hands, anna.declared, anna.declared_made, anna.points) == (4, 3, 2, 2)
    assert sum(Balance.objects.values_list("balance_minor", flat=True)) == 0
    assert ResultRow.objects.count() == 20
