"""The texts of the audit log about who comes, links of players, and reserves."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from ..audit import What, texts

VARIANTS = {
    (What.CLUB_CHANGED, "did", "reserves"): gettext_lazy("%(who)s changed the list of reserves."),
    (What.SEASON_CHANGED, "did", "answered"): gettext_lazy(
        "%(who)s entered whether %(player)s comes on %(day)s (season %(about)s)."
    ),
    (What.PLAYER_CHANGED, "did", "link_made"): gettext_lazy("%(who)s made a link for %(about)s: “Who comes?”."),
    (What.PLAYER_CHANGED, "did", "link_ended"): gettext_lazy("%(who)s ended the link of %(about)s: “Who comes?”."),
}


def register() -> None:
    """Register the texts."""
    texts.register(variants=VARIANTS)
