"""Sensitive actions need a recent sign-in or a second factor, by the API as by the pages."""

from __future__ import annotations

import time
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse

from league.accounts.adapters import AccountAdapter
from league.api_keys import creation
from league.models import ApiToken, Club, User
from tests.api.api_client import ApiClient, is_problem, key_for
from tests.cast import Cast
from tests.second_factors import signed_in_now

pytestmark = pytest.mark.django_db

AGAIN = reverse("account_reauthenticate")
KEY = {"name": "Scoreboard", "scopes": ["read"]}
CLUB = {"slug": "krone", "name": "Krone"}


@pytest.fixture
def without_reauthentication(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the check of a recent sign-in."""
    monkeypatch.setattr(AccountAdapter, "is_reauthentication_required", lambda self, **asked: False)


def later(minutes: float) -> Any:
    return time_machine.travel(time.time() + 60 * minutes, tick=False)


def test_an_old_session_makes_no_api_key(people: Cast) -> None:
    session, program = ApiClient(person=people.home.owner), ApiClient(key=key_for(people.home.owner))
    with later(9):
        assert session.post("me/api-keys", KEY).status_code == 201
    with later(11):
        refused = session.post("me/api-keys", KEY)
        assert is_problem(refused, 403, "reauthenticate")
        assert AGAIN in refused.json()["detail"]
        assert session.get("me/api-keys").status_code == 200
        # An API key needs no sign-in.
        assert program.post("me/api-keys", KEY | {"days": 1}).status_code == 201
    assert ApiToken.objects.count() == 3


def test_without_reauthentication_an_old_session_makes_an_api_key(people: Cast, without_reauthentication: None) -> None:
    session = ApiClient(person=people.home.owner)
    with later(11):
        assert session.post("me/api-keys", KEY).status_code == 201


def test_an_old_session_deletes_no_account(people: Cast) -> None:
    client, page = signed_in_now(Client(), people.home.member), reverse("account-forget")
    with later(11):
        assert client.get(page).status_code == 200
        answer = client.post(page, {"confirm": people.home.member.email})
        assert answer["Location"].startswith(AGAIN)
        assert User.objects.get(pk=people.home.member.pk).is_active


def test_without_reauthentication_an_old_session_deletes_the_account(
    people: Cast, without_reauthentication: None
) -> None:
    client, page = signed_in_now(Client(), people.home.member), reverse("account-forget")
    with later(11):
        assert AGAIN not in client.post(page, {}).headers.get("Location", "")


def test_creating_a_club_needs_a_session_with_a_second_factor(people: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    session = ApiClient(person=people.server_admin)
    signed_in_now(session.client, people.server_admin)
    assert is_problem(session.post("clubs", CLUB), 403, "second_factor")
    assert not Club.objects.filter(slug="krone").exists()
    monkeypatch.setattr("league.api.permissions.second_factor_used", lambda request: True)
    assert session.post("clubs", CLUB).status_code == 201


@pytest.mark.parametrize("scopes", [["read"], ["read", "manage"]])
def test_an_api_key_to_manage_the_server_needs_a_second_factor(
    people: Cast, monkeypatch: pytest.MonkeyPatch, scopes: list[str]
) -> None:
    admin = people.server_admin
    session = ApiClient(person=admin)
    assert session.post("me/api-keys", KEY | {"scopes": scopes}).status_code == 201
    signed_in_now(session.client, admin)
    page, form = reverse("account-keys"), {"name": "Phone", "scopes": scopes, "days": "30"}
    plain = "manage" not in scopes
    answer = session.post("me/api-keys", KEY | {"scopes": scopes})
    assert answer.status_code == 201 if plain else is_problem(answer, 403, "second_factor")
    assert session.client.post(page, form).status_code == (200 if plain else 403)
    monkeypatch.setattr(creation, "second_factor_used", lambda request: True)
    assert session.post("me/api-keys", KEY | {"scopes": scopes}).status_code == 201
    assert session.client.post(page, form).status_code == 200


@pytest.mark.parametrize("way", ["page", "api"])
def test_a_new_api_key_is_announced_by_mail(
    people: Cast, way: str, mailoutbox: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    owner = people.home.owner
    EmailAddress.objects.create(user=owner, email=owner.email, primary=True, verified=True)
    session = ApiClient(person=owner)
    with django_capture_on_commit_callbacks(execute=True):
        if way == "page":
            shown = session.client.post(reverse("account-keys"), {"name": "Tablet", "days": "30"}).content.decode()
        else:
            shown = session.post("me/api-keys", {"name": "Tablet"}).json()["key"]
    (mail,) = mailoutbox
    assert mail.to == [owner.email]
    assert "“Tablet”" in mail.body or "«Tablet»" in mail.body
    assert "chz_" in shown
    assert "chz_" not in mail.body


def test_the_password_page_shows_the_number_of_api_keys_that_stay_valid(people: Cast) -> None:
    client, page = signed_in_now(Client(), people.home.owner), reverse("account_change_password")
    people.home.owner.set_password("kreuz-sieben-4711")
    people.home.owner.save()
    client = signed_in_now(Client(), people.home.owner)
    link = f'href="{reverse("account-keys")}"'
    assert link not in client.get(page).content.decode()
    key_for(people.home.owner)
    key_for(people.home.owner, days=-1)
    key_for(people.home.owner)
    shown = client.get(page).content.decode()
    assert link in shown
    assert "2 " in shown.partition(link)[0].rpartition("<p")[2]
