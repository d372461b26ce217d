"""Fixtures of the API tests: people, their clients, an open table, and a tournament."""

from __future__ import annotations

from typing import Any

import pytest

from games.models import Table
from tests.api.api_client import ApiClient, done, key_for
from tests.cast import Cast, cast
from tests.factories import create_table

NEW = {"name": "Klausturnier", "starts_on": "2026-12-05", "begins_at": "19:30", "preset": "evening"}
PATH = "clubs/roessli/tournaments/klausturnier"


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


@pytest.fixture
def tournament(owner: ApiClient) -> dict[str, Any]:
    """A tournament in preparation, with tables of three."""
    parts = {"rounds": 2, "wished": 3, "most": 4, "drop_worst": 0}
    made: dict[str, Any] = done(owner.post("clubs/roessli/tournaments", {**NEW, "format": parts}))
    return made


@pytest.fixture
def entered(owner: ApiClient, tournament: dict[str, Any]) -> dict[str, Any]:
    """The tournament, open, with six guests who are here."""
    done(owner.post(f"{PATH}/state", {"step": "open"}))
    people = [{"guest": name, "here": True} for name in ("Anna", "Beni", "Carlo", "Doris", "Emil", "Fritz")]
    done(owner.post(f"{PATH}/entrants", {"people": people}))
    return tournament


@pytest.fixture
def playing(owner: ApiClient, entered: dict[str, Any]) -> dict[str, Any]:
    """The tournament in its first round, which has begun."""
    drawn = done(owner.post(f"{PATH}/draws", {"seed": 7}))
    done(owner.post(f"{PATH}/draws/{drawn['id']}/publish"))
    done(owner.post(f"{PATH}/rounds/1/start"))
    return entered
