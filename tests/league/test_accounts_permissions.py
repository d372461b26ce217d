"""The pages of the user's own account: each user opens only their own."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse

from league.accounts.adapters import AccountAdapter
from tests.cast import Cast, cast
from tests.permissions import ROUTES, Own

pytestmark = pytest.mark.django_db

OWN = [(name, method) for name, route in ROUTES.items() if isinstance(route, Own) for method in route.methods]
PEOPLE = ["stranger", "server_admin", "home.owner", "home.member"]
# Pages that need an earlier step.
LACKING = {"mfa_deactivate_totp", "mfa_view_recovery_codes", "mfa_download_recovery_codes", "account-key-revoke"}


@pytest.fixture
def everybody() -> Cast:
    return cast()


def person(people: Cast, who: str) -> Any:
    house, _, name = who.rpartition(".")
    return getattr(getattr(people, house) if house else people, name)


def passkey(owner: Any) -> Authenticator:
    data = {"name": "Handy", "credential": {}}
    return Authenticator.objects.create(user=owner, type=Authenticator.Type.WEBAUTHN, data=data)


def send(client: Client, method: str, url: str) -> Any:
    return client.get(url) if method == "GET" else client.post(url, {})


@pytest.mark.parametrize(("name", "method"), OWN)
def test_a_visitor_is_asked_to_sign_in(everybody: Cast, name: str, method: str) -> None:
    args = [passkey(everybody.stranger).pk] if ROUTES[name].names else []
    answer = send(Client(), method, reverse(name, args=args))
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/login/")


@pytest.mark.parametrize(("name", "method"), OWN)
def test_every_user_opens_their_own_pages(everybody: Cast, name: str, method: str) -> None:
    for who in PEOPLE:
        client = Client()
        client.force_login(person(everybody, who))
        if ROUTES[name].names:
            continue
        answer = send(client, method, reverse(name))
        assert (
            answer.status_code < 400 or answer.status_code == 422 or (name in LACKING and answer.status_code == 404)
        ), who
        assert not answer.headers.get("Location", "").startswith("/login/"), who


@pytest.mark.parametrize(("name", "method"), [cell for cell in OWN if ROUTES[cell[0]].names])
@pytest.mark.parametrize("which", ["another's", "absent"])
def test_pages_of_another_user_are_not_found(
    everybody: Cast, name: str, method: str, which: str, monkeypatch: Any
) -> None:
    monkeypatch.setattr(AccountAdapter, "is_reauthentication_required", lambda self, **asked: False)
    pk = passkey(everybody.stranger).pk if which == "another's" else 10**9
    for who in PEOPLE[1:]:
        client = Client()
        client.force_login(person(everybody, who))
        answer = send(client, method, reverse(name, args=[pk]))
        assert answer.status_code == 404, who
    assert Authenticator.objects.filter(pk=pk).exists() == (which == "another's")
