"""The values that every template may use."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest


def product(request: HttpRequest) -> dict[str, Any]:
    """Return the settings for mails, for signing up and for opening clubs."""
    return {"mail_on": settings.MAIL_ON, "signup_open": settings.SIGNUP_OPEN, "clubs_open": settings.CLUBS_OPEN != "no"}
