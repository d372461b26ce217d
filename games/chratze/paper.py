"""A hand of Chratze on paper: the typed line, its examples, and the marks of the sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .. import engine_bridge
from ..engine_bridge import Record, Start
from ..game import goals
from ..game.paper_line import Example, PaperLine
from ..game.typed_line import FAILED, PASSED, Misread, check_alone, counted, players

TRICKS: Final = engine_bridge.tricks_of("chratze")
SIGNS: Final = {"/o": "oder", "/w": "weiter-oder", "/wo": "weiter-oder", "/s": "schlagen"}
"""Calls of Kratzen, which a line of Chratze refuses by a sentence of their own."""


def read(words: Sequence[str], start: Start, names: Sequence[str]) -> Record:
    """Read a hand of Chratze; the declarer comes first. Raises `Misread`."""
    if len(words) == 1 and words[0] in PASSED:
        return {"declarer": None}
    played = players(words, names, SIGNS)
    for word in played:
        if word.said:
            raise Misread(word.text, _("“%(word)s”: in Chratze nobody calls oder.") % {"word": word.text})
        if word.blind and word is not played[0]:
            raise Misread(
                word.text,
                _("“%(word)s”: the declarer, who comes first, is the one to play blind.") % {"word": word.text},
            )
    declarer, joiners = played[0], played[1:]
    record: Record = {"declarer": declarer.seat, "joiners": sorted(word.seat for word in joiners)}
    if declarer.blind:
        record["blind"] = declarer.blind
    if not joiners:
        check_alone(declarer)
        return record
    if any(word.tricks is not None for word in played):
        marked = next((word for word in played if word.failed), None)
        if marked:
            raise Misread(
                marked.text, _("“%(word)s”: count tricks or mark who failed, not both.") % {"word": marked.text}
            )
        return record | {"tricks": counted(played, [word.seat for word in played], TRICKS)}
    # A line without marks says that all made it, as the entry of the table screen does.
    failed = {word.seat: False for word in played if word.failed}
    made = goals.results(declarer.seat, record["joiners"], failed)
    if goals.is_undecided(made):
        raise Misread("", _("Who made no trick? Write - behind each name: the four tricks do not decide it."))
    return record | {"made": sorted(seat for seat, result in made.items() if result)}


def write(record: Mapping[str, Any], result: Mapping[str, Any], words: Sequence[str]) -> str:
    """Write a hand as a line."""
    if result["declarer"] is None:
        return PASSED[0]
    tricks = result["tricks"] if result["outcome"] == "played" else None
    shown = []
    for seat in (result["declarer"], *result["joiners"]):
        word = words[seat]
        if seat == result["declarer"]:
            word += {"blind": "*", "double": "**"}.get(result["blind"] or "", "")
        if tricks is not None:
            word += f":{tricks[seat]}"
        elif engine_bridge.made_goal(dict(record), dict(result), seat) is False:
            word += FAILED[0]
        shown.append(word)
    return " ".join(shown)


def examples(names: Sequence[str], words: Sequence[str], rules: Mapping[str, Any]) -> list[Example]:
    """Lines of Chratze with their meaning."""
    declarer, two, third = words[1], words[0], words[2 % len(words)]
    name = {"declarer": names[1], "joiner": names[0], "third": names[2 % len(names)]}
    shown = [(f"{declarer} {two}", _("%(declarer)s chratzt, %(joiner)s metcho, both made it") % name)]
    if len(names) > 2:
        shown += [
            (f"{declarer} {two} {third}-", _("%(third)s joined, too, and failed") % name),
            ("2 1 3-", _("the same by the numbers of the seats")),
            (f"{declarer}:2 {two}:1 {third}", _("tricks counted; the last count follows")),
        ]
    else:
        shown.append((f"{declarer} {two}-", _("%(joiner)s failed") % name))
    shown.append((declarer, _("nobody joined")))
    if rules["blind"] != "none":
        meaning = _("blind; ** is double blind") if rules["blind"] == "both" else _("blind")
        shown.append((f"{declarer}* {two}", meaning))
    return [*shown, ("0", _("nobody declared"))]


def _begins(dealer: str, _muss: bool | None) -> str:
    return _("%(dealer)s deals") % {"dealer": dealer}


PAPER: Final = PaperLine(
    read=read,
    write=write,
    examples=examples,
    pair=lambda first, second: f"{first} {second}",
    order=gettext_lazy(
        "Who chratzt comes first, then who joins. As much of a name as nobody else has is enough, or the number of the"
        " seat."
    ),
    begins=_begins,
    legend=gettext_lazy(
        "**C** chratzt, **m** metcho, then a – for failed (C–, m–) and a * for blind (C*) · beside it the "
        "player's sum of the evening · **0** under Dealer: nobody declared"
    ),
)
