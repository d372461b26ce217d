"""The values that every template may use."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest


def product(request: HttpRequest) -> dict[str, Any]:
    """Return the settings for mails and for signing up."""
    return {"mail_on": settings.MAIL_ON, "signup_open": settings.SIGNUP_OPEN}
