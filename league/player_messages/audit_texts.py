"""The texts of the audit log about reminders of member fees."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from ..audit import texts

FIELDS = {
    "fee_reminders": gettext_lazy("reminders of member fees"),
}


def register() -> None:
    """Register the texts."""
    texts.register(fields=FIELDS)
