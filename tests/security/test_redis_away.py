"""While Redis is away, every limit of sign-in and of the API holds, and signing in waits for Redis once."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable, Iterator
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import cache
from django.core.cache.backends.dummy import DummyCache
from django.test import Client

from league.accounts import sign_in_limits
from league.config import cache as cache_module
from league.config import celery, redis_away
from league.models import User
from tests import redis_faults, servers
from tests.api.api_client import ApiClient, key_for
from tests.cast import House, house
from tests.processes import Process
from tests.second_factors import app_for, code_of

pytestmark = [pytest.mark.rest, pytest.mark.django_db]

# Each limit is far below.
GUESSES = 200
MAILS = 20
PASSWORD = "kreuz-sieben"
SIGN_IN_SECONDS = 3.0


@pytest.fixture
def home() -> House:
    return house("roessli")


@pytest.fixture(params=redis_faults.FAULTS)
def away(request: pytest.FixtureRequest, settings: Any) -> Iterator[str]:
    with redis_faults.at(request.param) as url, redis_faults.cache_at(url, settings):
        yield url


@pytest.fixture
def hung(settings: Any) -> Iterator[str]:
    with redis_faults.hung() as url, redis_faults.cache_at(url, settings):
        yield url


@pytest.fixture
def without_own_counters(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache that is away is an empty cache."""
    monkeypatch.setattr(cache_module, "LocMemCache", DummyCache)


