"""Recognise a device by a random number in a signed cookie. The cookie lasts a year and is used for nothing else."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.http import HttpRequest, HttpResponse

COOKIE, SALT = "device", "games.table.device"
YEAR = 365 * 24 * 3600


def device_of(request: HttpRequest) -> str:
    """The number of the device; a new one where the request has no cookie signed by this server."""
    known: str = request.get_signed_cookie(COOKIE, default="", salt=SALT, max_age=YEAR) or ""
    return known or str(uuid.uuid4())


def remember(response: HttpResponse, device: str) -> HttpResponse:
    """Set the device's cookie on the response for another year."""
    response.set_signed_cookie(
        COOKIE, device, salt=SALT, max_age=YEAR, httponly=True, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE
    )
    return response
