"""The texts of the audit log about downloaded files."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from ..audit import What, texts

SENTENCES = {
    "files": {
        What.EXPORTED: gettext_lazy("%(who)s downloaded the file %(file)s of %(about)s."),
    },
}


def register() -> None:
    """Register the texts."""
    texts.register(sentences=SENTENCES)
