"""Ids of rows that are stored in large numbers: a later id is greater, so that an index of them grows at its end.

With random ids each stored hand changes pages all over the indexes of its rows; once these no longer fit into memory,
each such page is read first.
"""

from __future__ import annotations

import os
import time
import uuid
from datetime import datetime

VERSION, VARIANT = 7 << 76, 2 << 62
FIXED_BITS = 15 << 76 | 3 << 62
RANDOM_BYTES = 10


def ordered_id() -> uuid.UUID:
    """Return a new UUID of version 7: the milliseconds since 1970, then 74 random bits (RFC 9562, 5.7)."""
    return _of(time.time_ns() // 1_000_000, int.from_bytes(os.urandom(RANDOM_BYTES), "big"))


def first_id(moment: datetime) -> uuid.UUID:
    """Return an id that is not greater than any made since `moment`."""
    return _of(int(moment.timestamp() * 1000), 0)


def _of(milliseconds: int, more: int) -> uuid.UUID:
    return uuid.UUID(int=(milliseconds << 80 | more) & ~FIXED_BITS | VERSION | VARIANT)
