"""One message over a real connection: its content, its faults, and its deadline."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import ssl
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from league.webhooks import sending, signing
from league.webhooks.sending import Fault, Sent

from . import webhook_receiver as receivers
from .webhook_receiver import Receiver, receiver

HERE = ("127.0.0.1", "::1", "::ffff:127.0.0.1", "0.0.0.0", "::", "::127.0.0.1")
NETWORK = ("10.0.0.1", "172.16.3.4", "192.168.1.1", "100.64.0.1", "fd00::1", "fe80::1", "fe80::1%eth0", "fec0::1")
CLOUD = ("169.254.169.254", "fd00:ec2::254", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1")
ODD = ("224.0.0.1", "ff02::1", "240.0.0.1", "255.255.255.255", "192.0.2.1", "2001:db8::1", "64:ff9b::7f00:1")
# Addresses that Python takes for global, at least in some releases.
ONCE_GLOBAL = (
    "192.0.0.9",
    "192.0.0.170",
    "192.88.99.1",
    "3fff::1",
    "3fff:fff::1",
    "5f00::1",
    "2001:20::1",
    "2001:1::1",
)
ONCE_GLOBAL += (
    "100::1",
    "100:0:0:1::1",
    "64:ff9b:1::808:808",
    "2002:808:808::1",
    "2001:0:808:808::1",
    "::808:808",
    "4000::1",
)
PUBLIC = ("1.1.1.1", "185.12.64.1", "192.0.1.1", "192.88.98.1", "100.128.0.1", "2606:4700:4700::1111", "2a02:1205::1")
PUBLIC += ("2001:200::1", "2001:8a0::1", "64:ff9b::808:808", "::ffff:8.8.8.8")

# Resolvers take these for addresses.
NUMBERS = (
    "0",
    "127.1",
    "10.1",
    "2130706433",
    "017700000001",
    "0177.0.0.1",
    "010.0.0.1",
    "0x7f000001",
    "0x7f.1",
    "0x7F.0.0.1",
)
NUMBERS += (
    "127.0.0.1.",
    "127.0.0.0x1",
    "127.0.0.0x",
    "1.1",
    "16843009",
    "256.1.1.1",
    "1.2.3.4.5",
    "4294967296",
    "host.1",
)
LOCAL = ("localhost", "LOCALHOST", "localhost.", "a.localhost", "localhost.localdomain", "intranet", "db", "ai")
LOCAL += (
    "printer.local",
    "metadata.google.internal",
    "router.lan",
    "x.home.arpa",
    "club.onion",
    "nas.home",
    "wiki.corp",
)
NO_NAMES = (
    "a..example.org",
    ".",
    "..",
    "-a.example.org",
    "a-.example.org",
    "127%2e0.0.1",
    "a%00.example.org",
    "[v1.a]",
)
NO_NAMES += ("a$b.example.org", "a*.example.org", "a" * 64 + ".org", ".".join(["a" * 60] * 5))


@pytest.fixture
def open_door(settings: Any) -> Any:
    """Allow receivers on this machine without TLS."""
    settings.WEBHOOKS_PRIVATE = settings.WEBHOOKS_HTTP = True
    return settings


@pytest.fixture
def there(open_door: Any) -> Iterator[Receiver]:
    with receiver() as server:
        yield server


def post(url: str, body: bytes = b"{}", seconds: float = 5.0) -> Sent:
    return sending.post(url, body, {"X-Test": "1"}, seconds)


# --- The address ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", [*HERE, *NETWORK, *CLOUD, *ODD, *ONCE_GLOBAL])
def test_an_address_that_is_not_public_is_refused(address: str) -> None:
    assert not sending.public(ipaddress.ip_address(address))


def test_the_judgement_does_not_depend_on_python(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (ipaddress.IPv4Address, ipaddress.IPv6Address):
        for name in ("is_global", "is_private", "is_reserved", "is_multicast", "is_unspecified", "is_site_local"):
            monkeypatch.setattr(kind, name, property(lambda self: 1 / 0), raising=False)
    for address in (*HERE, *NETWORK, *CLOUD, *ODD, *ONCE_GLOBAL):
        assert not sending.public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_allowed(address: str) -> None:
    assert sending.public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("https://127.0.0.1/x", "private"),
        ("https://[::1]/x", "private"),
        ("https://[::ffff:10.0.0.1]/x", "private"),
        ("https://169.254.169.254/latest/meta-data/", "private"),
        ("http://example.org/x", "scheme"),
        ("ftp://example.org/x", "url"),
        ("file:///etc/passwd", "url"),
        ("https:///x", "url"),
        ("https://user:word@example.org/", "url"),
        ("https://example.org:99999/", "url"),
        ("https://example.org:0/", "url"),
        ("https://example.org/#part", "url"),
        ("https://example.org/a b", "url"),
        ("https://example.org/a\r\nX: y", "url"),
        ("https://exämple.org/", "url"),
        ("javascript:alert(1)", "url"),
        ("", "url"),
        ("https://[1::2", "url"),
        *((f"https://{number}/", "number") for number in NUMBERS),
        *((f"https://{name}/", "private") for name in LOCAL),
        *((f"https://{name}/", "url") for name in NO_NAMES),
    ],
)
def test_an_invalid_address_is_refused_before_its_name_is_resolved(url: str, code: str) -> None:
    with pytest.raises(Fault) as refused:
        sending.target(url)
    assert refused.value.code == code


@pytest.mark.parametrize("name", ["localhost", "2130706433", "0x7f.1", "127.1", "0"])
def test_a_name_of_this_machine_is_refused(name: str) -> None:
    with receiver() as server:
        sent = post(f"https://{name}:{server.port}/messages")
    assert sent.error in ("private", "number")
    assert not server.got


def names(*answers: list[str]) -> Callable[..., Any]:
    """A resolver that returns these addresses, one list a call."""
    left = list(answers)

    def getaddrinfo(host: str, port: int, *args: Any, **more: Any) -> list[Any]:
        resolved = left.pop(0) if len(left) > 1 else left[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in resolved]

    return getaddrinfo


def test_one_private_address_among_public_ones_is_enough_to_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", names(["1.1.1.1", "10.0.0.1"]))
    assert post("https://receiver.example/").error == "private"


def test_a_name_that_resolves_differently_the_second_time_has_no_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    """DNS rebinding: public when it is checked, this machine when the connection is made."""
    reached: list[Any] = []

    def connect(address: Any, *args: Any, **more: Any) -> Any:
        reached.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", names(["1.1.1.1"], ["127.0.0.1"]))
    monkeypatch.setattr(socket, "create_connection", connect)
    assert post("https://receiver.example/").error == "refused"
    assert reached == [("1.1.1.1", 443)]


def test_a_client_that_resolves_twice_would_connect_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: check the name, then let the library resolve it again."""
    with receiver() as server:
        monkeypatch.setattr(socket, "getaddrinfo", names(["1.1.1.1"], ["127.0.0.1"]))
        url = f"http://receiver.example:{server.port}/messages"
        sending.resolve("receiver.example", server.port, 1)
        urllib.request.urlopen(url, timeout=5).close()
        assert len(server.got) == 1


