"""The texts of the audit log about payments of member fees."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from ..audit import What, texts

VARIANTS = {
    (What.PAYMENTS_MARKED, "did", "fees_paid"): gettext_lazy("%(who)s marked member fees as paid (%(count)s)."),
    (What.PAYMENTS_MARKED, "did", "fees_unpaid"): gettext_lazy("%(who)s marked member fees as not paid (%(count)s)."),
}


def register() -> None:
    """Register the texts."""
    texts.register(variants=VARIANTS)
