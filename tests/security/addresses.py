"""Every named address of the product, with a value for each of its parameters."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.urls.resolvers import RoutePattern

FILLED: dict[str, Any] = {
    "SlugConverter": "nowhere",
    "IntConverter": 1,
    "UUIDConverter": uuid.UUID(int=7),
    "StringConverter": "x",
    "PathConverter": "x",
}
IN_EXPRESSIONS = {"uidb36": "1", "key": "set-password", "url": "x", "app_label": "league"}


@dataclass(frozen=True)
class Address:
    """One address: its name with namespaces, its path, its view, and the names of its parameters."""

    name: str
    path: str
    view: Any
    parameters: frozenset[str]


def every_address(resolver: URLResolver | None = None, spaces: tuple[str, ...] = ()) -> Iterator[Address]:
    """Yield all named addresses, those of the admin included."""
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLResolver):
            yield from every_address(entry, (*spaces, entry.namespace) if entry.namespace else spaces)
        elif isinstance(entry, URLPattern) and entry.name:
            name = ":".join((*spaces, entry.name))
            filled = _filled(entry)
            yield Address(name, reverse(name, kwargs=filled), entry.callback, frozenset(filled))


def _filled(entry: URLPattern) -> dict[str, Any]:
    if isinstance(entry.pattern, RoutePattern):
        return {name: FILLED[type(each).__name__] for name, each in entry.pattern.converters.items()}
    return {name: IN_EXPRESSIONS[name] for name in entry.pattern.regex.groupindex}
