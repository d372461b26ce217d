"""The texts of the audit log about webhooks."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, pgettext_lazy

from ..audit import What, texts

SENTENCES = {
    "programs": {
        What.WEBHOOK_CHANGED: gettext_lazy("%(who)s: webhook %(did)s."),
    },
}
VALUES = {
    "did": {
        "added": pgettext_lazy("webhook", "added"),
        "changed": pgettext_lazy("webhook", "changed"),
        "removed": pgettext_lazy("webhook", "removed"),
        "rolled": pgettext_lazy("webhook", "given another secret"),
        "switched_off": pgettext_lazy("webhook", "switched off, as nothing arrives"),
    },
}


def register() -> None:
    """Register the texts."""
    texts.register(sentences=SENTENCES, values=VALUES)
