"""The differences between two formulas: as codes, which the audit log stores, and in words.

A code is `part before after` or `handicap player before after`, such as `best - 8`. `-` is an empty value. So an entry
of the log is worded in the reader's language, and with the names of that day.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from ...money import format_count
from .parts import FIELDS, Formula, write
from .sentences import ABSENCES, GAMES, PLACES_BY, TIES

EMPTY = "-"
HANDICAP = "handicap"
SIGNED = ("attendance_bonus", HANDICAP)
COUNTS_ALL = ("best", "team_best")
"""The parts of which an empty value means all."""

PARTS: dict[str, Promise] = {
    "counts": gettext_lazy("what counts"),
    "games": gettext_lazy("games that count"),
    "places": gettext_lazy("points for the places"),
    "places_by": gettext_lazy("place of the night"),
    "best": gettext_lazy("best evenings that count"),
    "best_of": gettext_lazy("planned evenings of which the best count"),
    "drop": gettext_lazy("worst evenings dropped"),
    "drop_one_more_every": gettext_lazy("one more dropped for every so many evenings"),
    "absences": gettext_lazy("a missed evening"),
    "attendance_bonus": gettext_lazy("points for coming"),
    "attendance_minimum": gettext_lazy("evenings from which a player is ranked"),
    "hands_minimum": gettext_lazy("hands from which a player is ranked"),
    "hands_minimum_evening": gettext_lazy("hands from which an evening counts"),
    "team_best": gettext_lazy("members of a team that count"),
    "ties": gettext_lazy("tie-breaks"),
    "lot_seed": gettext_lazy("number for lots"),
}
SHORT_COUNTS: dict[str, Promise] = {
    "points": pgettext_lazy("what counts", "points"),
    "net": pgettext_lazy("what counts", "amounts"),
    "places": pgettext_lazy("what counts", "places"),
    "average_hand": pgettext_lazy("what counts", "average per hand"),
    "average_evening": pgettext_lazy("what counts", "average per evening"),
}
_LABELS: dict[str, Mapping[str, Promise | str]] = {
    "counts": SHORT_COUNTS,
    "games": GAMES,
    "places_by": PLACES_BY,
    "absences": ABSENCES,
    "ties": TIES,
}
_SWITCHED: dict[tuple[str, str], Promise] = {
    ("guests", "1"): gettext_lazy("guests are ranked"),
    ("guests", "0"): gettext_lazy("guests are no longer ranked"),
    ("tournaments", "1"): gettext_lazy("points of tournaments count"),
    ("tournaments", "0"): gettext_lazy("points of tournaments no longer count"),
}


def differences(old: Formula, new: Formula) -> list[str]:
    """Return the codes of the parts that differ, in the order of the parts."""
    before, after = write(old), write(new)
    codes = [
        f"{name} {_token(before[name])} {_token(after[name])}"
        for name in FIELDS
        if name != HANDICAP and before[name] != after[name]
    ]
    players = sorted({*before[HANDICAP], *after[HANDICAP]}, key=int)
    each = ((player, before[HANDICAP].get(player, 0), after[HANDICAP].get(player, 0)) for player in players)
    return codes + [f"{HANDICAP} {player} {was} {now}" for player, was, now in each if was != now]


def players_in(codes: Iterable[str]) -> list[int]:
    """Return the ids of the players whom the codes name."""
    return [int(code.split(" ")[1]) for code in codes if code.startswith(f"{HANDICAP} ")]


def difference_words(codes: Iterable[str], name: Callable[[int], str]) -> list[str]:
    """Return the codes in words. `name`: the nickname of a player."""
    return list(_worded(codes, name))


def _worded(codes: Iterable[str], name: Callable[[int], str]) -> Iterator[str]:
    for code in codes:
        part, *player, before, after = code.split(" ")
        if (part, after) in _SWITCHED:
            yield str(_SWITCHED[part, after])
            continue
        label = _("handicap of %(name)s") % {"name": name(int(player[0]))} if player else str(PARTS.get(part, part))
        values = {"part": label, "before": _shown(part, before), "after": _shown(part, after)}
        yield _("%(part)s: %(after)s instead of %(before)s") % values


def _token(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, list):
        return ",".join(map(str, value)) or EMPTY
    return EMPTY if value in (None, "") else str(value)


def _shown(part: str, token: str) -> str:
    if part == "games" and token == EMPTY:
        return str(GAMES[""])
    if token == EMPTY:
        return _("all") if part in COUNTS_ALL else _("none")
    if part in SIGNED:
        return format_count(int(token), plus="+")
    labels = _LABELS.get(part, {})
    return ", ".join(str(labels.get(value, value)) for value in token.split(","))
