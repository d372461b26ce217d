"""The texts of the audit log about evenings, hands and house rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.audit import What, texts
from league.audit.object_names import ObjectNames

from . import left_out

SENTENCES = {
    "hands": {
        What.HAND_CORRECTED: gettext_lazy("%(who)s corrected hand %(number)s of %(evening)s."),
        What.HAND_LEFT_OUT: gettext_lazy("%(who)s left out hand %(number)s of a phone, %(evening)s: %(hand)s."),
        What.HAND_VOIDED: gettext_lazy("%(who)s undid hand %(number)s of %(evening)s."),
        What.HAND_DISPUTED: gettext_lazy("%(who)s disputed hand %(number)s of %(evening)s."),
        What.EVENING_BEGUN: gettext_lazy("%(who)s began %(about)s."),
        What.EVENING_CLOSED: gettext_lazy("%(who)s closed %(about)s."),
        What.EVENING_REOPENED: gettext_lazy("%(who)s reopened %(about)s."),
        What.PAYMENTS_MARKED: gettext_lazy("%(who)s marked payments of %(about)s as paid (%(count)s)."),
    },
    "club": {
        What.RULES_CHANGED: gettext_lazy("%(who)s created version %(version)s of the house rules of %(game)s."),
    },
}
VARIANTS = {
    (What.PAYMENTS_MARKED, "paid", False): gettext_lazy(
        "%(who)s marked payments of %(about)s as not paid (%(count)s)."
    ),
    (What.HAND_DISPUTED, "kind", "withdrawn"): gettext_lazy(
        "%(who)s no longer disputes hand %(number)s of %(evening)s."
    ),
    (What.HAND_DISPUTED, "kind", "settled"): gettext_lazy(
        "%(who)s settled the dispute of hand %(number)s of %(evening)s."
    ),
    (What.HAND_LEFT_OUT, "seats", True): gettext_lazy(
        "%(who)s left out a seating change of a phone, %(evening)s: %(change)s."
    ),
    (What.HAND_CORRECTED, "kind", "several"): gettext_lazy("%(who)s corrected hands %(numbers)s of %(evening)s."),
    (What.HAND_CORRECTED, "kind", "voided"): gettext_lazy("%(who)s removed hand %(number)s of %(evening)s."),
    (What.HAND_CORRECTED, "kind", "inserted"): gettext_lazy(
        "%(who)s added a forgotten hand %(number)s of %(evening)s."
    ),
    (What.HAND_CORRECTED, "kind", "moved"): gettext_lazy("%(who)s moved hand %(number)s of %(evening)s."),
    (What.HAND_CORRECTED, "kind", "seats"): gettext_lazy(
        "%(who)s corrected who sat there from hand %(number)s of %(evening)s on."
    ),
}


def register() -> None:
    """Register the texts."""
    texts.register(
        sentences=SENTENCES,
        variants=VARIANTS,
        parts={"game": _game, "hand": _hand, "change": _change},
        mentions={What.HAND_LEFT_OUT: _named_players},
    )


def _game(data: Mapping[str, Any], _names: ObjectNames) -> str:
    return str(data.get("game", "?")).capitalize()


def _hand(data: Mapping[str, Any], names: ObjectNames) -> str:
    return "?" if data.get("seats") else left_out.hand_text(data, _player(names))


def _change(data: Mapping[str, Any], names: ObjectNames) -> str:
    return left_out.change_text(data, _player(names)) if data.get("seats") else "?"


def _player(names: ObjectNames) -> Callable[[Any], str]:
    """Return a function that names a player by the id; 0 is a player who is unknown to the server."""
    return lambda player: names.name("player", player) if str(player) != "0" else _("somebody")


def _named_players(data: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    return (("player", player) for player in left_out.players_in(data))
