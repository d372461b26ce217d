"""The texts of the audit log about the club's logo."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from ..audit import texts

FIELDS = {
    "logo": gettext_lazy("logo"),
}


def register() -> None:
    """Register the texts."""
    texts.register(fields=FIELDS)
