"""How often a password may be tried. A refused try computes no hash, so that trying costs the server nothing.

A browser in which somebody signed in before is *known* for that address by a signed cookie and counts by itself:
whoever tries passwords for an address from elsewhere can use up the tries of strangers, and not those of its owner.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field

from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.core.cache.backends.locmem import LocMemCache
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac
from redis.exceptions import RedisError

KNOWN_COOKIE = "known"
KNOWN_SECONDS = 365 * 24 * 3600
KNOWN_ADDRESSES = 5
"""So many people may share a browser and be known in it."""


@dataclass(frozen=True)
class Limit:
    """`most` tries that failed within `seconds`."""

    most: int
    seconds: int


PAIR = Limit(5, 15 * 60)
"""From one network address for one mail address."""
PLACE = Limit(15, 15 * 60)
"""From one network address, whatever it tries."""
TARGET = Limit(15, 60 * 60)
"""For one mail address from all browsers in which it is not known."""
KNOWN = Limit(10, 15 * 60)
"""For one mail address from a browser in which it is known."""

# Where the shared cache is away each process counts for itself: better than not at all.
_own = LocMemCache("tries", {})


@dataclass
class Tries:
    """What one try has used up. `allowed`: whether the password may be looked at."""

    allowed: bool
    used: list[str] = field(default_factory=list)

    def give_back(self) -> None:
        """The password was right: it was no try."""
        for key in self.used:
            _add(key, -1, 0)
        self.used = []


def spend(request: HttpRequest, address: str, place: str) -> Tries:
    """Use up a try for a mail address from a network address. What is used up stays so when it was one too many."""
    mail = _mark(address)
    known = _known(request)
    if mail in known.get("mails", []):
        limits = [(f"known:{known['id']}:{mail}", KNOWN)]
    else:
        at = hashlib.sha256(place.encode()).hexdigest()[:16]
        limits = [(f"pair:{at}:{mail}", PAIR), (f"place:{at}", PLACE), (f"target:{mail}", TARGET)]
    tries = Tries(allowed=True)
    for name, limit in limits:
        key = f"tries:{name}"
        if _add(key, 1, limit.seconds) > limit.most:
            # The wider limits are not touched by what the narrow one refused.
            tries.allowed = False
            break
        tries.used.append(key)
    return tries


def _add(key: str, amount: int, seconds: int) -> int:
    for store in (cache, _own):
        try:
            store.add(key, 0, seconds)
            return int(store.incr(key, amount))
        except ValueError:
            # It ran out between the two lines.
            return max(amount, 0)
        except RedisError:
            continue
    return 1


def _mark(address: str) -> str:
    """A mail address as keys and cookies have it: not to be read back."""
    return salted_hmac("league.accounts.known", address.strip().lower(), algorithm="sha256").hexdigest()[:32]


def _known(request: HttpRequest) -> dict[str, str | list[str]]:
    try:
        found = signing.loads(request.COOKIES.get(KNOWN_COOKIE, ""), salt=KNOWN_COOKIE, max_age=KNOWN_SECONDS)
    except signing.BadSignature:
        return {}
    return found if isinstance(found, dict) else {}


def remember(request: HttpRequest, response: HttpResponse, address: str) -> None:
    """From now on the address is known in this browser."""
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
