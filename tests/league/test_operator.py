"""The operator's pages and command: who may open them, what they show, and a club that is suspended or limited."""

from __future__ import annotations

import contextlib
from datetime import timedelta
from threading import Thread
from typing import Any

import psycopg
import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from games.errors import Refused
from games.models import Hand
from league.access import suspended
from league.models import AuditEntry, Club, CountFailure, Heartbeat
from league.monitoring import marks
from league.operator.checks import checks
from league.roster.services import player_add
from league.standings.seasons_to_count import SWEEP
from tests.api.api_client import ApiClient, is_problem
from tests.cast import Cast, cast
from tests.factories import MADE, create_table, enter
from tests.league.test_access_permissions import OF_A_CLUB, address, everybody, signed_in, things
from tests.processes import wait_until
from tests.second_factors import with_factor

__all__ = ["everybody"]

pytestmark = pytest.mark.django_db

ENGLISH = {"accept-language": "en"}
PAGES = ("/operator/", "/operator/clubs/roessli/")


@pytest.fixture
def people() -> Cast:
    return cast()


@pytest.fixture
def operator(people: Cast) -> Client:
    return with_factor(Client(), people.server_admin)


def fresh(people: Cast) -> Club:
    people.home.club.refresh_from_db()
    return people.home.club


@pytest.mark.parametrize("page", PAGES)
def test_only_an_operator_with_a_second_factor_opens_the_pages(people: Cast, operator: Client, page: str) -> None:
    assert Client().get(page)["Location"].startswith("/login/")
    for who in ("stranger", "home.owner"):
        assert signed_in(people, who).get(page).status_code == 404
        assert signed_in(people, who).post(page, {"act": "suspend"}).status_code == 404
    without = signed_in(people, "server_admin")
    assert without.get(page)["Location"].startswith(reverse("admin:login"))
    assert without.post(page, {"act": "suspend"})["Location"].startswith(reverse("admin:login"))
    assert operator.get(page).status_code == 200
    assert fresh(people).suspended_at is None
    assert operator.get("/operator/clubs/nowhere/").status_code == 404


def ill() -> set[str]:
    with translation.override("en"):
        return {str(check.title) for check in checks() if not check.well}


def test_a_check_is_ill_by_its_fault_and_by_nothing_else(people: Cast, settings: Any, monkeypatch: Any) -> None:
    settings.MAIL_ON = True
    settings.REDIS_URL = ""
    beat = Heartbeat.objects.create(name=SWEEP, at=timezone.now())
    assert ill() == {"Backup", "Money and ranking, recounted"}
    marks.done(marks.BACKUP, 1000)
    marks.done(marks.VERIFY, 0)
    assert ill() == set()
    marks.done(marks.VERIFY, 3)
    assert ill() == {"Money and ranking, recounted"}
    marks.done(marks.VERIFY, 0)
    Heartbeat.objects.filter(name=marks.BACKUP).update(at=timezone.now() - timedelta(days=2))
    assert ill() == {"Backup"}
    marks.done(marks.BACKUP, 1000)
    beat.delete()
    assert ill() == {"Worker and clock"}
    Heartbeat.objects.create(name=SWEEP, at=timezone.now())
    failure = CountFailure.objects.create(
        season=people.home.season, part="facts", error="KeyError", retry_at=timezone.now()
    )
    assert ill() == {"Standings"}
    failure.delete()
    settings.REDIS_URL = "redis://127.0.0.1:9/0"
    assert ill() == {"Redis"}
    settings.REDIS_URL = ""
    settings.FREE_DISK_MB = 10**9
    assert ill() == {"Disk"}
    settings.FREE_DISK_MB = 0
    settings.MAIL_ON = False
    assert ill() == {"Mail"}
    settings.MAIL_ON = True
    monkeypatch.setattr("league.operator.checks.counting", lambda: 1 / 0)
    assert [check.value for check in checks() if not check.well] == ["ZeroDivisionError"]


def test_the_page_finds_clubs_and_tries_the_mail(operator: Client, people: Cast) -> None:
    page = operator.get("/operator/?q=stern", headers=ENGLISH).content.decode()
    assert "Chratzclub Sternen" in page
    assert "Chratzclub Roessli" not in page
    assert operator.post("/operator/").status_code == 303
    assert [sent.to for sent in mail.outbox] == [[people.server_admin.email]]


def did() -> list[object]:
    return [entry.data.get("did") or entry.data.get("fields") for entry in AuditEntry.objects.order_by("pk")]


def test_each_act_is_stored_and_in_the_log_of_the_club(operator: Client, people: Cast) -> None:
    page, logged = "/operator/clubs/roessli/", AuditEntry.objects.count()
    for sent in (
        {"act": "suspend", "reason": "Bitte melden."},
        {"act": "quotas", "hands_a_day": "30", "most_players": "", "most_file_mb": "20"},
        {"act": "name"},
        {"act": "resume"},
        {"act": "logo"},
    ):
        assert operator.post(page, sent).status_code == 303
        if sent["act"] == "suspend":
            assert (fresh(people).suspended_because, fresh(people).suspended_at is not None) == ("Bitte melden.", True)
    club = fresh(people)
    assert (club.name, club.suspended_at, club.suspended_because) == (f"Club {club.pk}", None, None)
    assert (club.hands_a_day, club.most_players, club.most_file_mb) == (30, None, 20)
    assert did()[logged:] == ["suspended", "quotas", ["name"], "resumed"]
    assert operator.post(page, {"act": "quotas", "hands_a_day": "0"}).status_code == 422
    assert operator.post(page, {"act": "delete"}).status_code == 422
    log = signed_in(people, "home.owner").get("/c/roessli/log/", headers=ENGLISH).content.decode()
    assert "suspended the club" in log


