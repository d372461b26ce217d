"""The texts of the audit log about roles, and the players of accounts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy

from ..audit import What, texts
from ..audit.object_names import ObjectNames
from ..models import Role

SENTENCES = {
    "people": {
        What.ROLE_GIVEN: gettext_lazy("%(who)s gave %(about)s the role %(role)s."),
        What.ROLE_TAKEN: gettext_lazy("%(who)s removed %(about)s from the club."),
        What.PLAYER_CLAIMED: gettext_lazy("%(who)s linked the player %(about)s to %(user)s."),
    },
}
VARIANTS = {
    (What.PLAYER_CLAIMED, "user", None): gettext_lazy("%(who)s unlinked the player %(about)s."),
}


def register() -> None:
    """Register the texts."""
    texts.register(sentences=SENTENCES, variants=VARIANTS, parts={"role": _role})


def _role(data: Mapping[str, Any], _names: ObjectNames) -> str:
    return str(Role(data["role"]).label) if data.get("role") in Role.values else "?"
