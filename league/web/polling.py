"""Parts of pages that poll: ETags and the 304 answer."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.translation import get_language

from ..access import ClubAccess
from .page_versions import LOOK_HEADER, look_of, shared_part
from .streamed import is_check

Make = Callable[[], HttpResponse]


def answer_unless_known(request: HttpRequest, etag: str, make: Make, *, shared: bool = False) -> HttpResponseBase:
    """Return the part that `make` renders, or 304 if the browser has this state already.

    A look that the middleware did not answer has expired: the part is sent again, with a new one. `shared`: the part
    depends on the ETag and the address alone, so all readers of the same rights get it from the cache.
    """
    if is_check(request):
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    known = None if LOOK_HEADER in request.headers else get_conditional_response(request, etag=etag)
    response = known or (shared_part(request, etag, make) if shared else make())
    response["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    return response


def etag_of(access: ClubAccess, *state: object) -> str:
    """Return an ETag for a state as this reader sees it in this language."""
    may = (access.sees_money(), access.role, sorted(access.player_ids), access.club.names_mark)
    scopes = None if access.scopes is None else sorted(access.scopes)
    shown = (get_language(), *may, scopes, *state)
    return '"' + hashlib.sha256(repr(shown).encode()).hexdigest()[:24] + '"'


def poll_headers(request: HttpRequest, etag: str) -> str:
    """Return the headers of the next poll, as JSON."""
    look = look_of(request)
    return json.dumps({"If-None-Match": etag} | ({LOOK_HEADER: look} if look else {}))
