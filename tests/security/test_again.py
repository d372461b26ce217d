"""Who signed in long ago, or without a second factor, does by the API no more than by the pages."""

from __future__ import annotations

import time
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse

from league.accounts.adapters import AccountAdapter
from league.keys import making
from league.models import ApiToken, Club, User
from tests.api.asking import Asker, is_problem, key_for
from tests.cast import Cast, cast
from tests.factors import signed_in_now

pytestmark = pytest.mark.django_db

AGAIN = reverse("account_reauthenticate")
KEY = {"name": "Scoreboard", "scopes": ["read"]}
CLUB = {"slug": "krone", "name": "Krone"}


@pytest.fixture
def people() -> Cast:
    return cast()


@pytest.fixture
def never_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is asked who they are once more."""
    monkeypatch.setattr(AccountAdapter, "is_reauthentication_required", lambda self, **asked: False)


def later(minutes: float) -> Any:
    return time_machine.travel(time.time() + 60 * minutes, tick=False)


def test_a_session_of_long_ago_makes_no_key(people: Cast) -> None:
    asks, program = Asker(person=people.home.owner), Asker(key=key_for(people.home.owner))
    with later(9):
        assert asks.post("me/keys", KEY).status_code == 201
    with later(11):
        refused = asks.post("me/keys", KEY)
        assert is_problem(refused, 403, "reauthenticate")
        assert AGAIN in refused.json()["detail"]
        assert asks.get("me/keys").status_code == 200
        # A key needs no sign-in.
        assert program.post("me/keys", KEY | {"days": 1}).status_code == 201
    assert ApiToken.objects.count() == 3


def test_unasked_it_would(people: Cast, never_again: None) -> None:
    asks = Asker(person=people.home.owner)
    with later(11):
        assert asks.post("me/keys", KEY).status_code == 201


def test_a_session_of_long_ago_deletes_no_account(people: Cast) -> None:
    client, page = signed_in_now(Client(), people.home.member), reverse("account-forget")
    with later(11):
        assert client.get(page).status_code == 200
        answer = client.post(page, {"confirm": people.home.member.email})
        assert answer["Location"].startswith(AGAIN)
        assert User.objects.get(pk=people.home.member.pk).is_active


def test_unasked_it_would_go_on(people: Cast, never_again: None) -> None:
    client, page = signed_in_now(Client(), people.home.member), reverse("account-forget")
    with later(11):
        assert AGAIN not in client.post(page, {}).headers.get("Location", "")


def test_a_club_is_opened_in_a_session_with_a_second_factor(people: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    asks = Asker(person=people.server_admin)
    signed_in_now(asks.client, people.server_admin)
    assert is_problem(asks.post("clubs", CLUB), 403, "second_factor")
    assert not Club.objects.filter(slug="krone").exists()
    monkeypatch.setattr("league.api.base.second_factor_used", lambda request: True)
    assert asks.post("clubs", CLUB).status_code == 201


@pytest.mark.parametrize("scopes", [["read"], ["read", "manage"]])
def test_a_key_to_manage_the_server_needs_a_second_factor(
    people: Cast, monkeypatch: pytest.MonkeyPatch, scopes: list[str]
) -> None:
    admin = people.server_admin
    asks = Asker(person=admin)
    assert asks.post("me/keys", KEY | {"scopes": scopes}).status_code == 201
    signed_in_now(asks.client, admin)
    page, form = reverse("account-keys"), {"name": "Phone", "scopes": scopes, "days": "30"}
    plain = "manage" not in scopes
    answer = asks.post("me/keys", KEY | {"scopes": scopes})
    assert answer.status_code == 201 if plain else is_problem(answer, 403, "second_factor")
    assert asks.client.post(page, form).status_code == (200 if plain else 403)
    monkeypatch.setattr(making, "second_factor_used", lambda request: True)
    assert asks.post("me/keys", KEY | {"scopes": scopes}).status_code == 201
    assert asks.client.post(page, form).status_code == 200


@pytest.mark.parametrize("way", ["page", "api"])
def test_a_new_key_is_told_by_mail(
    people: Cast, way: str, mailoutbox: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    owner = people.home.owner
    EmailAddress.objects.create(user=owner, email=owner.email, primary=True, verified=True)
    asks = Asker(person=owner)
    with django_capture_on_commit_callbacks(execute=True):
        if way == "page":
            told = asks.client.post(reverse("account-keys"), {"name": "Tablet", "days": "30"}).content.decode()
        else:
            told = asks.post("me/keys", {"name": "Tablet"}).json()["key"]
    (mail,) = mailoutbox
    assert mail.to == [owner.email]
    assert "“Tablet”" in mail.body or "«Tablet»" in mail.body
    assert "chz_" in told
    assert "chz_" not in mail.body


def test_the_page_of_the_password_says_how_many_keys_go_on(people: Cast) -> None:
    client, page = signed_in_now(Client(), people.home.owner), reverse("account_change_password")
    people.home.owner.set_password("kreuz-sieben-4711")
    people.home.owner.save()
    client = signed_in_now(Client(), people.home.owner)
    link = f'href="{reverse("account-keys")}"'
    assert link not in client.get(page).content.decode()
    key_for(people.home.owner)
    key_for(people.home.owner, days=-1)
    key_for(people.home.owner)
    told = client.get(page).content.decode()
    assert link in told
    assert "2 " in told.partition(link)[0].rpartition("<p")[2]
