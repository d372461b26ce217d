"""The phone refuses the same numbers as the server."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from games.engine_bridge import MAX_SEATS
from games.models import MAX_NUMBER
from games.night.body import MOST_WRITES
from league.models import Player

NICKNAME = Player._meta.get_field("nickname").max_length


WRITES, OUTBOX = "night/writes.js", "outbox.js"


def limit_of(script: str, name: str) -> int:
    """Return the value of a constant of a script."""
    text = Path(settings.BASE_DIR, "static", "js", script).read_text()
    (number,) = re.findall(rf"^const {name} = ([0-9_]+);", text, re.MULTILINE)
    return int(number.replace("_", ""))


@pytest.mark.parametrize(
    ("script", "name", "value"),
    [
        (WRITES, "MOST_NUMBER", MAX_NUMBER),
        (WRITES, "MOST_SEATS", MAX_SEATS),
        (WRITES, "LONGEST_NICKNAME", NICKNAME),
        (OUTBOX, "MOST_WRITES", MOST_WRITES),
    ],
)
def test_a_limit_has_the_value_of_the_server(script: str, name: str, value: int) -> None:
    assert limit_of(script, name) == value


def test_one_request_carries_up_to_fifty_writes() -> None:
    assert MOST_WRITES == 50
