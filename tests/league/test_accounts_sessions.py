"""The list of a user's sessions, and ending them from another device."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client
from django.utils import translation

from league.accounts.selectors import device
from league.accounts.signals import network_of
from league.models import AuditEntry, User
from tests.cast import House

pytestmark = pytest.mark.django_db

ENGINE = "(KHTML, like Gecko)"
PHONE = f"Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 {ENGINE} Chrome/140.0 Mobile Safari/537.36"
LAPTOP = f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1 {ENGINE} Version/18.0 Safari/605.1"
PAGE = "/account/sessions/"


def signed_in(user: User, agent: str, place: str = "192.0.2.77") -> Client:
    client = Client(headers={"user-agent": agent, "accept-language": "en"}, REMOTE_ADDR=place)
    client.post("/login/", {"username": user.email, "password": "kreuz-sieben"})
    assert inside(client)
    return client


def inside(client: Client) -> bool:
    return bool(client.get("/account/").status_code == 200)


def test_each_session_is_listed_with_device_and_network_only(home: House) -> None:
    phone = signed_in(home.member, PHONE)
    signed_in(home.member, LAPTOP, "2001:db8:aaaa:bbbb::1")
    page = phone.get(PAGE).content.decode()
    assert "Chrome, Android" in page
    assert "Safari, Mac" in page
    assert "192.0.2.0" in page
    assert "2001:db8:aaaa::" in page
    assert "192.0.2.77" not in page
    assert "bbbb" not in str(list(UserSession.objects.values()))


def test_a_session_ended_from_elsewhere_ends_at_once(home: House) -> None:
    phone, laptop = signed_in(home.member, PHONE), signed_in(home.member, LAPTOP)
    lost = UserSession.objects.get(session_key=phone.session.session_key)
    laptop.post(PAGE, {"session": lost.pk})
    assert not inside(phone)
    assert inside(laptop)
    assert AuditEntry.objects.get(what="sessions_ended").data == {"count": 1}


def test_all_others_end_together(home: House) -> None:
    phone, laptop, tablet = (signed_in(home.member, PHONE) for _ in range(3))
    laptop.post(PAGE)
    assert [inside(each) for each in (phone, laptop, tablet)] == [False, True, False]


def test_an_invalid_session_number_ends_no_session(home: House) -> None:
    phone, laptop = signed_in(home.member, PHONE), signed_in(home.member, LAPTOP)
    laptop.post(PAGE, {"session": "1’234"})
    assert inside(phone)


def test_nobody_ends_the_session_of_another_user(home: House) -> None:
    owner, member = signed_in(home.owner, PHONE), signed_in(home.member, PHONE)
    theirs = UserSession.objects.get(user=home.owner)
    for sent in (theirs.pk, 10**18, "x", "", "-1", "²", "9" * 5000):
        assert member.post(PAGE, {"session": sent}).status_code == 302
    assert inside(owner)
    assert f'name="session" value="{theirs.pk}"' not in member.get(PAGE).content.decode()


def test_the_last_use_is_stored_every_quarter_of_an_hour(
    home: House, time_machine: Any, django_assert_max_num_queries: Any
) -> None:
    time_machine.move_to("2026-11-21T20:00:00Z", tick=False)
    phone = signed_in(home.member, PHONE)
    begun = UserSession.objects.get().last_seen_at
    time_machine.move_to("2026-11-21T20:14:00Z", tick=False)
    phone.get("/")
    assert UserSession.objects.get().last_seen_at == begun
    time_machine.move_to("2026-11-21T20:16:00Z", tick=False)
    phone.get("/")
    assert (UserSession.objects.get().last_seen_at - begun).total_seconds() == 16 * 60


def test_a_page_for_a_visitor_writes_nothing(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        Client().get("/calculator/")


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        (PHONE, "Chrome, Android"),
        (LAPTOP, "Safari, Mac"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Windows"),
        ("curl/8.0", "unknown browser"),
        ("", "unknown browser"),
    ],
)
def test_a_browser_is_named_for_people(agent: str, said: str) -> None:
    with translation.override("en"):
        assert device(agent) == said


@pytest.mark.parametrize(
    ("ip", "network"),
    [("192.0.2.77", "192.0.2.0"), ("2001:db8:1:2:3::4", "2001:db8:1::"), ("::1", "::"), ("0.0.0.0", "0.0.0.0")],
)
def test_only_the_network_of_an_address_is_stored(ip: str, network: str) -> None:
    assert network_of(ip) == network
