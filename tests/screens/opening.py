"""The screens of opening a club, and of a club that must be confirmed."""

from __future__ import annotations

from django.utils import timezone, translation
from playwright.sync_api import Page

from games.models import Table
from games.practice.services import practice_open
from league.models import Club, ClubRequest, User
from tests.screens.accounts import UNCONFIRMED, session_of
from tests.screens.screen import Screen, World
from tests.second_factors import app_for

ANSWERED = {"game": "chratze", "currency": "CHF", "visibility": "private", "stake": 20, "language": "de"}


def build() -> World:
    """Create a person who asked for two clubs, and the operator; return their sessions."""
    asker = User.objects.create_user("asker@linde.example", first_name="Hansueli", last_name="von Arx-Oberdorf")
    decided = {"state": ClubRequest.State.DECLINED, "decided_at": timezone.now(), "reason": "Nur Clubs aus dem Tal."}
    ClubRequest.objects.create(user=asker, name="Kartenfreunde Unterengstringen", **ANSWERED, **decided)
    ClubRequest.objects.create(user=asker, name="Chratzclub Linde", names=["Ruedi", "Vreni", "Trudi"], **ANSWERED)
    operator = User.objects.create_superuser("operator@server.example")
    app_for(operator)
    trying = User.objects.create_user("trying@linde.example", first_name="Trudi")
    with translation.override("de"):
        practice = practice_open(owner=trying, address="192.0.2.1")
    closed = Club(slug="waldhaus", name="Jassrunde Waldhaus", place="Trub", suspended_at=timezone.now())
    closed.suspended_because = "Bitte meldet euch bei anna@server.example."
    closed.save()
    unconfirmed = User.objects.get(email=UNCONFIRMED)
    return {
        "asker_session": session_of(asker),
        "operator_session": session_of(operator),
        "trying_session": session_of(trying),
        "practice": practice.slug,
        "practice_table": str(Table.objects.get(evening__club=practice, evening__state="open", evening__round=None).pk),
        "unconfirmed_session": session_of(unconfirmed),
    }


def club_named(page: Page) -> None:
    """Go on to the second step."""
    page.fill("[name=name]", "Chratzclub Linde")
    page.tap("main button[type=submit]")
    page.wait_for_selector("[name=visibility]")


def readers_chosen(page: Page) -> None:
    """Go on to the third step, and name four people."""
    club_named(page)
    page.tap("main button[type=submit]")
    page.fill("[name=names]", "Ruedi\nVreni\nHansueli\nTrudi")


def reason_asked(page: Page) -> None:
    """Unfold the sentence of a refusal."""
    page.tap("main summary")


def named_twice(page: Page) -> None:
    """Name a person twice, which is refused."""
    readers_chosen(page)
    page.fill("[name=names]", "Ruedi\nRuedi")
    page.tap("main button[type=submit]")
    page.wait_for_selector(".errorlist")


OPENING = [
    Screen("club-open-name", "club-open", "/clubs/new/"),
    Screen("club-open-readers", "club-open", "/clubs/new/", act=club_named),
    Screen("club-open-players", "club-open", "/clubs/new/", act=readers_chosen),
    Screen("club-open-refused", "club-open", "/clubs/new/", act=named_twice),
    Screen("club-open-unconfirmed", "club-open", "/clubs/new/", session="unconfirmed_session"),
    Screen("club-asked", "club-asked", "/clubs/asked/", session="asker_session"),
    Screen("club-asked-home", "home", "/", session="asker_session"),
    Screen("club-asked-none", "club-asked", "/clubs/asked/", "member"),
    Screen("club-practice", "club-practice", "/clubs/practice/", "member"),
    Screen("club-practice-own", "club-practice", "/clubs/practice/", session="trying_session"),
    Screen("club-practice-home", "home", "/?all=1", session="trying_session"),
    Screen("club-practice-today", "club", "/c/{practice}/", session="trying_session"),
    Screen("club-practice-table", "table", "/c/{practice}/t/{practice_table}/", session="trying_session"),
    Screen(
        "club-practice-desk",
        "tournament-desk",
        "/c/{practice}/tournaments/klausturnier/desk/",
        session="trying_session",
    ),
    Screen(
        "club-practice-screen",
        "tournament-screen",
        "/c/{practice}/tournaments/klausturnier/screen/",
        session="trying_session",
    ),
    Screen("club-requests", "club-requests", "/clubs/requests/", act=reason_asked, session="operator_session"),
    Screen("club-requests-home", "home", "/", session="operator_session"),
    Screen("club-requests-account", "account", "/account/", session="operator_session"),
    Screen("operator", "operator", "/operator/", session="operator_session"),
    Screen("operator-club", "operator-club", "/operator/clubs/roessli/", session="operator_session"),
    Screen("operator-club-suspended", "operator-club", "/operator/clubs/waldhaus/", session="operator_session"),
    Screen("club-suspended", "club", "/c/waldhaus/", session="operator_session"),
]
