"""Sign messages: HMAC-SHA256 over time and body. docs/webhooks.md shows how a receiver checks it."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable

HEADER = "Chratzete-Signature"
SECRET_PREFIX = "chzs_"  # noqa: S105 - a prefix, so that a leaked secret is found
TOLERANCE_SECONDS = 300


def new_secret() -> str:
    """Return a new secret of 256 bits, with a prefix that identifies it."""
    return SECRET_PREFIX + secrets.token_urlsafe(32)


def signature(secret: str, timestamp: int, body: bytes) -> str:
    """Return the hexadecimal HMAC of `timestamp` (seconds since 1970), a full stop and the body."""
    return hmac.new(secret.encode(), b"%d." % timestamp + body, hashlib.sha256).hexdigest()


def header(keys: Iterable[str], timestamp: int, body: bytes) -> str:
    """Return the header `t=…,v1=…`, with one `v1` for each valid secret."""
    return ",".join([f"t={timestamp}", *(f"v1={signature(secret, timestamp, body)}" for secret in keys)])


def verify(secret: str, header_sent: str, body: bytes, now: float, tolerance: int = TOLERANCE_SECONDS) -> bool:
    """Return True if the header signs this body with this secret, within `tolerance` seconds of `now`."""
    parts = [part.partition("=") for part in header_sent.split(",")]
    times = [value for name, _, value in parts if name == "t"]
    if len(times) != 1 or not (times[0].isascii() and times[0].isdecimal()) or len(times[0]) > 12:
        return False
    timestamp = int(times[0])
    wanted = signature(secret, timestamp, body)
    matches = [hmac.compare_digest(wanted.encode(), value.encode()) for name, _, value in parts if name == "v1"]
    return any(matches) and abs(now - timestamp) <= tolerance
