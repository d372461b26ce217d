"""Guards of webhooks that no other test looks for: odd signatures, odd addresses, receivers that never end."""

from __future__ import annotations

import ipaddress
import socket
import threading
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from league.webhooks import sending, signing

pytestmark = pytest.mark.rest

AT, BODY, SECRET = 1_800_000_000, b"{}", "chzs_one"


@pytest.fixture
def header() -> str:
    return signing.header([SECRET], AT, BODY)


# --- The signature's time ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("now", "good"), [(AT - 301, False), (AT - 300, True), (AT + 300, True), (AT + 301, False)])
def test_a_signature_holds_for_five_minutes_before_and_after_its_time(header: str, now: int, good: bool) -> None:
    assert signing.verify(SECRET, header, BODY, now) is good


def test_without_the_tolerance_an_old_message_could_be_sent_again(header: str) -> None:
    assert signing.verify(SECRET, header, BODY, AT + 10**6, tolerance=10**9)


def test_a_signature_with_two_times_is_invalid(header: str) -> None:
    assert not signing.verify(SECRET, f"{header},t={AT + 10**6}", BODY, AT)


def test_a_time_in_digits_of_another_script_is_invalid(header: str) -> None:
    arabic = str(AT).translate({ord(str(digit)): chr(0x0660 + digit) for digit in range(10)})
    assert not signing.verify(SECRET, header.replace(str(AT), arabic), BODY, AT)


def test_a_time_of_thousands_of_digits_is_invalid(header: str) -> None:
    # Python refuses to read a number of more than 4300 digits.
    assert not signing.verify(SECRET, header.replace(str(AT), "9" * 5000), BODY, AT)


# --- The address ------------------------------------------------------------------------------------------------


def test_a_name_that_no_resolver_can_ask_for_is_refused_when_it_is_entered() -> None:
    with pytest.raises(sending.Fault) as caught:
        sending.target(f"https://{'a' * 64}.example/")
    assert caught.value.code == "url"


def test_an_address_of_one_network_card_is_not_public() -> None:
    assert sending.public(ipaddress.ip_address("2606:4700:4700::1111"))
    assert not sending.public(ipaddress.ip_address("2606:4700:4700::1111%eth0"))


def test_a_resolver_that_hangs_is_abandoned_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    done = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **more: done.wait(30) and [])
    began = time.monotonic()
    with pytest.raises(sending.Fault) as caught:
        sending.resolve("receiver.example", 443, 0.05)
    assert caught.value.code == "timeout"
    assert time.monotonic() - began < 5
    done.set()


# --- Answers of receivers ---------------------------------------------------------------------------------------


@pytest.fixture
def line() -> Iterator[tuple[socket.socket, socket.socket]]:
    """Our end of a connection, and the receiver's."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def test_an_endless_answer_is_read_up_to_the_limit(line: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = line
    most = sending.MAX_HEAD_BYTES + sending.MAX_ANSWER_BYTES
    writer = threading.Thread(target=_write, args=(theirs, b"x" * most * 2), daemon=True)
    writer.start()
    answer = sending._Line(ours, time.monotonic() + 30).makefile("rb")
    assert len(answer.read()) == most
    ours.close()
    writer.join()


def _write(sock: socket.socket, data: bytes) -> None:
    try:
        sock.sendall(data)
        sock.shutdown(socket.SHUT_WR)
    except OSError:
        return


def test_a_receiver_that_sends_nothing_is_abandoned_at_the_deadline(
    line: tuple[socket.socket, socket.socket],
) -> None:
    began = time.monotonic()
    answer = sending._Line(line[0], began + 0.05).makefile("rb")
    with pytest.raises(TimeoutError):
        answer.read(1)
    assert time.monotonic() - began < 4
    with pytest.raises(TimeoutError):
        answer.read(1)


def test_no_address_is_tried_after_the_deadline() -> None:
    pinned = sending._Pinned(urlsplit("https://receiver.example/"), ["1.1.1.1"], time.monotonic() - 1)
    with pytest.raises(TimeoutError):
        pinned._reach()
