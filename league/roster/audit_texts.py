"""The texts of the audit log about players."""

from __future__ import annotations

from collections.abc import Iterable, Set

from django.utils.translation import gettext_lazy

from ..audit import What, texts
from ..models import Player

SENTENCES = {
    "players": {
        What.PLAYER_ADDED: gettext_lazy("%(who)s added %(about)s to the roster."),
        What.PLAYER_CHANGED: gettext_lazy("%(who)s changed the player %(about)s: %(fields)s."),
        What.PLAYERS_MERGED: gettext_lazy("%(who)s said that %(about)s and %(main)s are one person."),
        What.PLAYERS_PARTED: gettext_lazy("%(who)s said that %(about)s and %(main)s are two people."),
    },
}
VARIANTS = {
    (What.PLAYER_ADDED, "guest", True): gettext_lazy("%(who)s added the guest %(about)s to the roster."),
}
FIELDS = {
    "nickname": gettext_lazy("nickname"),
    "guest": gettext_lazy("guest"),
    "active": gettext_lazy("in the roster"),
    "publicity": gettext_lazy("shown in public as"),
    "pseudonym": gettext_lazy("other name"),
}


def register() -> None:
    """Register the texts."""
    texts.register(
        sentences=SENTENCES,
        variants=VARIANTS,
        fields=FIELDS,
        readers={"player": _players},
        field_objects={"player": "player", "main": "player"},
    )


def _players(keys: Set[int]) -> Iterable[tuple[int, str]]:
    return Player.objects.filter(pk__in=keys).values_list("pk", "nickname")
