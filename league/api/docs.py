"""The description of the API: as OpenAPI for programs, as a page for people."""

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

from . import docs_page
from .schema import document


@cache
def _rendered(language: str) -> tuple[bytes, str]:
    """Return the document in a language, and its ETag."""
    body = JSONRenderer().render(document())
    return body, '"' + hashlib.sha256(body).hexdigest()[:32] + '"'


@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    """Return the API in OpenAPI 3.1."""
    body, etag = _rendered(get_language() or settings.LANGUAGE_CODE)
    answer = get_conditional_response(request, etag=etag) or HttpResponse(body, content_type="application/json")
    answer["ETag"] = etag
    return answer


@require_safe
def reading(request: HttpRequest) -> HttpResponse:
    """Show the same as a page, rendered by the server so that it needs no script."""
    origin = request.build_absolute_uri("/").rstrip("/")
    context = {"groups": docs_page.groups(), "limits": settings.API_LIMITS, "origin": origin}
    return render(request, "league/api/docs.html", context)
