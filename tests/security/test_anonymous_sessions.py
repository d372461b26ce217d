"""A visitor who only looks at pages stores no row in the table of sessions."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.mfa.webauthn.internal import auth
from allauth.mfa.webauthn.internal.auth import STATE_SESSION_KEY
from django.contrib.sessions.models import Session
from django.test import Client

from league.accounts import passkey_challenge, views
from tests.cast import cast
from tests.security.addresses import every_address

pytestmark = [pytest.mark.django_db, pytest.mark.rest]

PAGE = "/login/passkey/"
JSON = {"accept": "application/json"}


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The states with which an answer of a passkey is checked."""
    states: list[Any] = []

    def complete(user: Any, response: Any) -> None:
        states.append(auth.get_state())
        raise auth.get_adapter().validation_error("incorrect_code")

    monkeypatch.setattr(auth, "parse_authentication_response", lambda response: response)
    monkeypatch.setattr(auth, "extract_user_from_response", lambda response: None)
    monkeypatch.setattr(auth, "complete_authentication", complete)
    return states


def challenge_of(answer: Any) -> str:
    challenge: str = answer.json()["request_options"]["publicKey"]["challenge"]
    return challenge


def test_no_page_stores_a_session_for_a_visitor() -> None:
    home = cast().home
    for address in every_address():
        for headers in ({}, JSON):
            path = address.path.replace("/nowhere/", f"/{home.club.slug}/", 1)
            Client(raise_request_exception=False).get(path, headers=headers)
    assert not Session.objects.exists()


def test_ten_requests_for_a_passkey_store_no_session() -> None:
    for _ in range(10):
        assert challenge_of(Client().get(PAGE, headers=JSON))
    assert not Session.objects.exists()


def test_with_the_challenge_in_the_session_each_stores_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(views.PasskeySignIn, "get")
    for _ in range(3):
        Client().get(PAGE, headers=JSON)
    assert Session.objects.count() == 3


def test_the_answer_is_checked_against_the_challenge_once(checked: list[Any]) -> None:
    client = Client()
    challenge = challenge_of(client.get(PAGE, headers=JSON))
    for _ in range(2):
        client.post(PAGE, {"credential": '{"id": "x"}'})
    assert [state and state["challenge"] for state in checked] == [challenge, None]
    assert not Session.objects.exists()


def test_a_forged_or_old_challenge_is_none(checked: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()
    client.get(PAGE, headers=JSON)
    client.cookies[passkey_challenge.COOKIE] = client.cookies[passkey_challenge.COOKIE].value[:-2] + "xx"
    client.post(PAGE, {"credential": '{"id": "x"}'})
    other = Client()
    other.get(PAGE, headers=JSON)
    monkeypatch.setattr(passkey_challenge, "SECONDS", -1)
    other.post(PAGE, {"credential": '{"id": "x"}'})
    assert checked == [None, None]


def test_the_challenge_is_for_this_page_of_this_site_alone() -> None:
    cookie = Client().get(PAGE, headers=JSON).cookies[passkey_challenge.COOKIE]
    assert (cookie["path"], cookie["samesite"], cookie["httponly"]) == (PAGE, "Strict", True)
    assert STATE_SESSION_KEY not in Client().session
