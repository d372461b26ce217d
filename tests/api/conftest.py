"""Fixtures of the API tests: people, their clients, and an open table."""

from __future__ import annotations

import pytest

from games.models import Table
from tests.api.api_client import ApiClient, key_for
from tests.cast import Cast, cast
from tests.factories import create_table


@pytest.fixture
def people() -> Cast:
    return cast()


@pytest.fixture
def api(people: Cast) -> ApiClient:
    """The API with a key of the recorder."""
    return ApiClient(key=key_for(people.home.recorder, "read", "record"))


@pytest.fixture
def owner(people: Cast) -> ApiClient:
    """The API with a key of the owner that has every scope."""
    return ApiClient(key=key_for(people.home.owner))


@pytest.fixture
def table(people: Cast) -> Table:
    return create_table(club=people.home.club, season=people.home.season)
