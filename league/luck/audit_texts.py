"""The texts of the audit log about luck."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from ..audit import texts

VALUES = {
    "file": {"luck": gettext_lazy("luck")},
}


def register() -> None:
    """Register the texts."""
    texts.register(values=VALUES)
