"""What every template may use."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest


def product(request: HttpRequest) -> dict[str, Any]:
    """The product's name and version, whether it sends mails, and whether anybody may make an account."""
    return {
        "product_name": settings.PRODUCT_NAME,
        "product_version": settings.PRODUCT_VERSION,
        "mail_on": settings.MAIL_ON,
        "signup_open": settings.SIGNUP_OPEN,
    }
