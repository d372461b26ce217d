"""Pages are read in English here, whatever catalogues happen to be compiled.

Where a test has another cast, its own fixtures come before these.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from tests.cast import Cast, House, cast

from .hook_receiver import Receiver, receiver


@pytest.fixture
def en() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture
def people() -> Cast:
    return cast()


@pytest.fixture
def owner(client: Client, people: Cast) -> Client:
    client.force_login(people.home.owner)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    return client


@pytest.fixture
def house(settings: Any) -> House:
    """A club whose webhooks may go to this machine."""
    settings.HOOKS_PRIVATE = settings.HOOKS_HTTP = True
    return cast().home


@pytest.fixture
def there() -> Iterator[Receiver]:
    with receiver() as server:
        yield server
