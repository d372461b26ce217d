"""The texts of the audit log about the pub screen."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from ..audit import texts

FIELDS = {
    "pub_screen_link": gettext_lazy("link for the television"),
}


def register() -> None:
    """Register the texts."""
    texts.register(fields=FIELDS)
