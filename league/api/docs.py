"""The document of the API, for programs and for people."""

from __future__ import annotations

import hashlib
from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language
from django.views.decorators.http import require_safe
from rest_framework.renderers import JSONRenderer

from . import pages
from .schema import document


@cache
def _rendered(language: str) -> tuple[bytes, str]:
    """The document in a language, and its mark."""
    body = JSONRenderer().render(document())
    return body, '"' + hashlib.sha256(body).hexdigest()[:32] + '"'


@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    """The API in OpenAPI 3.1."""
    body, mark = _rendered(get_language() or settings.LANGUAGE_CODE)
    answer = get_conditional_response(request, etag=mark) or HttpResponse(body, content_type="application/json")
    answer["ETag"] = mark
    return answer


@require_safe
def reading(request: HttpRequest) -> HttpResponse:
    """The same as a page; made here, so that no script is needed for it."""
    origin = request.build_absolute_uri("/").rstrip("/")
    context = {"groups": pages.groups(), "limits": settings.API_LIMITS, "origin": origin}
    return render(request, "league/api/docs.html", context)
