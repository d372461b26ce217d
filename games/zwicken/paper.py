"""A hand of Zwicken on paper: the typed line, its examples, and the marks of the sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .. import engine_bridge
from ..engine_bridge import Record, Start
from ..game.paper_line import Example, PaperLine
from ..game.typed_line import PASSED, Misread, Word, check_alone, counted, players
from .cuts import cut_field, moves_deal
from .hand import seven_lost_by
from .hand_form import ZwickenForm, shown_of

TRICKS: Final = engine_bridge.tricks_of("zwicken")
LOST: Final = "/b"
"""The mark of the seat that lost the seven of Schellen (Z7.3)."""
SIGNS: Final = {LOST: "seven_lost"}


def read(words: Sequence[str], start: Start, names: Sequence[str]) -> Record:
    """Read a hand of Zwicken: the players in any order, the cuts anywhere among the words. Raises `Misread`."""
    cuts = [word for word in words if word.startswith("<")]
    if len(cuts) > 1:
        raise Misread(cuts[1], _("“%(word)s”: all cuts are one word.") % {"word": cuts[1]})
    record = cut_field(start, _shown(cuts[0]) if cuts else "")
    rest = [word for word in words if word not in cuts]
    forced = engine_bridge.due(start).muss is True
    if len(rest) == 1 and rest[0] in PASSED and not forced:
        return record | {"players": []}
    played = players(rest, names, SIGNS)
    _check_marks(played)
    if not played:
        raise Misread("", _("The line names nobody; “0” alone says that nobody plays."))
    if not forced:
        record["players"] = sorted(word.seat for word in played)
        if len(played) == 1:
            check_alone(played[0])
            return record | _lost(played)
    return record | {"tricks": counted(played, [word.seat for word in played], TRICKS)} | _lost(played)


def _check_marks(played: Sequence[Word]) -> None:
    """Check that there is no mark that Zwicken does not have. Raises `Misread`."""
    for word in played:
        if word.blind:
            raise Misread(word.text, _("“%(word)s”: in Zwicken nobody plays blind.") % {"word": word.text})
        if word.failed:
            values = {"word": word.text}
            raise Misread(word.text, _("“%(word)s”: in Zwicken tricks are counted, such as :2.") % values)


def _shown(word: str) -> str:
    """Read the letters of the cuts. Raises `Misread`."""
    letters = ZwickenForm.letters
    if len(word) < 2 or not set(word[1:]) <= set(letters):
        raise Misread(word, _("“%(word)s”: a cut shows A, 7, B (Belli) or x.") % {"word": word})
    return "".join(letters[letter] for letter in word[1:])


def _lost(played: Sequence[Word]) -> Record:
    """The field of the seat that lost the seven of Schellen, if a word says that. Raises `Misread`."""
    lost = [word for word in played if word.said]
    if len(lost) > 1:
        raise Misread(lost[1].text, _("“%(word)s”: only one player can lose Belli.") % {"word": lost[1].text})
    return {"seven_lost": lost[0].seat} if lost else {}


def write(record: Mapping[str, Any], result: Mapping[str, Any], words: Sequence[str]) -> str:
    """Write a hand as a line. In a forced hand it names only those with a trick, and who lost the seven."""
    shown = shown_of(record.get("cuts", []))
    lead = [f"<{shown}"] if shown else []
    if result["outcome"] == "passed_out":
        return " ".join([*lead, PASSED[0]])
    tricks = result["tricks"] if result["outcome"] == "played" else None
    lost = seven_lost_by(result)
    active = result["joiners"]
    if result["muss"] and tricks is not None:
        active = [seat for seat in active if tricks[seat] or seat == lost]
    for seat in active:
        word = words[seat] + (LOST if seat == lost else "")
        lead.append(word if tricks is None else f"{word}:{tricks[seat]}")
    return " ".join(lead)


def examples(names: Sequence[str], words: Sequence[str], rules: Mapping[str, Any]) -> list[Example]:
    """Lines of Zwicken with their meaning."""
    player, two, third = words[1], words[0], words[2]
    name = {"one": names[1], "two": names[0], "third": names[2]}
    shown = [
        (
            f"{player}:2 {two}:1 {third}",
            _("%(one)s, %(two)s and %(third)s play; the last count follows, so %(third)s has no trick") % name,
        ),
        ("2:2 1:1 3", _("the same by the numbers of the seats")),
        (f"{player}:2 {two}", _("in a forced hand who took tricks, nothing else")),
    ]
    if rules["seven"] and rules["seven_lost"] != "off":
        shown.append((f"{player}:3 {two}{LOST}", _("%(two)s lost Belli") % name))
    if moves_deal(rules):
        shown.append((f"<AB {player}:2 {two}", _("the cards shown at the cuts, one a cut: A, 7, B (Belli)")))
    return [*shown, (player, _("one alone says mit")), ("0", _("all weg"))]


def _begins(dealer: str, muss: bool | None) -> str:
    return (_("Forced hand, %(dealer)s has the pack") if muss else _("%(dealer)s has the pack")) % {"dealer": dealer}


PAPER: Final = PaperLine(
    read=read,
    write=write,
    examples=examples,
    pair=lambda first, second: f"{first}:2 {second}",
    order=gettext_lazy(
        "Name those who play, in any order. As much of a name as nobody else has is enough, or the number of the seat."
    ),
    begins=_begins,
    legend=gettext_lazy(
        "**m** mit, then the tricks (m2, m0) and a **b** for the lost Belli · beside it the player's sum of the "
        "evening · **F** forced hand and **0** all weg under Dealer"
    ),
)
