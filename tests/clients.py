"""Browsers of people and visitors, for tests of pages, and the pages that the service keeps for them."""

from __future__ import annotations

from django.core.cache import caches
from django.test import Client

from league.models import User
from league.web import page_versions


def reader(person: User | None = None, language: str = "en") -> Client:
    """Return a browser in this language: a visitor's, or one in which `person` is signed in."""
    client = Client(headers={"accept-language": language})
    if person is not None:
        client.force_login(person)
    return client


def visitor(language: str = "de", **cookies: str) -> Client:
    """Return a visitor's browser with these cookies."""
    client = reader(language=language)
    for name, value in cookies.items():
        client.cookies[name] = value
    return client


def signed_in(person: User, language: str = "de") -> Client:
    """Return a browser in which `person` is signed in."""
    return reader(person, language)


def forget_pages() -> None:
    """Delete all kept pages, those of this process and those of the cache."""
    page_versions._nearest.clear()
    caches["pages"].clear()
