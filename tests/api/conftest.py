"""Who asks, and at which table, in the tests of the nights."""

from __future__ import annotations

import pytest

from games.models import Table
from tests.api.asking import Asker, key_for
from tests.cast import Cast, cast
from tests.factories import open_table


@pytest.fixture
def people() -> Cast:
    return cast()


@pytest.fixture
def asks(people: Cast) -> Asker:
    """The recorder's program."""
    return Asker(key=key_for(people.home.recorder, "read", "record"))


@pytest.fixture
def owner(people: Cast) -> Asker:
    """The owner's program, with every scope."""
    return Asker(key=key_for(people.home.owner))


@pytest.fixture
def table(people: Cast) -> Table:
    return open_table(club=people.home.club, season=people.home.season)