def test_a_resolver_that_hangs_is_abandoned(monkeypatch: pytest.MonkeyPatch) -> None:
    done = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **more: done.wait(30) and [])
    sent = post("https://receiver.example/", seconds=0.3)
    done.set()
    assert sent.error == "timeout"
    assert sent.took_ms < 15_000


# --- Answers of receivers ---------------------------------------------------------------------------------


def test_a_message_arrives_as_it_is(there: Receiver) -> None:
    sent = post(there.url + "?a=1", "für Anna".encode())
    assert (sent.status, sent.error) == (204, "")
    [got] = there.got
    assert got.body == "für Anna".encode()
    assert got.headers["Host"] == f"127.0.0.1:{there.port}"
    assert got.headers["X-Test"] == "1"


@pytest.mark.parametrize(
    ("reply", "status", "error"),
    [
        (receivers.answers(200, b"thanks"), 200, ""),
        (receivers.answers(500), 500, "status"),
        (receivers.answers(404), 404, "status"),
        (receivers.resets, None, "reset"),
        (receivers.babbles, None, "answer"),
        (receivers.endless, 200, ""),
    ],
    ids=["thanked", "failed", "unknown", "reset", "babbled", "endless"],
)
def test_every_fault_has_its_code(there: Receiver, reply: Any, status: int | None, error: str) -> None:
    there.reply = reply
    sent = post(there.url)
    assert (sent.status, sent.error) == (status, error)


def test_an_address_without_a_receiver(open_door: Any) -> None:
    with receiver() as gone:
        url = gone.url
    assert post(url).error == "refused"


