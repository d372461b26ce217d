"""The texts of the audit log about what the operator of the server changes of a club."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from ..audit import What, texts

VARIANTS = {
    (What.CLUB_CHANGED, "did", "suspended"): gettext_lazy("%(who)s suspended the club: it is read, not changed."),
    (What.CLUB_CHANGED, "did", "resumed"): gettext_lazy("%(who)s ended the suspension of the club."),
    (What.CLUB_CHANGED, "did", "quotas"): gettext_lazy("%(who)s set the limits of the club on this server."),
}


def register() -> None:
    """Register the texts."""
    texts.register(variants=VARIANTS)
