"""Examples of typed lines, with the names of the players at the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from .. import engine_bridge

Example = tuple[str, str]


def examples(game: str, names: Sequence[str], words: Sequence[str], rules: Mapping[str, Any]) -> list[Example]:
    """Lines with their meaning; `words` are the short names by seat, at least two of them."""
    of_game = _kratzen(names, words, rules) if game == engine_bridge.KRATZEN else _chratze(names, words, rules)
    first, second = words[1], words[0]
    line = f"{first}:2 {second}" if game == engine_bridge.KRATZEN else f"{first} {second}"
    return [
        *of_game,
        (f"{line} =2.40", _("the pot on the sheet after this hand; if it differs, nothing is stored")),
        (f"12. {line}", _("the number on the sheet; a line left out is noticed")),
    ]


def _chratze(names: Sequence[str], words: Sequence[str], rules: Mapping[str, Any]) -> list[Example]:
    one, two, third = words[1], words[0], words[2 % len(words)]
    name = {"declarer": names[1], "joiner": names[0], "third": names[2 % len(names)]}
    shown = [(f"{one} {two}", _("%(declarer)s chratzt, %(joiner)s metcho, both made it") % name)]
    if len(names) > 2:
        shown += [
            (f"{one} {two} {third}-", _("%(third)s joined, too, and failed") % name),
            ("2 1 3-", _("the same by the numbers of the seats")),
            (f"{one}:2 {two}:1 {third}", _("tricks counted; the last count follows")),
        ]
    else:
        shown.append((f"{one} {two}-", _("%(joiner)s failed") % name))
    shown.append((one, _("nobody joined")))
    if rules["blind"] != "none":
        meaning = _("blind; ** is double blind") if rules["blind"] == "both" else _("blind")
        shown.append((f"{one}* {two}", meaning))
    return [*shown, ("0", _("nobody declared"))]


def _kratzen(names: Sequence[str], words: Sequence[str], rules: Mapping[str, Any]) -> list[Example]:
    one, two, third = words[1], words[0], words[2]
    name = {"declarer": names[1], "joiner": names[0]}
    shown = [
        (f"{one}:2 {two}:1 {third}", _("%(declarer)s plays and takes two tricks; the last count follows") % name),
        ("2:2 1:1 3", _("the same by the numbers of the seats")),
        (f"{one}/o:3 {two}:1", _("oder; /w is weiter-oder")),
        (f"{one}:2 {two}:2", _("in a Muss who took tricks, nothing else")),
    ]
    if rules["seven_muss"] != "off":
        shown.append((f"/7 {one}:2 {two}:2", "Siebenermuss"))
    return [
        *shown,
        (f"<Ax {one}:2 {two}:2", _("the cards shown at the cuts: A, 7, W (the Weli) or x")),
        (one, _("nobody says mit")),
        ("0", _("all weiter")),
    ]
