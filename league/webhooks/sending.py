"""Send one message to one address: over TLS, to a public machine, within ten seconds; only the answer's status is used.

The address comes from a user and is not trusted. Its name is resolved once, every address of the name must be public,
and the connection goes to an address that was checked: a name that resolves differently the second time has no effect.
Redirects are not followed, the environment's proxies are not used.
"""

from __future__ import annotations

import contextlib
import http.client
import io
import ipaddress
import queue
import re
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

TIMEOUT_SECONDS = 10.0
MAX_ANSWER_BYTES = 4 * 1024
MAX_HEAD_BYTES = 32 * 1024

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# The registries of special addresses (RFC 6890 and later), without those that the whole internet reaches.
PRIVATE_4 = [
    ipaddress.IPv4Network(network)
    for network in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24"),
        *("203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
    )
]
GLOBAL_6 = ipaddress.IPv6Network("2000::/3")
"""All addresses that were given out so far. Those outside are local, reserved, or for many receivers."""
PRIVATE_6 = [
    # For protocols (Teredo and ORCHID among them), documentation, 6to4 and documentation again.
    ipaddress.IPv6Network(network)
    for network in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
]
TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")
"""A machine without IPv4 reaches IPv4 addresses inside these."""

LOCAL_NAMES = frozenset({"localhost", "localdomain", "local", "internal", "intranet", "lan", "home", "corp", "onion"})
"""Last parts of names that no public name has (RFC 6761, 6762, 7686 and 9476, ICANN); also `home.arpa` (RFC 8375)."""
MAX_NAME = 254
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")


@dataclass(frozen=True)
class Reach:
    """What messages may reach besides public machines over TLS: `http` without TLS, `private` own networks."""

    http: bool = False
    private: bool = False


def of_webhooks() -> Reach:
    """Return what webhooks may reach, by the settings of the server."""
    return Reach(http=bool(settings.WEBHOOKS_HTTP), private=bool(settings.WEBHOOKS_PRIVATE))


