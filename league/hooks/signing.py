"""The signature of a message: HMAC-SHA256 over its time and its bytes. docs/webhooks.md shows how to check it."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable

HEADER = "Chratzete-Signature"
SECRET_PREFIX = "chzs_"  # noqa: S105 - how a secret begins, so that one that leaked is found
TOLERANCE_SECONDS = 300


def new_secret() -> str:
    """256 bits; its first letters say whose it is."""
    return SECRET_PREFIX + secrets.token_urlsafe(32)


def signature(secret: str, at: int, body: bytes) -> str:
    """The hexadecimal HMAC of `at` (seconds since 1970), a full stop and the body."""
    return hmac.new(secret.encode(), b"%d." % at + body, hashlib.sha256).hexdigest()


def header(keys: Iterable[str], at: int, body: bytes) -> str:
    """`t=…,v1=…`, with one `v1` for each secret that is valid."""
    return ",".join([f"t={at}", *(f"v1={signature(secret, at, body)}" for secret in keys)])


def verify(secret: str, told: str, body: bytes, now: float, tolerance: int = TOLERANCE_SECONDS) -> bool:
    """Whether a header was made with this secret, over this body, within `tolerance` seconds of `now`."""
    parts = [part.partition("=") for part in told.split(",")]
    times = [value for name, _, value in parts if name == "t"]
    if len(times) != 1 or not (times[0].isascii() and times[0].isdecimal()) or len(times[0]) > 12:
        return False
    at = int(times[0])
    wanted = signature(secret, at, body)
    matches = [hmac.compare_digest(wanted.encode(), value.encode()) for name, _, value in parts if name == "v1"]
    return any(matches) and abs(now - at) <= tolerance