def test_a_redirection_is_not_followed(there: Receiver) -> None:
    with receiver() as other:
        there.reply = receivers.answers(307, Location=other.url)
        sent = post(there.url)
    assert (sent.status, sent.error) == (307, "redirect")
    assert not other.got


@pytest.mark.parametrize("reply", [receivers.slow(30), receivers.drips], ids=["silent", "dripping"])
def test_the_whole_exchange_has_one_deadline(there: Receiver, reply: Any) -> None:
    there.reply = reply
    sent = post(there.url, seconds=0.6)
    assert sent.error == "timeout"
    # The receiver would take half a minute, or never end.
    assert sent.took_ms < 15_000


def test_a_time_out_for_each_read_would_never_end(there: Receiver) -> None:
    """The twin: the time-out of the library begins again with each byte."""
    there.reply = receivers.drips
    began = time.monotonic()
    request = urllib.request.Request(there.url, b"{}", method="POST")

    def ask() -> None:
        # It ends with the receiver, after the test.
        with contextlib.suppress(OSError):
            urllib.request.urlopen(request, timeout=0.6)

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(2)
    assert asking.is_alive()
    assert time.monotonic() - began >= 2


# --- TLS --------------------------------------------------------------------------------------------------


def certificate(name: str, folder: Path) -> tuple[Path, Path]:
    """Create a self-signed certificate for a name, and its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(
        issuer_name=subject,
        subject_name=subject,
        public_key=key.public_key(),
        serial_number=1,
        not_valid_before=now - timedelta(days=1),
        not_valid_after=now + timedelta(days=1),
        extensions=[
            x509.Extension(x509.SubjectAlternativeName.oid, False, x509.SubjectAlternativeName([x509.DNSName(name)]))
        ],
    ).sign(key, hashes.SHA256())
    paths = folder / "certificate.pem", folder / "key.pem"
    paths[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    formats = (serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    paths[1].write_bytes(key.private_bytes(serialization.Encoding.PEM, *formats))
    return paths


@pytest.mark.parametrize(
    ("asked", "trusted", "error"),
    [("receiver.example", True, ""), ("other.example", True, "tls"), ("receiver.example", False, "tls")],
    ids=["right", "another name", "unknown authority"],
)
def test_the_certificate_is_that_of_the_name_though_the_address_is_pinned(
    open_door: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: str, trusted: bool, error: str
) -> None:
    chain, key = certificate("receiver.example", tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, key)
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(chain))
    with receiver() as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        monkeypatch.setattr(socket, "getaddrinfo", names(["127.0.0.1"]))
        assert post(f"https://{asked}:{server.port}/messages").error == error
        assert len(server.got) == (0 if error else 1)


# --- The signature ----------------------------------------------------------------------------------------

BODY = b'{"id":"1"}'


def test_a_signature_is_that_of_its_secret_body_and_time() -> None:
    signed = signing.header(["chzs_one"], 1_800_000_000, BODY)
    assert signing.verify("chzs_one", signed, BODY, 1_800_000_010)
    assert not signing.verify("chzs_two", signed, BODY, 1_800_000_010)
    assert not signing.verify("chzs_one", signed, BODY + b" ", 1_800_000_010)
    assert not signing.verify("chzs_one", signed, BODY, 1_800_000_400)
    assert not signing.verify("chzs_one", signed.replace("t=18", "t=19"), BODY, 1_900_000_010)


def test_while_a_secret_is_replaced_both_are_valid() -> None:
    signed = signing.header(["chzs_new", "chzs_old"], 1_800_000_000, BODY)
    assert signing.verify("chzs_new", signed, BODY, 1_800_000_000)
    assert signing.verify("chzs_old", signed, BODY, 1_800_000_000)


@pytest.mark.parametrize(
    "signed", ["", "t=,v1=", "v1=abc", "t=x,v1=abc", "t=1,t=2,v1=abc", "t=" + "9" * 400, "t=²,v1=é"]
)
def test_a_malformed_header_is_no_signature(signed: str) -> None:
    assert not signing.verify("chzs_one", signed, BODY, 0)


def test_the_signature_is_the_documented_one() -> None:
    """The value was computed with `openssl dgst -sha256 -hmac`."""
    wanted = "501caf821723694f1d9c51dcd72ad93df7edee3d7f3777ba9853ad91c47a1f12"
    assert signing.signature("chzs_example", 1_800_000_000, BODY) == wanted
