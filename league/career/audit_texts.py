"""The texts of the audit log about the evenings of a player."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from ..audit import texts

VALUES = {
    "file": {"evenings": gettext_lazy("evenings of a player")},
}


def register() -> None:
    """Register the texts."""
    texts.register(values=VALUES)
