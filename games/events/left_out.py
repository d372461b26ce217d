"""Entries of a phone that were left out: one hand or one seating change in words, from the ids of a log entry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

PLAYER_LISTS = ("joiners", "made", "tricks", "players")

CHANGES: dict[str, Promise] = {
    "come": gettext_lazy("%(names)s comes"),
    "leave": gettext_lazy("%(names)s leaves"),
    "order": gettext_lazy("another order of play"),
    "dealer": gettext_lazy("%(names)s deals"),
    "pause": gettext_lazy("pause"),
    "resume": gettext_lazy("end of the pause"),
}


def players_in(data: Mapping[str, Any]) -> Iterable[str]:
    """The ids of all players in an entry, as text."""
    if data.get("declarer"):
        yield str(data["declarer"])
    for name in PLAYER_LISTS:
        for item in data.get(name) or ():
            yield str(item).partition(":")[0]


def hand_text(data: Mapping[str, Any], name: Callable[[Any], str]) -> str:
    """The hand in words; `name` gives the name of a player by the id."""
    if "declarer" not in data and data.get("players"):
        return _with_tricks(_("%(names)s played") % {"names": _listed(data["players"], name)}, data, name)
    if "declarer" not in data:
        return _("nobody declared")
    values = {"declarer": name(data["declarer"]), "joiners": _listed(data.get("joiners"), name)}
    if not data.get("joiners"):
        return _("%(declarer)s declared, nobody joined") % values
    text = _("%(declarer)s declared, %(joiners)s joined") % values
    if data.get("tricks"):
        return _with_tricks(text, data, name)
    if data.get("made"):
        return _("%(hand)s; made it: %(names)s") % {"hand": text, "names": _listed(data["made"], name)}
    return _("%(hand)s; nobody made it") % {"hand": text}


def _with_tricks(text: str, data: Mapping[str, Any], name: Callable[[Any], str]) -> str:
    counts = (item.partition(":") for item in map(str, data.get("tricks") or ()))
    tricks = ", ".join(f"{name(player)} {count}" for player, _colon, count in counts)
    return _("%(hand)s; tricks: %(tricks)s") % {"hand": text, "tricks": tricks} if tricks else text


def change_text(data: Mapping[str, Any], name: Callable[[Any], str]) -> str:
    """The seating change in words."""
    return str(CHANGES.get(str(data.get("kind")), "?")) % {"names": _listed(data.get("players"), name)}


def _listed(players: Any, name: Callable[[Any], str]) -> str:
    return ", ".join(name(player) for player in players or ())
