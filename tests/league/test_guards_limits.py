"""The limits of tries to sign in, each alone: the number of allowed tries, and the tries that do not count."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import time_machine
from allauth.account.adapter import get_adapter
from allauth.core.internal.ratelimit import get_ip
from django.http import HttpResponse
from django.test import RequestFactory

from league.accounts import sign_in_limits as limits
from league.web.client_networks import counted_address

pytestmark = pytest.mark.rest

HOME = "192.0.2.1"


def stranger() -> limits.HttpRequest:
    """A request of an unknown browser."""
    return RequestFactory().post("/login/")


def known(*addresses: str) -> limits.HttpRequest:
    """A request of a browser in which these people signed in before, in this order."""
    request = stranger()
    for address in addresses:
        answer = HttpResponse()
        limits.remember(request, answer, address)
        request.COOKIES[limits.KNOWN_COOKIE] = answer.cookies[limits.KNOWN_COOKIE].value
    return request


def allowed(request: limits.HttpRequest, of: Callable[[int], tuple[str, str]], tries: int = 50) -> int:
    """The number of tries that may check the password; `of` gives the nth mail and network address."""
    return sum(limits.spend(request, *of(n)).allowed for n in range(tries))


def test_one_place_tries_one_account_five_times() -> None:
    assert allowed(stranger(), lambda n: ("anna@example.org", HOME)) == limits.PAIR.most == 5


def test_one_place_tries_many_accounts_fifteen_times() -> None:
    assert allowed(stranger(), lambda n: (f"person{n}@example.org", HOME)) == limits.PLACE.most == 15


def test_all_addresses_of_a_network_of_ipv6_are_one_place() -> None:
    assert allowed(stranger(), lambda n: ("anna@example.org", f"2001:db8:0:7:{n}::1")) == limits.PAIR.most
    assert allowed(stranger(), lambda n: (f"person{n}@example.org", f"2001:db8:0:8::{n}")) == limits.PLACE.most
    assert limits.spend(stranger(), "anna@example.org", "2001:db8:0:9::1").allowed


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        (" 192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:DB8:0:7:1:2:3:4", "2001:db8:0:7::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("0.0.0.0", "0.0.0.0"),
        ("", ""),
        ("unknown", "unknown"),
    ],
)
def test_the_counted_network_of_an_address(address: str, counted: str) -> None:
    assert counted_address(address) == counted


def test_an_address_of_ipv4_within_ipv6_is_one_of_ipv4() -> None:
    """The library would count all of them as one network."""
    request = RequestFactory().post("/login/", REMOTE_ADDR="::ffff:192.0.2.1")
    assert (get_adapter().get_client_ip(request), get_ip(request)) == ("192.0.2.1", "192.0.2.1")


def test_many_places_try_one_account_fifteen_times() -> None:
    assert allowed(stranger(), lambda n: ("anna@example.org", f"192.0.2.{n}")) == limits.TARGET.most == 15


def test_a_known_browser_tries_its_account_ten_times_wherever_it_is() -> None:
    phone = known("anna@example.org")
    assert allowed(phone, lambda n: ("anna@example.org", f"192.0.2.{n}")) == limits.KNOWN.most == 10


def test_a_known_browser_is_a_stranger_to_other_accounts() -> None:
    assert allowed(known("anna@example.org"), lambda n: ("beni@example.org", HOME)) == limits.PAIR.most


def test_tries_of_strangers_use_up_none_of_a_known_browser() -> None:
    allowed(stranger(), lambda n: ("anna@example.org", f"192.0.2.{n}"))
    assert limits.spend(known("anna@example.org"), "anna@example.org", HOME).allowed


def test_a_refused_try_counts_for_no_other_limit() -> None:
    allowed(stranger(), lambda n: ("anna@example.org", HOME))
    assert (
        allowed(stranger(), lambda n: ("anna@example.org", f"198.51.100.{n}")) == limits.TARGET.most - limits.PAIR.most
    )
    assert allowed(stranger(), lambda n: (f"person{n}@example.org", HOME)) == limits.PLACE.most - limits.PAIR.most


def test_an_address_in_other_letters_is_the_same_account() -> None:
    forms = ["anna@example.org", " Anna@Example.org", "ANNA@EXAMPLE.ORG "]
    assert allowed(stranger(), lambda n: (forms[n % 3], HOME)) == limits.PAIR.most


def test_the_right_password_gives_its_try_back() -> None:
    for _ in range(limits.TARGET.most + 1):
        tries = limits.spend(stranger(), "anna@example.org", HOME)
        assert tries.allowed
        tries.give_back()


def test_a_browser_remembers_five_people() -> None:
    assert limits.KNOWN_ADDRESSES == 5
    people = [f"person{n}@example.org" for n in range(limits.KNOWN_ADDRESSES + 1)]
    shared = known(*people)
    tries = {person: allowed(shared, lambda n, p=person: (p, HOME)) for person in (people[1], people[0])}  # type: ignore[misc]
    assert tries == {people[1]: limits.KNOWN.most, people[0]: limits.PAIR.most}


@pytest.mark.parametrize("value", ["forged", "e30:1:2"])
def test_a_cookie_that_we_did_not_sign_makes_nobody_known(value: str) -> None:
    request = stranger()
    request.COOKIES[limits.KNOWN_COOKIE] = value
    assert allowed(request, lambda n: ("anna@example.org", HOME)) == limits.PAIR.most


def test_a_browser_is_known_for_a_year() -> None:
    with time_machine.travel("2026-01-01 12:00:00+01:00", tick=False):
        phone = known("anna@example.org")
    with time_machine.travel("2027-01-02 12:00:00+01:00", tick=False):
        assert allowed(phone, lambda n: ("anna@example.org", HOME)) == limits.PAIR.most


@pytest.mark.parametrize(("limit", "name"), [(limits.PAIR, "PAIR"), (limits.PLACE, "PLACE"), (limits.TARGET, "TARGET")])
def test_without_a_limit_its_tries_are_not_counted(
    limit: limits.Limit, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each in ("PAIR", "PLACE", "TARGET"):
        monkeypatch.setattr(limits, each, limits.Limit(10**6, limit.seconds))
    assert allowed(stranger(), lambda n: ("anna@example.org", HOME)) == 50
    monkeypatch.setattr(limits, name, limit)
    assert allowed(stranger(), lambda n: ("beni@example.org", "192.0.2.2")) == limit.most
