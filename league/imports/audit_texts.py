"""The texts of the audit log about imports of evenings."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from ..audit import What, texts

SENTENCES = {
    "imports": {
        What.EVENINGS_IMPORTED: gettext_lazy(
            "%(who)s imported evenings into the season %(about)s (%(evenings)s evenings, %(rows)s rows)."
        ),
    },
}
VARIANTS = {
    (What.EVENINGS_IMPORTED, "did", "undone"): gettext_lazy(
        "%(who)s undid an import into the season %(about)s (%(evenings)s evenings, %(rows)s rows)."
    ),
}


def register() -> None:
    """Register the texts."""
    texts.register(sentences=SENTENCES, variants=VARIANTS)