def test_the_command_does_the_same(people: Cast, capsys: Any) -> None:
    call_command("club", "suspend", "roessli", "--reason", "Bitte melden.")
    assert fresh(people).suspended_because == "Bitte melden."
    call_command("club", "resume", "roessli")
    call_command("club", "limit", "roessli", "--hands-a-day", "5")
    call_command("club", "take-name-down", "roessli")
    call_command("club", "take-logo-down", "roessli")
    club = fresh(people)
    assert (club.suspended_at, club.hands_a_day, club.name) == (None, 5, f"Club {club.pk}")
    for wrong in (
        ("suspend", "nowhere"),
        ("suspend", "roessli", "--reason", "x" * 201),
        ("limit", "roessli", "--most-players", "0"),
    ):
        with pytest.raises(CommandError):
            call_command("club", *wrong)
    assert "roessli: suspended." in capsys.readouterr().out


def suspend(people: Cast) -> None:
    Club.objects.filter(pk=people.home.club.pk).update(suspended_at=timezone.now(), suspended_because="Bitte melden.")


@pytest.mark.rest
def test_a_suspended_club_is_read_and_exported_and_takes_nothing(everybody: Cast) -> None:
    suspend(everybody)
    owner, own = signed_in(everybody, "home.owner"), things(everybody.home)
    wrong, written = set(), 0
    for name, route in OF_A_CLUB.items():
        url = address(name, everybody.home, own[route.names])
        if "GET" in route.rights and owner.get(url).status_code >= 500:
            wrong.add(name)
        if "POST" in route.rights and name not in suspended.ALLOWED:
            written += 1
            if owner.post(url).status_code not in (403, 405):
                wrong.add(name)
    assert written > 50
    assert wrong == set()
    page = owner.get("/c/roessli/", headers=ENGLISH)
    assert page.status_code == 200
    assert b"Bitte melden." in page.content
    assert owner.get("/c/roessli/s/2026/standings.csv").status_code == 200
    assert owner.post("/c/roessli/leave/").status_code != 403
    away = signed_in(everybody, "away.owner")
    assert b"Bitte melden." not in away.get("/c/sternen/").content


def hand(people: Cast) -> tuple[ApiClient, str, dict[str, Any]]:
    table = create_table(club=people.home.club, season=people.home.season)
    players = list(table.places.order_by("seat").values_list("player_id", flat=True))
    body = {"number": 1, "players": players, "record": MADE}
    return ApiClient(person=people.home.owner), f"/api/v1/clubs/roessli/tables/{table.pk}/hands", body


def test_the_api_refuses_a_hand_of_a_suspended_club(people: Cast) -> None:
    api, url, body = hand(people)
    suspend(people)
    assert is_problem(api.post(url, body), 403, "suspended")
    assert api.get(url).status_code == 200
    assert not Hand.objects.exists()
    call_command("club", "resume", "roessli")
    assert api.post(url, body).status_code == 201


def test_without_the_guard_a_suspended_club_takes_hands(people: Cast, monkeypatch: Any) -> None:
    api, url, body = hand(people)
    suspend(people)
    monkeypatch.setattr("league.access.gate.check_not_suspended", lambda club: None)
    assert api.post(url, body).status_code == 201


@pytest.mark.both_databases
def test_a_club_has_no_more_hands_a_day_and_players_than_the_operator_allows(people: Cast) -> None:
    table = create_table(club=people.home.club, season=people.home.season)
    there = people.home.club.players.filter(active=True).count()
    call_command("club", "limit", "roessli", "--hands-a-day", "2", "--most-players", str(there + 1))
    enter(table, MADE)
    enter(table, MADE)
    with pytest.raises(Refused, match="quota"):
        enter(table, MADE)
    assert Hand.objects.count() == 2
    enter(create_table(club=people.away.club, season=people.away.season), MADE)
    player_add(club=people.home.club, nickname="Zora", actor=None)
    with pytest.raises(Refused, match="quota"):
        player_add(club=people.home.club, nickname="Yves", actor=None)
    call_command("club", "limit", "roessli")
    enter(table, MADE)


def sleep(other: psycopg.Connection) -> None:
    with contextlib.suppress(psycopg.errors.QueryCanceled):
        other.execute("SELECT pg_sleep(60)")


@pytest.mark.needs_postgres
@pytest.mark.django_db(transaction=True)
def test_a_statement_that_runs_long_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def shown() -> tuple[bool, str]:
        (database,) = [check for check in checks() if check.title == "Database statements"]
        return database.well, database.value

    with translation.override("en"):
        assert shown() == (True, "none runs longer than 5 s")
        monkeypatch.setattr("league.operator.checks.SLOW_SECONDS", 0)
        with psycopg.connect(**connection.get_connection_params(), autocommit=True) as other:
            sleeping = Thread(target=sleep, args=(other,))
            sleeping.start()
            wait_until(lambda: not shown()[0], 20, "the statement is shown")
            assert shown()[1].startswith("1 runs longer than 0 s, for ")
            other.cancel()
            sleeping.join(20)
        assert shown()[0]
