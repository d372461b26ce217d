"""The texts of the audit log about bank statements and outstanding payments."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from league.audit import What, texts

SENTENCES = {
    "kitty": {
        What.BANK_BOOKED: gettext_lazy("%(who)s booked payments of a bank statement (%(count)s)."),
    },
}
VALUES = {
    "file": {"debts": gettext_lazy("outstanding payments")},
}


def register() -> None:
    """Register the texts."""
    texts.register(sentences=SENTENCES, values=VALUES)
