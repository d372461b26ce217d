"""The texts of the audit log about member fees."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from ..audit import What, texts

VARIANTS = {
    (What.KITTY_BOOKED, "did", "fee"): gettext_lazy("%(who)s booked the member fee of %(year)s (%(count)s)."),
    (What.KITTY_BOOKED, "did", "fee_undone"): gettext_lazy("%(who)s undid member fees of %(year)s (%(count)s)."),
}
VALUES = {
    "file": {"member_fees": gettext_lazy("member fees")},
}


def register() -> None:
    """Register the texts."""
    texts.register(variants=VARIANTS, values=VALUES)
