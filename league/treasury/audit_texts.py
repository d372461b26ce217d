"""The texts of the audit log about the kitty and bills."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from ..audit import What, texts

SENTENCES = {
    "kitty": {
        What.KITTY_BOOKED: gettext_lazy("%(who)s booked money that the kitty spent."),
        What.BILLS_SENT: gettext_lazy("%(who)s sent bills by mail (%(count)s; not sent: %(failed)s)."),
    },
}
VARIANTS = {
    (What.KITTY_BOOKED, "did", "brought"): gettext_lazy("%(who)s booked money that the kitty got."),
    (What.KITTY_BOOKED, "did", "undone"): gettext_lazy("%(who)s undid an entry of the kitty."),
}
FIELDS = {
    "billing": gettext_lazy("account for bills"),
}
VALUES = {
    "file": {"statements": gettext_lazy("statements of the kitty")},
}


def register() -> None:
    """Register the texts."""
    texts.register(sentences=SENTENCES, variants=VARIANTS, fields=FIELDS, values=VALUES)
