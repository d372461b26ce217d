"""Browsers of people, for tests of pages."""

from __future__ import annotations

from django.test import Client

from league.models import User


def reader(person: User | None = None, language: str = "en") -> Client:
    """Return a browser in this language: a visitor's, or one in which `person` is signed in."""
    client = Client(headers={"accept-language": language})
    if person is not None:
        client.force_login(person)
    return client
