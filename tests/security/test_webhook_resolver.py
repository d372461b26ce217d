"""A resolver of the test's own answers for the name of a webhook: no answer and no redirect leads the server inside."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Any

import pytest

from league.webhooks import sending
from tests.league import webhook_receiver as receivers
from tests.league.webhook_receiver import Receiver, receiver

pytestmark = pytest.mark.rest

OUTSIDE = "1.1.1.1"
INSIDE = (
    *("127.0.0.1", "10.0.0.7", "192.168.0.1", "169.254.169.254", "0.0.0.0", "100.64.0.1", "224.0.0.1"),
    *("::1", "::", "fe80::1", "fd00::1", "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"),
)
REDIRECTS = (300, 301, 302, 303, 304, 305, 307, 308, 399)


class Resolver:
    """Answers each question with the next of these lists of addresses, and again from the first one. A connection that
    names a host is a further question, as for a library that resolves by itself."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *answers: Sequence[str], to: int = 0) -> None:
        self.answers: Iterator[Sequence[str]] = cycle(answers)
        self.asked: list[str] = []
        self.reached: list[str] = []
        self.to = to
        self.connect = socket.create_connection
        monkeypatch.setattr(socket, "getaddrinfo", self.getaddrinfo)
        monkeypatch.setattr(socket, "create_connection", self.create_connection)

    def getaddrinfo(self, host: str, port: int, *_args: Any, **_more: Any) -> list[Any]:
        self.asked.append(host)
        answer = next(self.answers)
        kind = socket.SOCK_STREAM
        return [(socket.AF_INET6 if ":" in ip else socket.AF_INET, kind, 6, "", (ip, port)) for ip in answer]

    def create_connection(self, address: tuple[str, int], *args: Any, **more: Any) -> socket.socket:
        host, port = address
        try:
            number = str(ipaddress.ip_address(host))
        except ValueError:
            number = str(self.getaddrinfo(host, port)[0][4][0])
        self.reached.append(number)
        if not self.to:
            raise ConnectionRefusedError
        # The receiver of the test stands for the public machine.
        inherited, socket.getaddrinfo = socket.getaddrinfo, _real
        try:
            return self.connect(("127.0.0.1", self.to), *args, **more)
        finally:
            socket.getaddrinfo = inherited


_real = socket.getaddrinfo


def sent(name: str = "receiver.example", scheme: str = "https", tries: int = 1) -> list[str]:
    url = f"{scheme}://{name}/messages"
    return [sending.post(url, b"{}", {"Content-Type": "application/json"}, 2).error for _nth in range(tries)]


@pytest.mark.parametrize("inside", INSIDE)
def test_no_order_of_answers_leads_inside(monkeypatch: pytest.MonkeyPatch, inside: str) -> None:
    for answers in (
        ([inside],),
        ([OUTSIDE, inside],),
        ([inside, OUTSIDE],),
        ([OUTSIDE], [inside]),
        ([inside], [OUTSIDE]),
        ([OUTSIDE], [OUTSIDE, inside], [inside]),
    ):
        resolver = Resolver(monkeypatch, *answers)
        errors = sent(tries=2 * len(answers))
        assert set(errors) <= {"private", "refused"}
        assert "private" in errors
        assert set(resolver.reached) <= {OUTSIDE}, answers
        # One question for each try: what is checked is what is called.
        assert len(resolver.asked) == len(errors)


def test_a_resolver_that_answers_nothing_or_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    Resolver(monkeypatch, [])
    assert sent() == ["dns"]
    many = [f"1.1.{n // 250}.{n % 250 + 1}" for n in range(2000)]
    resolver = Resolver(monkeypatch, [*many, "127.0.0.1"])
    assert sent() == ["private"]
    assert resolver.reached == []


@pytest.fixture
def there() -> Iterator[Receiver]:
    with receiver() as server:
        yield server


@pytest.mark.parametrize("status", REDIRECTS)
def test_a_redirect_leads_nowhere(monkeypatch: pytest.MonkeyPatch, there: Receiver, settings: Any, status: int) -> None:
    settings.WEBHOOKS_HTTP = True
    for target in (
        "http://127.0.0.1:80/",
        "https://169.254.169.254/latest/",
        "//localhost/",
        "/other",
        "file:///etc/passwd",
    ):
        resolver = Resolver(monkeypatch, [OUTSIDE], to=there.port)
        there.reply = receivers.answers(status, Location=target)
        assert sent(scheme="http") == ["redirect"]
        assert resolver.asked == ["receiver.example"]
        assert resolver.reached == [OUTSIDE]
    assert {got.headers["Host"] for got in there.got} == {"receiver.example"}
