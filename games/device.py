"""Which device asks: a number in a signed cookie, which says nothing about it and lasts a year."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.http import HttpRequest, HttpResponse

COOKIE, SALT = "device", "games.device"
YEAR = 365 * 24 * 3600


def device_of(request: HttpRequest) -> str:
    """The device's number; a new one where the browser brings none that we signed."""
    known: str = request.get_signed_cookie(COOKIE, default="", salt=SALT, max_age=YEAR) or ""
    return known or str(uuid.uuid4())


def remember(response: HttpResponse, device: str) -> HttpResponse:
    """The answer, with the device's number for another year."""
    response.set_signed_cookie(
        COOKIE, device, salt=SALT, max_age=YEAR, httponly=True, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE
    )
    return response
