"""Browsers of people and visitors, for tests of pages, and the pages that the service keeps for them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib import admin
from django.core.cache import caches
from django.http import HttpRequest
from django.test import Client

from league.models import User


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


def shown(page: str) -> str:
    """Return a page without the game words that its script looks for in it."""
    return re.sub(r'<template id="word-note".*?</template>', "", page, flags=re.DOTALL)


def forget_pages() -> None:
    """Delete all kept pages."""
    caches["pages"].clear()


def keep_admin_models(patch: pytest.MonkeyPatch) -> None:
    """List the models of the admin once, for one person: each of its pages lists them, which takes half of the time."""
    list_models, kept = admin.site.get_app_list, dict[str | None, list[Any]]()

    def once(request: HttpRequest, app_label: str | None = None) -> list[Any]:
        if app_label not in kept:
            kept[app_label] = list_models(request, app_label)
        return kept[app_label]

    patch.setattr(admin.site, "get_app_list", once)
