"""What every template may use."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest


def product(request: HttpRequest) -> dict[str, Any]:
    """The product's name and version."""
    return {"product_name": settings.PRODUCT_NAME, "product_version": settings.PRODUCT_VERSION}
