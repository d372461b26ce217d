"""Guessing codes, links and passkeys from many addresses and browsers: few tries are checked, no answer differs."""

from __future__ import annotations

import json
import random
import re
import string
from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from django.contrib.auth.tokens import default_token_generator
from django.test import Client
from django.urls import reverse

from league.accounts.invitations import invitation_create
from league.models import Invitation, Membership, Role, User
from tests.cast import House, house
from tests.second_factors import app_for, code_of

pytestmark = [pytest.mark.django_db, pytest.mark.rest]

PASSWORD = "kreuz-sieben"
TRIES = 40
MOST_CHECKED = 10
SEED = 5


@pytest.fixture
def home() -> House:
    return house("roessli")


def from_place(number: int) -> dict[str, Any]:
    return {"REMOTE_ADDR": f"198.51.{number // 250}.{number % 250 + 1}"}


def browser(number: int) -> Client:
    return Client(headers={"accept-language": "en"}, **from_place(number))


def inside(client: Client) -> bool:
    return client.get("/account/").status_code == 200


def half_signed_in(person: User, number: int) -> Client:
    """Return a browser in which the password was right, and the code is asked for."""
    client = browser(number)
    client.post("/login/", {"username": person.email, "password": PASSWORD})
    return client


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The codes that were compared with those of an app or of a list."""
    seen: list[str] = []
    for owner in (totp.TOTP, RecoveryCodes):
        real = owner.validate_code

        def validate(self: Any, code: str, real: Callable[..., bool] = real) -> bool:
            seen.append(code)
            return real(self, code)

        monkeypatch.setattr(owner, "validate_code", validate)
    return seen


@pytest.mark.parametrize("code", ["000000", "0123456789"])
def test_few_codes_of_a_second_factor_are_checked_whoever_guesses(home: House, checked: list[str], code: str) -> None:
    secret = app_for(home.member)
    for number in range(TRIES):
        client = half_signed_in(home.member, number)
        client.post("/login/factor/", {"code": code})
        assert not inside(client)
    # Each code is compared with the app and with the recovery codes.
    assert 0 < len(checked) <= 2 * MOST_CHECKED
    right = half_signed_in(home.member, TRIES)
    right.post("/login/factor/", {"code": code_of(secret)})
    assert not inside(right)


def test_few_codes_are_checked_in_a_session_that_was_stolen(home: House, checked: list[str]) -> None:
    app_for(home.member)
    client = browser(1)
    client.force_login(home.member)
    for number in range(TRIES):
        client.post(reverse("mfa_reauthenticate"), {"code": f"{number:06}"}, **from_place(number))
    assert len(checked) <= 2 * MOST_CHECKED


def test_a_code_of_a_mail_ends_after_few_tries_and_few_mails_are_sent(home: House, mailoutbox: list[Any]) -> None:
    most = 0
    for number in range(TRIES):
        client, guesses = browser(number), 0
        client.post("/login/code/", {"email": home.member.email})
        for guess in range(6):
            answer = client.post("/login/code/confirm/", {"code": f"AAAA{guess:02}"})
            assert not inside(client)
            guesses += answer.status_code == 200
        most = max(most, guesses)
    assert len(mailoutbox) <= 4
    # The limit of tries ends each sign-in, whether a mail was sent or not.
    assert 0 < most <= 3


def test_no_reset_link_that_was_guessed_opens_a_form(home: House) -> None:
    rng, wanted = random.Random(SEED), set()
    uid = re.sub(r"^0+", "", _base36(home.member.pk))
    real = default_token_generator.make_token(home.member)
    keys = ["".join(rng.choices(string.ascii_lowercase + string.digits, k=39)) for _nth in range(TRIES)]
    keys += [real[:-1] + "0", real.upper(), real[:6], "set-password", real.partition("-")[0], "0-0", "-", "x" * 3000]
    for number, key in enumerate(keys):
        for person in (uid, "zzzzzz", "0"):
            answer = browser(number).get(f"/password/{person}-{key}/", follow=True)
            assert answer.status_code < 500
            assert b'name="password1"' not in answer.content
            wanted.add(answer.status_code)
    assert len(wanted) <= 2


def _base36(number: int) -> str:
    digits = string.digits + string.ascii_lowercase
    return ("" if number < 36 else _base36(number // 36)) + digits[number % 36]


def test_a_passkey_that_was_made_up_is_answered_the_same_for_everybody(home: House) -> None:
    url, seen = reverse("mfa_login_webauthn"), set()
    begun = browser(0).get(url, headers={"accept": "application/json", "x-requested-with": "XMLHttpRequest"})
    assert begun.status_code == 200
    assert "allowCredentials" not in json.dumps(begun.json()) or '"allowCredentials": []' in json.dumps(begun.json())
    for number, handle in enumerate((str(home.member.pk), str(home.owner.pk), "999999", "", "x" * 200)):
        client = browser(number)
        client.get(url, headers={"accept": "application/json", "x-requested-with": "XMLHttpRequest"})
        made_up = {"id": "AAAA", "rawId": "AAAA", "type": "public-key", "clientExtensionResults": {}}
        made_up["response"] = {
            "userHandle": handle,
            "signature": "AAAA",
            "clientDataJSON": "e30",
            "authenticatorData": "AA",
        }
        answer = client.post(url, {"credential": json.dumps(made_up)})
        assert answer.status_code < 500
        assert not inside(client)
        tokens = re.sub(rb"csrf[^\n]*|nonce=\S+", b"", answer.content)
        seen.add((answer.status_code, answer.headers.get("Location"), len(tokens) // 64))
    assert len(seen) == 1


def test_no_invitation_that_was_guessed_lets_anybody_in(home: House) -> None:
    made, rng = invitation_create(club=home.club, author=home.owner, role=Role.OWNER), random.Random(SEED)
    token, letters = made.token, string.ascii_letters + string.digits + "-_"
    guesses = ["".join(rng.choices(letters, k=len(token))) for _nth in range(TRIES)]
    guesses += [token[:-1], token + "A", token.swapcase(), token[::-1], token[:-1] + ("A" if token[-1] != "A" else "B")]
    guesses += [made.invitation.digest, str(made.invitation.pk), "join", "null"]
    before, seen = Membership.objects.count(), set()
    person = browser(0)
    person.force_login(house("sternen").member)
    before = Membership.objects.count()
    for number, guess in enumerate(guesses):
        for client in (browser(number), person):
            answers = client.get(f"/join/{guess}/"), client.post(f"/join/{guess}/")
            assert {answer.status_code for answer in answers} == {404}
            assert home.club.name not in answers[0].content.decode()
            seen.add(len(re.sub(rb"csrf[^\n]*|value=\S+", b"", answers[0].content).replace(guess.encode(), b"")))
    assert Membership.objects.count() == before
    assert Invitation.objects.get().used_at is None
    # One page for visitors, one for people who are signed in.
    assert len(seen) <= 4
