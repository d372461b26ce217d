"""Pages with many readers: rendered once for all visitors, and answered at once without a change.

A view that is `versioned` has a function that reads, in one query, the state of its data: numbers that change with each
change of the data (`league.ClubVersion`, marks, times). The middleware reads the state before anything else, so
that an answer is never older than the state it is kept or known under.

- The page for visitors depends on the state, the language and the version of the program alone, without `BASE_URL` also
  on the host. It is kept in the cache under these, and rendered again only after a change.
- A page that polls carries a look: a signed digest of the state, bound to the session. While the state is the same,
  a poll with its look is answered 304, before session, user and rights are read. The answer is only 'not
  changed': a reader who has lost the right sees nothing new with it.
"""

from __future__ import annotations

import gzip
import hashlib
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlencode

from django.conf import settings
from django.core import signing
from django.core.cache import caches
from django.core.exceptions import DisallowedHost
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language_from_request

from ..access import table_cards
from . import app_version
from .streamed import is_check

KEPT_SECONDS = 600
SLOTS = 32
"""The most pages with parameters that are kept of one address: whoever asks for each day fills no cache."""
LOOK_SECONDS = 600
LOOK_HEADER = "Look"
LOOK_LATER = "look-of-the-session"
"""Stands in a part that is kept for many, in place of the look."""
SALT = "league.web.page_versions"


class _Kept(NamedTuple):
    """An answer for all visitors; the body is compressed."""

    headers: tuple[tuple[str, str], ...]
    body: bytes
    etag: str
    key: str


_rendering = [threading.Lock() for _ in range(64)]

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


class State(NamedTuple):
    """The state of a page's data, as numbers. `public`: visitors may read it."""

    public: bool
    numbers: tuple[object, ...]


ReadState = Callable[..., State | None]
"""Reads the state of the object with these names of a URL, in one query; None if there is none."""


@dataclass(frozen=True)
class _Versioned:
    read: ReadState
    query: tuple[str, ...]


def versioned(read: ReadState, *, query: tuple[str, ...] = ()) -> Callable[[View], View]:
    """Declare how the state of a view is read. `query`: the parameters with which its page is kept as well."""

    def declare(view: View) -> View:
        view._versioned = _Versioned(read, query)  # type: ignore[attr-defined]
        return view

    return declare


def state_of(request: HttpRequest, read: ReadState, **names: Any) -> State | None:
    """Return the state that the middleware read for a versioned view; for a request that writes, read it now."""
    return getattr(request, "page_state", None) or read(**names)


def look_of(request: HttpRequest) -> str:
    """Return the look of the page that is rendered for this request; empty for a visitor, whose page is kept."""
    state: State | None = getattr(request, "page_state", None)
    if state is None or _is_visitor(request):
        return ""
    if getattr(request, "looks_later", False):
        return LOOK_LATER
    return signing.Signer(salt=SALT).sign(f"{int(time.time()) + LOOK_SECONDS}-{_digest(request, state)}")


def drop_kept_pages() -> None:
    """Delete every kept page after the commit: the name of a forgotten person may be in one."""
    transaction.on_commit(caches["pages"].clear, robust=True)