class Counted:
    """Counts the calls of a method."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> None:
        self.calls, original = 0, getattr(owner, name)

        def counted(*args: Any, **kwargs: Any) -> Any:
            self.calls += 1
            return original(*args, **kwargs)

        monkeypatch.setattr(owner, name, counted)


def try_password(user: User, password: str, client: Client | None = None) -> Any:
    return (client or Client()).post("/login/", {"username": user.email, "password": password})


def guess_codes(user: User, guesses: int) -> None:
    client = Client()
    assert try_password(user, PASSWORD, client).url == "/login/factor/"
    for n in range(guesses):
        client.post("/login/factor/", {"code": f"{n:06}"})


def ask_for_mails(user: User, each: int) -> None:
    EmailAddress.objects.get_or_create(user=user, email=user.email, primary=True, verified=True)
    sign_up = {"first_name": "Anna", "email": user.email, "password1": "fahrrad lampe regen"}
    asked = {"/login/code/": {"email": user.email}, "/password/": {"email": user.email}, "/signup/": sign_up}
    for page, form in asked.items():
        for _ in range(each):
            Client().post(page, form)


def test_codes_are_checked_five_times(home: House, away: str, monkeypatch: pytest.MonkeyPatch) -> None:
    app_for(home.owner)
    checked = Counted(monkeypatch, TOTP, "validate_code")
    guess_codes(home.owner, GUESSES)
    assert 0 < checked.calls <= 5


def test_without_own_counters_every_code_is_checked(
    home: House, hung: str, without_own_counters: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    app_for(home.owner)
    checked = Counted(monkeypatch, TOTP, "validate_code")
    guess_codes(home.owner, 12)
    assert checked.calls == 12


def test_twenty_requests_of_each_kind_send_four_mails(
    home: House, away: str, settings: Any, mailoutbox: list[Any]
) -> None:
    settings.SIGNUP_OPEN = True
    ask_for_mails(home.owner, MAILS)
    assert len(mailoutbox) == sign_in_limits.MAILS.most == 4


def test_without_own_counters_every_request_sends_a_mail(
    home: House, hung: str, without_own_counters: None, mailoutbox: list[Any]
) -> None:
    for _ in range(MAILS):
        Client().post("/login/code/", {"email": home.owner.email})
    assert len(mailoutbox) == MAILS


def test_passwords_are_hashed_five_times(home: House, away: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed = Counted(monkeypatch, MD5PasswordHasher, "encode")
    for n in range(GUESSES):
        try_password(home.owner, f"guess-{n}")
    assert 0 < hashed.calls <= sign_in_limits.PAIR.most


def test_without_own_counters_every_password_is_hashed(
    home: House, hung: str, without_own_counters: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed = Counted(monkeypatch, MD5PasswordHasher, "encode")
    for n in range(12):
        try_password(home.owner, f"guess-{n}")
    assert hashed.calls >= 12


def api_statuses(home: House, settings: Any) -> list[int]:
    settings.API_LIMITS = {who: {"read": 3, "write": 2} for who in ("key", "person", "address")}
    asks = ApiClient(key=key_for(home.owner))
    return [asks.get("me").status_code for _ in range(5)]


def test_the_limits_of_the_api_hold(home: House, away: str, settings: Any, one_minute: None) -> None:
    assert api_statuses(home, settings) == [200, 200, 200, 429, 429]


def test_without_own_counters_the_api_has_no_limits(
    home: House, hung: str, settings: Any, without_own_counters: None
) -> None:
    assert api_statuses(home, settings) == [200] * 5


# --- One memory --------------------------------------------------------------------------------------------


def sign_in_with_a_code(user: User) -> None:
    secret, client = app_for(user), Client()
    assert try_password(user, PASSWORD, client).url == "/login/factor/"
    assert client.post("/login/factor/", {"code": code_of(secret)}).url == "/"


def test_signing_in_waits_once_for_a_hung_redis(home: House, hung: str, monkeypatch: pytest.MonkeyPatch) -> None:
    waits = Counted(monkeypatch, redis_away, "failed")
    sign_in_with_a_code(home.owner)
    assert waits.calls == 1


def test_without_the_memory_it_waits_for_every_use(home: House, hung: str, monkeypatch: pytest.MonkeyPatch) -> None:
    waits = Counted(monkeypatch, redis_away, "failed")
    monkeypatch.setattr(redis_away, "is_away", lambda: False)
    sign_in_with_a_code(home.owner)
    assert waits.calls > 5


def test_after_a_failure_of_the_cache_no_wake_up_is_tried(hung: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = Counted(monkeypatch, celery.app, "send_task")
    cache.get("anything")
    assert not celery.wake("league.jobs.tasks.sweep")
    assert sent.calls == 0
    redis_away.forget()
    celery.wake("league.jobs.tasks.sweep")
    assert sent.calls == 1


def test_a_full_redis_is_away_until_it_takes_a_write(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_away, "PAUSE_SECONDS", 0.0)
    with redis_faults.at("full") as url, redis_faults.cache_at(url, settings):
        cache.set("tries", 3)
        assert cache.get("tries") == 3
        assert redis_away.is_away()
        redis_faults.give_memory(url, 0)
        assert not redis_away.is_away()
        assert cache.get("tries") is None
        cache.set("tries", 4)
        redis_faults.give_memory(url, 1)
        assert cache.get("tries") == 4


@pytest.mark.parametrize("fault", redis_faults.FAULTS)
def test_a_cache_that_is_away_is_a_cache_of_the_process(fault: str, settings: Any) -> None:
    with redis_faults.at(fault) as url, redis_faults.cache_at(url, settings):
        assert cache.add("a", 1) is True
        assert cache.add("a", 2) is False
        assert cache.incr("a", 4) == 5
        cache.set_many({"b": "x", "c": "y"})
        assert cache.get_many(["a", "b", "d"]) == {"a": 5, "b": "x"}
        assert cache.touch("b", 60)
        assert cache.has_key("b")
        assert cache.delete("b")
        assert not cache.has_key("b")
        cache.delete_many(["c"])
        assert cache.get("c", "none") == "none"
        cache.clear()
        assert cache.get("a") is None


# --- The real server -----------------------------------------------------------------------------------------


def opened(opener: OpenerDirector, url: str, form: dict[str, str] | None = None) -> str:
    page = opener.open(url).read().decode()
    if form is None:
        return str(page)
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert token is not None
    data = urlencode({**form, "csrfmiddlewaretoken": token[1]}).encode()
    return str(opener.open(url, data).geturl())


def seconds_to_sign_in(server: Process, user: User) -> float:
    secret = app_for(user)
    opener = build_opener(HTTPCookieProcessor(CookieJar()))
    began = time.monotonic()
    form = {"username": user.email, "password": PASSWORD}
    assert opened(opener, f"{server.url}/login/", form).endswith("/login/factor/")
    assert opened(opener, f"{server.url}/login/factor/", {"code": code_of(secret)}) == f"{server.url}/c/roessli/"
    assert "logout" in opened(opener, f"{server.url}/account/")
    return time.monotonic() - began


@pytest.mark.django_db(transaction=True)
def test_signing_in_takes_three_seconds_at_most(web_server: Callable[..., Process]) -> None:
    home = house("roessli")
    with servers.redis() as redis:
        server = web_server(REDIS_URL=redis.url, WEB_PROCESSES="1")
        seconds_to_sign_in(server, home.owner)
        redis.process.send_signal(signal.SIGSTOP)
        try:
            assert seconds_to_sign_in(server, home.member) <= SIGN_IN_SECONDS
        finally:
            redis.process.send_signal(signal.SIGCONT)