class Fault(Exception):
    """A message did not arrive; `code` is one of `league.webhooks.delivery_sentences.FAULTS`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Sent:
    """The outcome of a try. `status` is None without an answer; `error` is empty if the message arrived."""

    status: int | None
    error: str
    took_ms: int


def target(url: str, reach: Reach | None = None) -> SplitResult:
    """Parse an address to which messages may be sent: by webhooks, unless `reach` says otherwise. Resolves no name.

    Raises:
        Fault: `url` for a malformed address, `scheme` for one without TLS, `number` for a number in another notation
            than 192.0.2.1, `private` for a number or name that is not public.
    """
    reach = reach or of_webhooks()
    try:
        parts = urlsplit(url)
        named = parts.hostname or ""
        # urlsplit checks the port only when it is read.
        wrong = parts.port == 0
        named.encode("idna")
    except (ValueError, UnicodeError):
        raise Fault("url") from None
    if not url.isascii() or any(c.isspace() or not c.isprintable() for c in url):
        raise Fault("url")
    if parts.scheme not in ("https", "http") or not named or wrong or "@" in parts.netloc or parts.fragment:
        raise Fault("url")
    if "[" in parts.netloc and ":" not in named:
        raise Fault("url")
    if parts.scheme == "http" and not reach.http:
        raise Fault("scheme")
    try:
        number = ipaddress.ip_address(named)
    except ValueError:
        _check_name(named, reach)
        return parts
    if not allowed(number, reach):
        raise Fault("private")
    return parts


def _check_name(named: str, reach: Reach) -> None:
    """Raise Fault (`url`, `number`, `private`) for a name that cannot be one of the public internet."""
    labels = named.removesuffix(".").split(".")
    if len(named) > MAX_NAME or not all(map(_LABEL.fullmatch, labels)):
        raise Fault("url")
    # Resolvers take such names for numbers: 0, 127.1, 0x7f.1, 017700000001, 2130706433.
    if _NUMBER.fullmatch(labels[-1]):
        raise Fault("number")
    local = len(labels) == 1 or labels[-1] in LOCAL_NAMES or labels[-2:] == ["home", "arpa"]
    if local and not reach.private:
        raise Fault("private")


def public(address: Address) -> bool:
    """Return True for a machine of the public internet; an IPv4 address inside an IPv6 one must be public too.

    The lists are our own: what Python takes for global differs from release to release.
    """
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in PRIVATE_4)
    if address.scope_id is not None:
        return False
    if address.ipv4_mapped is not None:
        return public(address.ipv4_mapped)
    if address in TRANSLATED:
        return public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return address in GLOBAL_6 and not any(address in network for network in PRIVATE_6)


def allowed(address: Address, reach: Reach | None = None) -> bool:
    """Return True for public machines, or for any if own networks may be reached."""
    return (reach or of_webhooks()).private or public(address)


def resolve(host: str, port: int, seconds: float, reach: Reach | None = None) -> list[str]:
    """Return the addresses of a name, all of them allowed. Raises Fault (`dns`, `private`, `timeout`)."""
    answers: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def look_up() -> None:
        try:
            answers.put(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as fault:
            answers.put(fault)

    # The system's resolver has its own time-out: a thread that is left behind ends with that.
    threading.Thread(target=look_up, name="webhook-resolver", daemon=True).start()
    try:
        answer = answers.get(timeout=seconds)
    except queue.Empty:
        raise Fault("timeout") from None
    if isinstance(answer, Exception):
        raise Fault("dns") from answer
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in answer))
    if not addresses:
        raise Fault("dns")
    if not all(allowed(ipaddress.ip_address(address), reach) for address in addresses):
        raise Fault("private")
    return addresses


class _Incoming(io.RawIOBase):
    """The answer, up to a number of bytes and a deadline: a receiver that sends a byte a second is cut off too."""

    def __init__(self, sock: socket.socket, until: float) -> None:
        self._sock, self._until, self._left = sock, until, MAX_HEAD_BYTES + MAX_ANSWER_BYTES

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        if self._left <= 0:
            return 0
        self._sock.settimeout(left)
        count = self._sock.recv_into(buffer, min(len(buffer), self._left))
        self._left -= count
        return count


class _Line:
    """The socket as `http.client` uses it, with one deadline for the whole exchange."""

    def __init__(self, sock: socket.socket, until: float) -> None:
        self._sock, self._until = sock, until

    def sendall(self, data: bytes) -> None:
        self._sock.settimeout(max(self._until - time.monotonic(), 0.001))
        self._sock.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Incoming(self._sock, self._until))

    def close(self) -> None:
        self._sock.close()


class _Pinned(http.client.HTTPConnection):
    """A connection to an address that was checked; TLS verifies the name of the URL."""

    def __init__(self, parts: SplitResult, addresses: list[str], until: float) -> None:
        secure = parts.scheme == "https"
        self.default_port = 443 if secure else 80
        super().__init__(parts.hostname or "", parts.port or self.default_port)
        self._addresses, self._until, self._secure = addresses, until, secure

    def connect(self) -> None:
        sock = self._reach()
        if self._secure:
            sock.settimeout(max(self._until - time.monotonic(), 0.001))
            try:
                sock = ssl.create_default_context().wrap_socket(sock, server_hostname=self.host)
            except BaseException:
                sock.close()
                raise
        self.sock = _Line(sock, self._until)

    def _reach(self) -> socket.socket:
        """Connect to the first address that answers; each gets its share of the remaining time."""
        fault: OSError = TimeoutError()
        for nth, address in enumerate(self._addresses):
            left = (self._until - time.monotonic()) / (len(self._addresses) - nth)
            if left <= 0:
                raise TimeoutError
            try:
                return socket.create_connection((address, self.port), left)
            except OSError as error:
                fault = error
        raise fault


def post(
    url: str, body: bytes, headers: Mapping[str, str], seconds: float = TIMEOUT_SECONDS, reach: Reach | None = None
) -> Sent:
    """Send the body and wait for the answer's status, for `seconds` in all. Network faults are returned, not raised."""
    began = time.monotonic()
    status, error = None, ""
    try:
        status = _exchange(url, body, headers, began + seconds, reach or of_webhooks())
        if 300 <= status < 400:
            error = "redirect"
        elif not 200 <= status < 300:
            error = "status"
    except Fault as fault:
        error = fault.code
    except TimeoutError:
        error = "timeout"
    except ssl.SSLError:
        error = "tls"
    except ConnectionRefusedError:
        error = "refused"
    except http.client.RemoteDisconnected:
        error = "reset"
    except http.client.HTTPException:
        error = "answer"
    except OSError:
        error = "reset"
    return Sent(status, error, round((time.monotonic() - began) * 1000))


def _exchange(url: str, body: bytes, headers: Mapping[str, str], until: float, reach: Reach) -> int:
    parts = target(url, reach)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    addresses = resolve(host, port, until - time.monotonic(), reach)
    connection = _Pinned(parts, addresses, until)
    try:
        where = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", where, body=body, headers={**headers, "Connection": "close"})
        answer = connection.getresponse()
        # The status has arrived; the rest of the answer is read to close the connection cleanly, and dropped.
        with contextlib.suppress(http.client.HTTPException, OSError):
            answer.read(MAX_ANSWER_BYTES)
        return int(answer.status)
    finally:
        connection.close()
