"""Guessing passwords and addresses: it costs the server little, reveals nothing, and locks nobody out."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import MD5PasswordHasher
from django.test import Client

from league.accounts import sign_in_limits
from tests.cast import House, house

# Hashes and limits do not depend on the database.
pytestmark = [pytest.mark.django_db, pytest.mark.rest]

# Of every run; GUESSES asks for more.
TRIES = int(os.environ.get("GUESSES", "200"))
ENOUGH = 100
"""More attempts than any limit allows."""
MOST_HASHES = 20
RIGHT = "kreuz-sieben"


@pytest.fixture
def home() -> House:
    return house("roessli")


class Counted:
    """Counts the password hashes that are computed."""

    hashes = 0


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    count = Counted()
    encode = MD5PasswordHasher.encode

    def encoded(self: Any, *args: Any, **kwargs: Any) -> str:
        count.hashes += 1
        return encode(self, *args, **kwargs)

    monkeypatch.setattr(MD5PasswordHasher, "encode", encoded)
    return count


def try_to_sign_in(client: Client, email: str, password: str, place: str = "192.0.2.1") -> Any:
    return client.post("/login/", {"username": email, "password": password}, REMOTE_ADDR=place)


def signed_in(answer: Any) -> bool:
    return bool(answer.status_code == 302)


def place(number: int) -> str:
    return f"198.51.{number // 250}.{number % 250 + 1}"


ATTACKS: dict[str, Callable[[int, House], tuple[str, str]]] = {
    "one address, one account": lambda n, home: (home.owner.email, "192.0.2.1"),
    "one address, many accounts": lambda n, home: (f"person{n}@example.org", "192.0.2.1"),
    "many addresses, one account": lambda n, home: (home.owner.email, place(n)),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_two_hundred_attempts_compute_twenty_hashes_at_most(home: House, counted: Counted, attack: str) -> None:
    client = Client()
    for n in range(TRIES):
        email, address = ATTACKS[attack](n, home)
        assert not signed_in(try_to_sign_in(client, email, f"guess-{n}", address))
    assert 0 < counted.hashes <= MOST_HASHES


@pytest.mark.parametrize("attack", ATTACKS)
def test_without_the_limits_each_attempt_computes_a_hash(
    home: House, counted: Counted, attack: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_in_limits, "spend", lambda *args: sign_in_limits.Tries(allowed=True))
    client = Client()
    for n in range(MOST_HASHES + 1):
        email, address = ATTACKS[attack](n, home)
        try_to_sign_in(client, email, f"guess-{n}", address)
    assert counted.hashes > MOST_HASHES


def test_the_owner_signs_in_from_elsewhere_during_an_attack(home: House) -> None:
    client = Client()
    for n in range(ENOUGH):
        try_to_sign_in(client, home.owner.email, f"guess-{n}")
    assert try_to_sign_in(client, home.owner.email, RIGHT).status_code == 429
    # On a new phone, from another network.
    assert signed_in(try_to_sign_in(Client(), home.owner.email, RIGHT, "203.0.113.9"))


def test_the_owner_signs_in_on_a_known_phone_during_an_attack_from_everywhere(home: House) -> None:
    phone = Client()
    assert signed_in(try_to_sign_in(phone, home.owner.email, RIGHT, "203.0.113.9"))
    phone.post("/logout/")
    for n in range(ENOUGH):
        try_to_sign_in(Client(), home.owner.email, f"guess-{n}", place(n))
    assert try_to_sign_in(Client(), home.owner.email, RIGHT, "203.0.113.9").status_code == 429
    assert signed_in(try_to_sign_in(phone, home.owner.email, RIGHT, "203.0.113.9"))


def test_a_phone_is_known_only_for_users_who_signed_in_on_it(home: House) -> None:
    phone = Client()
    try_to_sign_in(phone, home.member.email, RIGHT)
    phone.post("/logout/")
    for n in range(sign_in_limits.PAIR.most + 1):
        answer = try_to_sign_in(phone, home.owner.email, f"guess-{n}")
    assert answer.status_code == 429
    for n in range(sign_in_limits.KNOWN.most + 1):
        answer = try_to_sign_in(phone, home.member.email, f"guess-{n}")
    assert answer.status_code == 429


def test_a_forged_cookie_has_no_effect(home: House, counted: Counted) -> None:
    for n in range(50):
        client = Client()
        client.cookies[sign_in_limits.KNOWN_COOKIE] = f"forged-{n}"
        try_to_sign_in(client, home.owner.email, f"guess-{n}")
    assert counted.hashes <= sign_in_limits.PAIR.most


def test_the_right_password_does_not_count_as_an_attempt(home: House) -> None:
    for _ in range(sign_in_limits.PLACE.most + sign_in_limits.TARGET.most):
        assert signed_in(try_to_sign_in(Client(), home.owner.email, RIGHT))


def test_a_refused_attempt_says_when_to_try_again(home: House) -> None:
    client = Client(headers={"accept-language": "en"})
    for _ in range(sign_in_limits.PAIR.most + 1):
        answer = try_to_sign_in(client, home.owner.email, "wrong")
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0
    assert "Too many failed attempts" in answer.content.decode()
    assert home.owner.email in answer.content.decode()


MAIL_PAGES: dict[str, dict[str, str]] = {
    "/login/code/": {},
    "/password/": {},
    "/signup/": {"first_name": "Anna", "password1": "fahrrad lampe regen"},
}


def test_an_address_gets_four_mails_whichever_page_requests_them(
    home: House, settings: Any, mailoutbox: list[Any]
) -> None:
    settings.SIGNUP_OPEN = True
    EmailAddress.objects.create(user=home.owner, email=home.owner.email, primary=True, verified=True)
    for page, form in MAIL_PAGES.items():
        for _ in range(3):
            Client().post(page, {**form, "email": home.owner.email})
    assert len(mailoutbox) == sign_in_limits.MAILS.most == 4
    Client().post("/login/code/", {"email": home.member.email})
    assert len(mailoutbox) == 5


def test_without_the_limit_of_an_address_each_page_has_its_own(
    home: House, settings: Any, mailoutbox: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_in_limits, "may_send", lambda address: True)
    for page, form in list(MAIL_PAGES.items())[:2]:
        for _ in range(3):
            Client().post(page, {**form, "email": home.owner.email})
    assert len(mailoutbox) == 6


def test_the_link_of_an_attackers_mail_signs_the_owner_in(home: House, mailoutbox: list[Any]) -> None:
    for _ in range(6):
        Client().post("/login/code/", {"email": home.owner.email})
    link = re.search(r"http://testserver(/login/link/\S+)", mailoutbox[-1].body)
    assert link
    assert signed_in(Client().post(link[1]))


# --- Answers do not reveal addresses with an account ---------------------------------------------------------


ASKED = {
    "sign in": ("/login/", lambda email: {"username": email, "password": "wrong-password"}),
    "sign in by email": ("/login/code/", lambda email: {"email": email}),
    "new password": ("/password/", lambda email: {"email": email}),
    "sign up": (
        "/signup/",
        lambda email: {"first_name": "Anna", "email": email, "password1": "fahrrad lampe regen"},
    ),
}


@pytest.mark.parametrize("way", ASKED)
def test_an_address_with_an_account_is_answered_like_any_other(
    home: House, counted: Counted, settings: Any, mailoutbox: list[Any], way: str
) -> None:
    settings.SIGNUP_OPEN = True
    url, fields = ASKED[way]
    seen = []
    for email in (home.owner.email, "no" + home.owner.email[2:]):
        client, before, mails = Client(), counted.hashes, len(mailoutbox)
        first = client.post(url, fields(email))
        after = client.get(first.url) if first.status_code == 302 else first
        page = after.content.decode().replace(email, "…").replace(email.upper(), "…")
        tokens = [each for each in page.split("\n") if "csrfmiddlewaretoken" not in each]
        answer = (first.status_code, first.headers.get("Location"), after.status_code, tokens)
        seen.append((answer, counted.hashes - before, len(mailoutbox) - mails))
    assert seen[0] == seen[1]
