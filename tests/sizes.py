"""The sizes of tests at random: small while a person waits for them, full in the rest of a run."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TypeVar

Size = TypeVar("Size")

FULL = "full"
IS_FULL = os.environ.get("TEST_SIZE") == FULL
"""`make test-rest` sets it."""
THIRDS = 3


def sized(small: Size, full: Size) -> Size:
    """Return the size of this run. A test that calls this is marked `sized`."""
    return full if IS_FULL else small


END_OF_RUN = float(os.environ.get("TEST_END", "inf"))
"""The time in Unix seconds after which no further test begins."""
OVER = "left out: the time of this run is over"
"""What the report of such a test says."""


def in_turn_of_today(items: list[Size]) -> list[Size]:
    """Return the items from another one on each day, where a run may leave out its last ones."""
    if math.isinf(END_OF_RUN) or not items:
        return items
    first = datetime.now(UTC).toordinal() * 97 % len(items)
    return items[first:] + items[:first]


def third_of_today() -> int:
    """Return the number (from 0) of the third that a short run takes today of screens, cells of tables and tests."""
    return datetime.now(UTC).toordinal() % THIRDS


def today(items: Sequence[Size]) -> list[Size]:
    """Return each third item, others each day, and in the rest of a run the other ones: both runs have all of them."""
    own = third_of_today()
    return [item for number, item in enumerate(items) if (number % THIRDS == own) != IS_FULL]
