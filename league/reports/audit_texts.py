"""The texts of the audit log about reports and feeds."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from ..audit import texts

FIELDS = {
    "feeds_mark": gettext_lazy("secret links of the feeds"),
}
VALUES = {
    "file": {"report": gettext_lazy("report")},
}


def register() -> None:
    """Register the texts."""
    texts.register(fields=FIELDS, values=VALUES)