def shared_part(request: HttpRequest, etag: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    """Return a part of a page from the cache or, for the first reader with this ETag, from `make`."""
    if _is_visitor(request):
        # The middleware keeps it. One lock at a time: two could wait for each other.
        return make()
    shown = f"part {_site(request)} {request.get_full_path()} {etag} {app_version.version()}"
    key = hashlib.sha256(shown.encode()).hexdigest()
    body: bytes | None = caches["pages"].get(key)
    if body is None:
        with _one_at_a_time(key):
            body = caches["pages"].get(key)
            if body is None:
                request.looks_later = True  # type: ignore[attr-defined]
                body = make().content
                request.looks_later = False  # type: ignore[attr-defined]
                caches["pages"].set(key, body, KEPT_SECONDS)
    return HttpResponse(body.replace(LOOK_LATER.encode(), look_of(request).encode()))


def _one_at_a_time(key: str) -> AbstractContextManager[object]:
    """After a change there are many requests at once: one renders the page, the others wait for it."""
    return _rendering[int(key[:8], 16) % len(_rendering)]


def _digest(request: HttpRequest, state: State) -> str:
    """Digest the state for this session: the forms of a page hold the token of one sign-in, which begins a session."""
    who = [request.COOKIES.get(name) for name in (settings.SESSION_COOKIE_NAME, table_cards.COOKIE)]
    shown = (state.numbers, get_language_from_request(request), who)
    return hashlib.sha256(repr(shown).encode()).hexdigest()[:32]


def _shows_all(request: HttpRequest, look: str, state: State) -> bool:
    """Return True if the page with this look shows the state."""
    try:
        until, _, digest = signing.Signer(salt=SALT).unsign(look).partition("-")
    except signing.BadSignature:
        return False
    return int(until) >= time.time() and digest == _digest(request, state)


def _is_visitor(request: HttpRequest) -> bool:
    """Return True for a request of a plain visitor, which gets the same answer as those of all others."""
    own = (settings.SESSION_COOKIE_NAME, "messages", table_cards.COOKIE)
    return "HTTP_AUTHORIZATION" not in request.META and not any(name in request.COOKIES for name in own)


@lru_cache(maxsize=4096)
def _resolved(path: str, _urlconf: str) -> tuple[_Versioned | None, dict[str, Any]]:
    try:
        match = resolve(path)
    except Resolver404:
        return None, {}
    return getattr(match.func, "_versioned", None), match.kwargs


class VersionedPages:
    """Middleware that answers from the cache, or 304 to a look, and gives views `request.page_state`.

    Only the middlewares for HTTPS, headers and static files come before it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method not in ("GET", "HEAD"):
            return self.get_response(request)
        page, names = _resolved(request.path_info, settings.ROOT_URLCONF)
        query = {name: request.GET[name] for name in page.query if name in request.GET} if page else {}
        state = page.read(**names, **query) if page and _host_is_known(request) else None
        if state is None:
            return self.get_response(request)
        request.page_state = state  # type: ignore[attr-defined]
        look = request.headers.get(LOOK_HEADER)
        if look and _shows_all(request, look, state):
            return _nothing_new(request)
        if state.public and _is_visitor(request) and _is_canonical(request, names, query) and not is_check(request):
            return self._kept(request, state)
        return self.get_response(request)

    def _kept(self, request: HttpRequest, state: State) -> HttpResponseBase:
        """Answer a visitor, from the cache if the page was rendered in this state."""
        language, version = get_language_from_request(request), app_version.version()
        shown = (_site(request), request.get_full_path(), state.numbers, language, version)
        key = hashlib.sha256(repr(shown).encode()).hexdigest()
        place = _slot(request, language, version, key) if request.META.get("QUERY_STRING") else key
        with _one_at_a_time(key):
            kept: _Kept | None = caches["pages"].get(place)
            if kept is None or kept.key != key:
                response = self._rendered(request)
                if not _may_be_kept(response):
                    return response
                kept = _keep(response, key)
                caches["pages"].set(place, kept, KEPT_SECONDS)
        return _answer(request, kept)

    def _rendered(self, request: HttpRequest) -> HttpResponseBase:
        """Return the whole answer, also if this visitor has the page already."""
        taken = {name: request.META.pop(name, None) for name in ("HTTP_ACCEPT_ENCODING", "HTTP_IF_NONE_MATCH")}
        response = self.get_response(request)
        request.META.update({name: value for name, value in taken.items() if value is not None})
        return response


def _site(request: HttpRequest) -> str:
    """Return the beginning of the absolute links on a page: without a base address the host that the reader chose."""
    return settings.BASE_URL or f"{request.scheme}://{request.get_host()}"


def _slot(request: HttpRequest, language: str, version: str, key: str) -> str:
    """Return the cache key of a page with parameters: another one of the same address may be kept, too."""
    slot = (_site(request), request.path_info, language, version, int(key[:8], 16) % SLOTS)
    return hashlib.sha256(repr(slot).encode()).hexdigest()


def _is_canonical(request: HttpRequest, names: dict[str, Any], query: dict[str, str]) -> bool:
    """Return True for the one address of a page: any other (`/e/007/`, unknown parameters) would be kept beside it."""
    exact = all(f"/{value}/" in request.path_info for value in names.values())
    return exact and request.META.get("QUERY_STRING", "") == urlencode(query)


def _host_is_known(request: HttpRequest) -> bool:
    try:
        request.get_host()
    except DisallowedHost:
        return False
    return True


def _nothing_new(request: HttpRequest) -> HttpResponse:
    response = HttpResponseNotModified()
    if known := request.headers.get("If-None-Match"):
        response["ETag"] = known
    response["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ("Cookie", "Accept-Language", "Authorization"))
    return response


def _may_be_kept(response: HttpResponseBase) -> bool:
    forbids = "no-store" in response.get("Cache-Control", "")
    return response.status_code == 200 and not response.streaming and not response.cookies and not forbids


def _keep(response: HttpResponseBase, key: str) -> _Kept:
    body: bytes = response.content  # type: ignore[attr-defined]
    patch_vary_headers(response, ("Accept-Encoding",))
    headers = tuple((name, value) for name, value in response.items() if name not in ("Content-Length", "ETag"))
    # Nothing in it is secret, so its compressed length gives nothing away.
    return _Kept(headers, gzip.compress(body, mtime=0), response.get("ETag") or f'"{key[:24]}"', key)


def _answer(request: HttpRequest, kept: _Kept) -> HttpResponseBase:
    unchanged = get_conditional_response(request, etag=kept.etag)
    response = HttpResponse() if unchanged is None else unchanged
    if unchanged is None:
        zips = "gzip" in request.META.get("HTTP_ACCEPT_ENCODING", "")
        response.content = kept.body if zips else gzip.decompress(kept.body)
        response.headers["Content-Length"] = str(len(response.content))
        if zips:
            response.headers["Content-Encoding"] = "gzip"
    # A weak ETag, because the compressed body and the plain one share it.
    response.headers["ETag"] = f"W/{kept.etag}"
    for name, value in kept.headers:
        if unchanged is None or name != "Content-Type":
            response.headers[name] = value
    return response
