"""Practice clubs: opened and filled with one tap, marked on every page, and deleted without a trace."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.utils import timezone, translation

from games.closing.services import debts_mark
from games.integrity import verify
from games.models import Table
from games.opening import services as opening
from games.practice.services import practice_open
from league.club_admin.practice import practice_club_of, remove_practice_club
from league.club_admin.services import club_change
from league.club_admin.tasks import tidy
from league.errors import Refused
from league.member_fees.services import NewFee, fee_book
from league.models import Club, Payment, Standing, TableCard, Tournament, User
from tests.factories import MADE, ClubFactory, MembershipFactory, create_table, enter

pytestmark = pytest.mark.django_db

ADDRESS = "/clubs/practice/"


@pytest.fixture
def person() -> User:
    return User.objects.create_user("vreni@example.org", "drei muntere karten")


@pytest.fixture
def browser(person: User) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(person)
    return client


def everything() -> dict[str, list[Any]]:
    """Return all rows of all tables, after the triggers that wait for the end of the transaction."""
    connection.check_constraints()
    models = apps.get_models(include_auto_created=True)
    return {
        model._meta.label: sorted(model._base_manager.order_by().values_list(), key=repr)
        for model in models
        if model is not User
    }


@pytest.mark.both_databases
def test_a_practice_club_is_filled_and_deleted_without_a_trace(person: User) -> None:
    enter(create_table(), MADE)
    before, people = everything(), set(User.objects.values_list("pk", flat=True))
    club = practice_open(owner=person, address="192.0.2.1")
    assert (club.visibility, club.practice_until) == ("private", timezone.localdate() + timedelta(days=14))
    assert Standing.objects.filter(season__club=club, hands__gt=0).exists()
    assert Table.objects.filter(evening__club=club, evening__state="open", hands__gt=0, evening__round=None).exists()
    tournament = Tournament.objects.get()
    assert list(tournament.rounds.order_by("number").values_list("state", flat=True)) == ["finished", "playing"]
    holder = User.objects.create_user("card@example.org")
    TableCard.objects.create(tournament=tournament, table_number=1, code="one", user=holder)
    fee = NewFee(timezone.localdate().year, "Fee", 5000, timezone.localdate(), [tournament.club.players.first().pk])
    fee_book(club=club, author=person, key=uuid.uuid4(), fee=fee)
    owed = [Payment.objects.get(fee_share__fee__club=club).pk]
    debts_mark(club=club, author=person, key=uuid.uuid4(), numbers=owed)
    assert list(verify.differences()) == []
    remove_practice_club(club)
    assert everything() == before
    assert set(User.objects.values_list("pk", flat=True)) == people
    assert list(verify.differences()) == []
    # The other one of two that delete at once.
    remove_practice_club(club)


def test_a_tap_opens_it_a_second_one_finds_it_and_its_owner_deletes_it(browser: Client, person: User) -> None:
    home = browser.get("/").content.decode()
    assert f'<form method="post" action="{ADDRESS}">' in home
    assert "an evening under way" in browser.get(ADDRESS).content.decode()
    assert browser.post(ADDRESS)["Location"] == browser.post(ADDRESS)["Location"] == "/c/practice-club/"
    club = Club.objects.get()
    assert practice_club_of(person) == club
    table = Table.objects.get(evening__club=club, evening__state="open", evening__round=None)
    paths = ["", f"s/{table.evening.season.slug}/", "settings/", f"e/{table.evening_id}/", f"t/{table.pk}/"]
    paths += [f"tournaments/klausturnier/{page}" for page in ("", "desk/", "screen/")]
    for path in paths:
        page = browser.get(f"/c/practice-club/{path}")
        assert (page.status_code, page.content.decode().count('class="practice"')) == (200, 1), path
    assert Client().get("/c/practice-club/").status_code == 404
    with translation.override("en"), pytest.raises(Refused, match="private until"):
        club_change(club=club, actor=person, changes={"visibility": "listed"})
    assert browser.post(ADDRESS, {"remove": "1"})["Location"] == "/"
    assert not Club.objects.exists()


def test_only_its_owner_deletes_it_and_no_page_of_another_club_is_marked(browser: Client, person: User) -> None:
    practice = ClubFactory(visibility="private", practice_until=timezone.localdate())
    own = ClubFactory()
    for club, role in ((practice, "recorder"), (own, "owner")):
        MembershipFactory(club=club, user=person, role=role)
    assert browser.post(ADDRESS, {"remove": "1"}).status_code == 303
    assert Club.objects.filter(pk=practice.pk).exists()
    assert 'class="practice"' not in browser.get(own.get_absolute_url()).content.decode()


def test_a_visitor_signs_in_first(person: User, settings) -> None:
    settings.SIGNUP_OPEN = True
    assert f'?next={ADDRESS}"' in Client().get("/").content.decode()
    assert Client().post(ADDRESS)["Location"] == f"/login/?next={ADDRESS}"
    assert not Club.objects.exists()


def test_the_limits_of_opening_clubs_hold(browser: Client, settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(opening.CLUBS_A_DAY, "person", 0)
    assert browser.post(ADDRESS).status_code == 429
    settings.CLUBS_OPEN = "no"
    assert browser.post(ADDRESS).status_code == 404
    for client in (browser, Client()):
        assert ADDRESS not in client.get("/").content.decode()
    assert not Club.objects.exists()


def test_the_worker_deletes_those_whose_day_has_come() -> None:
    today = timezone.localdate()
    for days in (-1, 0, 1):
        ClubFactory(visibility="private", practice_until=today + timedelta(days=days))
    ClubFactory()
    assert [tidy(), tidy()] == [2, 0]
    assert set(Club.objects.values_list("practice_until", flat=True)) == {today + timedelta(days=1), None}
