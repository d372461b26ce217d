"""Parts of pages whose news come by the event stream (`league.stream`): each declares the topics of its news.

The stream asks the view of the part itself if the reader may see it: the request is marked, and the view answers 204
in place of the part, after all its checks (`league.web.polling`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve

View = TypeVar("View", bound=Callable[..., HttpResponseBase])
Topics = Callable[..., tuple[str, ...]]
"""Returns the topics of the object with these names of a URL (`league.news`); none if there is no such object."""


def streamed(topics: Topics) -> Callable[[View], View]:
    """Declare the topics of the part that a view renders."""

    def declare(view: View) -> View:
        view._streamed = topics  # type: ignore[attr-defined]
        return view

    return declare


def topics_of(path: str) -> tuple[str, ...]:
    """Return the topics of the part with this path; none for any other page."""
    try:
        match = resolve(path)
    except Resolver404:
        return ()
    topics: Topics | None = getattr(match.func, "_streamed", None)
    return topics(**match.kwargs) if topics else ()


def mark_as_check(request: HttpRequest) -> None:
    """Let this request check the rights alone."""
    request.checks_rights_alone = True  # type: ignore[attr-defined]


def is_check(request: HttpRequest) -> bool:
    """Return True if the request checks the rights alone."""
    return getattr(request, "checks_rights_alone", False)
