"""Services speak the language that is active; these tests read English."""

from collections.abc import Iterator

import pytest
from django.test import Client
from django.utils import translation

from tests.cast import Cast, House, cast, house
from tests.clients import reader


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture
def people() -> Cast:
    return cast()


@pytest.fixture
def home() -> House:
    return house("roessli")


@pytest.fixture
def recorder(home: House) -> Client:
    return reader(home.recorder)
