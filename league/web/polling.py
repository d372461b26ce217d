"""Parts of pages that poll: ETags and the 304 answer."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.translation import get_language

from ..access import ClubAccess


def answer_unless_known(request: HttpRequest, etag: str, make: Any) -> HttpResponseBase:
    """Return the part that `make` renders, or 304 if the browser has this state already."""
    response = get_conditional_response(request, etag=etag) or make()
    response["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    return response


def etag_of(access: ClubAccess, *state: object) -> str:
    """Return an ETag for a state as this reader sees it in this language."""
    may = (access.sees_money(), access.role, sorted(access.player_ids), access.club.names_mark)
    scopes = None if access.scopes is None else sorted(access.scopes)
    shown = (get_language(), *may, scopes, *state)
    return '"' + hashlib.sha256(repr(shown).encode()).hexdigest()[:24] + '"'


def poll_headers(etag: str) -> str:
    """Return the headers of the next poll, as JSON."""
    return json.dumps({"If-None-Match": etag})
