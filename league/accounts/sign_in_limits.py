"""Limits for trying passwords and for requesting mails. A refused try computes no hash: it costs the server little.

A browser in which a user signed in before is *known* for that mail address by a signed cookie, and has a limit of its
own: an attacker who tries passwords from elsewhere cannot use up the tries of the owner.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field

from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from league.web.client_networks import counted_address

KNOWN_COOKIE = "known"
KNOWN_SECONDS = 365 * 24 * 3600
KNOWN_ADDRESSES = 5
"""The number of mail addresses for which one browser can be known."""


@dataclass(frozen=True)
class Limit:
    """At most `most` failed tries or mails within `seconds`."""

    most: int
    seconds: int


PAIR = Limit(5, 15 * 60)
"""From one network address (of IPv6: one /64 network) for one mail address."""
PLACE = Limit(15, 15 * 60)
"""From one network address, for any mail address."""
TARGET = Limit(15, 60 * 60)
"""For one mail address from all browsers in which it is not known."""
KNOWN = Limit(10, 15 * 60)
"""For one mail address from a browser in which it is known."""
MAILS = Limit(4, 15 * 60)
"""Mails that anybody can request, to one mail address."""


@dataclass
class Tries:
    """The counters that one try has raised. `allowed`: the password may be checked."""

    allowed: bool
    used: list[str] = field(default_factory=list)

    def give_back(self) -> None:
        """Lower the counters again, as the password was right."""
        for key in self.used:
            _add(key, -1, 0)
        self.used = []


def spend(request: HttpRequest, address: str, place: str) -> Tries:
    """Count a try for a mail address from a network address. A refused try is counted, too."""
    mail = _mark(address)
    known = _known(request)
    if mail in known.get("mails", []):
        limits = [(f"known:{known['id']}:{mail}", KNOWN)]
    else:
        mark = mark_of_place(place)
        limits = [(f"pair:{mark}:{mail}", PAIR), (f"place:{mark}", PLACE), (f"target:{mail}", TARGET)]
    tries = Tries(allowed=True)
    for name, limit in limits:
        key = f"tries:{name}"
        if _add(key, 1, limit.seconds) > limit.most:
            # A try that the narrow limit refuses does not count for the wider limits.
            tries.allowed = False
            break
        tries.used.append(key)
    return tries


def mark_of_place(place: str) -> str:
    """Return the hash of a network address for counters."""
    return hashlib.sha256(counted_address(place).encode()).hexdigest()[:16]


def spent(name: str, limit: Limit) -> bool:
    """Return True if a counter is at its limit. Nothing is counted."""
    return int(cache.get(f"tries:{name}") or 0) >= limit.most


def count(name: str, limit: Limit) -> None:
    """Count a failed try of another kind than a password."""
    _add(f"tries:{name}", 1, limit.seconds)


def may_send(address: str) -> bool:
    """Count a mail to this address. Returns False if it has had enough of them."""
    return _add(f"mails:{_mark(address)}", 1, MAILS.seconds) <= MAILS.most


def _add(key: str, amount: int, seconds: int) -> int:
    cache.add(key, 0, seconds)
    try:
        return int(cache.incr(key, amount))
    except ValueError:
        # The counter expired between the two calls, or Redis is away since the first.
        cache.add(key, max(amount, 0), seconds)
        return max(amount, 0)


def _mark(address: str) -> str:
    """Return the keyed hash of a mail address for cache keys and cookies."""
    return salted_hmac("league.accounts.known", address.strip().lower(), algorithm="sha256").hexdigest()[:32]


def _known(request: HttpRequest) -> dict[str, str | list[str]]:
    try:
        marks = signing.loads(request.COOKIES.get(KNOWN_COOKIE, ""), salt=KNOWN_COOKIE, max_age=KNOWN_SECONDS)
    except signing.BadSignature:
        return {}
    return marks if isinstance(marks, dict) else {}


def remember(request: HttpRequest, response: HttpResponse, address: str) -> None:
    """Set the cookie that makes the address known in this browser."""
    known, mail = _known(request), _mark(address)
    mails = [mail, *(each for each in known.get("mails", []) if each != mail)][:KNOWN_ADDRESSES]
    value = {"id": known.get("id") or secrets.token_hex(8), "mails": mails}
    response.set_cookie(
        KNOWN_COOKIE,
        signing.dumps(value, salt=KNOWN_COOKIE),
        max_age=KNOWN_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
