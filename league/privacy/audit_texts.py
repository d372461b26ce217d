"""The texts of the audit log about forgotten people, and a person's own data."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from ..audit import What, texts

SENTENCES = {
    "players": {
        What.PLAYER_FORGOTTEN: gettext_lazy("The player %(about)s was forgotten (%(who)s)."),
    },
    "people": {
        What.PERSON_FORGOTTEN: gettext_lazy("A person's account was deleted (%(who)s)."),
    },
}
VARIANTS = {
    (What.EXPORTED, "file", "person"): gettext_lazy("%(who)s downloaded their own data."),
}


def register() -> None:
    """Register the texts."""
    texts.register(sentences=SENTENCES, variants=VARIANTS)
