"""Recognise a device by a random number in a signed cookie. The cookie lasts a year and is used for nothing else. The
page's script keeps the number too, for a person who signs in again after the cookie was lost."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.http import HttpRequest, HttpResponse

COOKIE, SALT = "device", "games.table.device"
NEW = "games.table.new_device"
YEAR = 365 * 24 * 3600


def device_of(request: HttpRequest) -> str:
    """The number of the device; a new one, the same for the whole request, without a cookie signed by this server."""
    known: str = request.get_signed_cookie(COOKIE, default="", salt=SALT, max_age=YEAR) or ""
    if not known:
        known = request.META.setdefault(NEW, str(uuid.uuid4()))
    return known


def remember(response: HttpResponse, device: str) -> HttpResponse:
    """Set the device's cookie on the response for another year."""
    response.set_signed_cookie(
        COOKIE, device, salt=SALT, max_age=YEAR, httponly=True, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE
    )
    return response
