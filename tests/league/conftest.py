"""Fixtures of the league's tests: English texts, the cast, a signed-in owner, a receiver of webhooks, the texts of
pictures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from league.sharing.drawing import Picture
from tests.cast import Cast, House, cast

from .webhook_receiver import Receiver, receiver


@pytest.fixture
def en() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture
def people() -> Cast:
    return cast()


@pytest.fixture
def home(people: Cast) -> House:
    return people.home


@pytest.fixture
def owner(client: Client, people: Cast) -> Client:
    client.force_login(people.home.owner)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    return client


@pytest.fixture
def house(settings: Any) -> House:
    """A club whose webhooks may go to this machine."""
    settings.WEBHOOKS_PRIVATE = settings.WEBHOOKS_HTTP = True
    return cast().home


@pytest.fixture
def there() -> Iterator[Receiver]:
    with receiver() as server:
        yield server


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that the pictures drawn in a test have. A picture is not packed: its body is its texts."""
    texts: list[str] = []
    write = Picture.text
    written: dict[Picture, list[str]] = {}

    def noted(self: Picture, x: float, y: float, text: str, size: float, **more: Any) -> float:
        texts.append(text)
        written.setdefault(self, []).append(text)
        return write(self, x, y, text, size, **more)

    monkeypatch.setattr(Picture, "text", noted)
    monkeypatch.setattr(Picture, "png", lambda self: "\n".join(written[self]).encode())
    return texts
