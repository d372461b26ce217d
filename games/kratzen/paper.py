"""A hand of Kratzen on paper: the typed line, its examples, and the marks of the sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .. import engine_bridge
from ..engine_bridge import Record, Start
from ..game.paper_line import Example, PaperLine
from ..game.typed_line import PASSED, Misread, Word, check_alone, counted, players
from .hand import game_type_of, is_siebenermuss
from .hand_form import CALLS, NEW_TRUMP, SCHLAGEN, SHOWN, cuts_of, dealer_shown, shown_of

TRICKS: Final = engine_bridge.tricks_of("kratzen")
SIGNS: Final = {"/o": "oder", "/w": "weiter-oder", "/wo": "weiter-oder", "/s": SCHLAGEN}
SEVEN: Final = "/7"


def read(words: Sequence[str], start: Start, names: Sequence[str]) -> Record:
    """Read a hand of Kratzen: cuts and the seven may be anywhere among the words."""
    cuts = [word for word in words if word.startswith("<")]
    if len(cuts) > 1:
        raise Misread(cuts[1], _("“%(word)s”: all cuts are one word.") % {"word": cuts[1]})
    shown = _shown(cuts[0]) if cuts else ""
    seven = SEVEN in words
    rest = [word for word in words if word != SEVEN and word not in cuts]
    cut: Record = {"cuts": cuts_of(shown)}
    if len(rest) == 1 and rest[0] in PASSED and not seven:
        return cut | {"declarer": None}
    played = players(rest, names, SIGNS)
    _check_marks(played)
    if not played:
        raise Misread("", _("The line names nobody; “0” alone says that nobody declared."))
    muss = engine_bridge.due(start).muss is True
    caller = _caller(played, start, muss=muss, seven=seven)
    if muss or seven:
        called = next((word for word in played if word.said and word is not caller), None)
        if called:
            raise Misread(called.text, _("“%(word)s”: in a Muss nobody calls.") % {"word": called.text})
        return _all_play(cut, played, caller, dealer_shown(start, shown), seven=seven, seats=start.seats)
    called = next((word for word in played[1:] if word.said), None)
    if called:
        raise Misread(
            called.text, _("“%(word)s”: the call belongs to who plays and comes first.") % {"word": called.text}
        )
    declarer, joiners = played[0], played[1:]
    record = cut | {
        "declarer": declarer.seat,
        "joiners": sorted(word.seat for word in joiners),
        "game_type": declarer.said or SCHLAGEN,
    }
    if not joiners:
        check_alone(declarer)
        return record
    return record | {"tricks": counted(played, [word.seat for word in played], TRICKS)}


def _check_marks(played: Sequence[Word]) -> None:
    """Check that there is no mark that Kratzen does not have. Raises `Misread`."""
    for word in played:
        if word.blind:
            raise Misread(word.text, _("“%(word)s”: in Kratzen nobody plays blind.") % {"word": word.text})
        if word.failed:
            values = {"word": word.text}
            raise Misread(word.text, _("“%(word)s”: in Kratzen tricks are counted, such as :2.") % values)


def _shown(word: str) -> str:
    """Read the letters of the cuts. Raises `Misread`."""
    shown = word[1:].replace("a", "A").replace("w", "W").replace("X", "x")
    if not shown or not set(shown) <= set(SHOWN):
        raise Misread(word, _("“%(word)s”: a cut shows A, 7, W (the Weli) or x.") % {"word": word})
    last = cuts_of(shown)[-1]
    if len(last) == 1 and last != ["x"]:
        raise Misread(word, _("“%(word)s”: which card lay at the bottom of the pack?") % {"word": word})
    return shown


def _caller(played: Sequence[Word], start: Start, *, muss: bool, seven: bool) -> Word | None:
    """The player whose call made a Siebenermuss (K5.3), where the house rules have that."""
    if muss or not seven or played[0].said not in NEW_TRUMP:
        return None
    any_seven = engine_bridge.house_rules("kratzen", start.rules)["seven_muss"] == "any"
    return played[0] if any_seven else None


def _all_play(
    cut: Record, played: Sequence[Word], caller: Word | None, dealer: int, *, seven: bool, seats: int
) -> Record:
    """The record of a Muss or Siebenermuss: the words give only the tricks."""
    declarer = caller.seat if caller else dealer
    record = cut | {"declarer": declarer, "joiners": [seat for seat in range(seats) if seat != declarer]}
    if seven:
        record["seven"] = True
    if caller:
        record["game_type"] = caller.said
    named = [word.seat for word in played]
    counts = counted(played, named, TRICKS)
    return record | {"tricks": {str(seat): counts.get(str(seat), 0) for seat in range(seats)}}


def write(record: Mapping[str, Any], result: Mapping[str, Any], words: Sequence[str]) -> str:
    """Write a hand as a line."""
    lead, call = _marks(record, result)
    if result["declarer"] is None:
        return " ".join([*lead, PASSED[0]])
    active = [result["declarer"], *result["joiners"]]
    tricks = result["tricks"] if result["outcome"] == "played" else None
    if result["muss"] and not call and tricks is not None:
        active = [seat for seat in range(len(words)) if tricks[seat]]
    shown = []
    for seat in active:
        word = words[seat] + (call if seat == result["declarer"] else "")
        shown.append(word if tricks is None else f"{word}:{tricks[seat]}")
    return " ".join([*lead, *shown])


def _marks(record: Mapping[str, Any], result: Mapping[str, Any]) -> tuple[list[str], str]:
    """The words before the players, and the mark of the call behind the declarer."""
    shown = shown_of(record["cuts"])
    lead = [f"<{shown}"] if shown else []
    if is_siebenermuss(record, result):
        lead.append(SEVEN)
    tails = {CALLS[1]: "/o", CALLS[2]: "/w"}
    return lead, tails.get(game_type_of(record, result) or "", "")


def examples(names: Sequence[str], words: Sequence[str], rules: Mapping[str, Any]) -> list[Example]:
    """Lines of Kratzen with their meaning."""
    declarer, two, third = words[1], words[0], words[2]
    name = {"declarer": names[1], "joiner": names[0]}
    shown = [
        (f"{declarer}:2 {two}:1 {third}", _("%(declarer)s plays and takes two tricks; the last count follows") % name),
        ("2:2 1:1 3", _("the same by the numbers of the seats")),
        (f"{declarer}/o:3 {two}:1", _("oder; /w is weiter-oder")),
        (f"{declarer}:2 {two}:2", _("in a Muss who took tricks, nothing else")),
    ]
    if rules["seven_muss"] != "off":
        shown.append((f"/7 {declarer}:2 {two}:2", "Siebenermuss"))
    return [
        *shown,
        (f"<Ax {declarer}:2 {two}:2", _("the cards shown at the cuts: A, 7, W (the Weli) or x")),
        (declarer, _("nobody says mit")),
        ("0", _("all weiter")),
    ]


def _begins(dealer: str, muss: bool | None) -> str:
    return (_("Muss, %(dealer)s has the pack") if muss else _("%(dealer)s has the pack")) % {"dealer": dealer}


PAPER: Final = PaperLine(
    read=read,
    write=write,
    examples=examples,
    pair=lambda first, second: f"{first}:2 {second}",
    order=gettext_lazy(
        "Who plays comes first, then who says mit. As much of a name as nobody else has is enough, or the number of"
        " the seat."
    ),
    begins=_begins,
    legend=gettext_lazy(
        "**S** Schlagen, **O** Oder, **W** Weiter-Oder, **m** mit, then the tricks (S2, m1) · beside it "
        "the player's sum of the evening · **7** Siebenermuss and **0** all weiter under Dealer"
    ),
)
