"""Fixtures of tournaments: the cast, its home club, a desk."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import translation

from tests.cast import Cast, House, cast, house
from tests.tournaments.desk_pages import Desk


@pytest.fixture
def en() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture
def people() -> Cast:
    return cast()


@pytest.fixture
def home() -> House:
    return house("roessli")


@pytest.fixture
def desk(people: Cast) -> Desk:
    """The owner's desk of a tournament with eight people who are here."""
    desk = Desk(people)
    desk.create()
    desk.enter()
    return desk
