"""Read a hand from one typed line, and write it as one: `2 1 4-` or `beni anna doris-`. docs/typing.md describes it.

A line is read into the fields of a hand record that the chain does not decide. The engine checks the record after
that. This module neither stores anything nor reads the database.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .. import engine_bridge
from ..engine_bridge import Record, Result, Start
from ..table import goals
from ..table.kratzen_form import CALLS, NEW_TRUMP, SCHLAGEN, SHOWN, cuts_of, dealer_shown, shown_of

TRICKS = 4
LONGEST = 200
"""The most characters of a line."""

PASSED = ("0", "-")
FAILED = "-!✕"
DASHES = str.maketrans("–—−", "---")
CALL_WORDS = {"/o": "oder", "/w": "weiter-oder", "/wo": "weiter-oder", "/s": SCHLAGEN}
SEVEN = "/7"

_NUMBER = re.compile(r"(\d{1,6})[.)]")
_POT = re.compile(r"(?<!\S)=\s*([^\s=]*)$")
_AMOUNT = re.compile(r"(\d{0,9})(?:\.(\d{1,2}))?")
_WORD = re.compile(r"([^\W_]+)(.*)", re.DOTALL)
_MARK = re.compile(r"\*\*|\*|[-!✕]|[.:]\d|/[^\W\d_]+")


class Misread(Exception):
    """A line that cannot be read: `word` is the wrong word ('' for the whole line), `sentence` describes the fault."""

    def __init__(self, word: str, sentence: str) -> None:
        super().__init__(f"{word}: {sentence}")
        self.word = word
        self.sentence = sentence


@dataclass(frozen=True)
class Line:
    """The content of a line: the fields of the record that the chain does not decide, and, where they are typed, the
    number of the hand and the pot after it (Rappen)."""

    record: Record = field(repr=False)
    number: int | None = None
    pot_minor: int | None = None


@dataclass(frozen=True)
class _Word:
    """A word of a line: a seat with its marks."""

    text: str
    seat: int
    blind: str = ""
    failed: bool = False
    tricks: int | None = None
    call: str = ""


# --- Names ------------------------------------------------------------------------------------------------


def folded(name: str) -> str:
    """A name for comparison: letters and digits only, without case and accents."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    return "".join(letter for letter in plain if letter.isalnum())


def short_names(names: Sequence[str]) -> tuple[str, ...]:
    """The shortest unique beginning of each name; the number of the seat where there is none."""
    known = [folded(name) for name in names]
    return tuple(_short(seat, known) for seat in range(len(known)))


def _short(seat: int, known: Sequence[str]) -> str:
    name = known[seat]
    tries = [name[:length] for length in range(1, len(name) + 1)]
    return next((word for word in tries if not word.isdecimal() and _meant(word, known) == [seat]), str(seat + 1))


def _meant(word: str, known: Sequence[str]) -> list[int]:
    """The seats that a folded word can mean: those with this name, or else those whose name begins with it."""
    exactly = [seat for seat, name in enumerate(known) if name == word]
    return exactly or [seat for seat, name in enumerate(known) if name.startswith(word)]


def _seat(word: str, head: str, names: Sequence[str]) -> int:
    """The seat named by the beginning of a word. Raises `Misread`."""
    if head.isdecimal():
        if head.isascii() and len(head) < 3 and 1 <= int(head) <= len(names):
            return int(head) - 1
        raise Misread(word, _("“%(word)s”: there is no seat %(number)s.") % {"word": word, "number": head[:20]})
    meant = _meant(folded(head), [folded(name) for name in names]) if folded(head) else []
    if len(meant) == 1:
        return meant[0]
    if not meant:
        raise Misread(word, _("“%(word)s”: nobody here has this name.") % {"word": word})
    several = ", ".join(names[seat] for seat in meant)
    raise Misread(word, _("“%(word)s” may be %(names)s: type more of the name.") % {"word": word, "names": several})


# --- Reading ----------------------------------------------------------------------------------------------


def read_line(text: str, start: Start, names: Sequence[str]) -> Line:
    """Read a line of the hand that begins with `start`; `names` are the nicknames by seat. Raises `Misread`."""
    line = " ".join(text.translate(DASHES).split())
    if len(line) > LONGEST:
        raise Misread("", _("This is no line of a hand: it has more than %(n)d characters.") % {"n": LONGEST})
    line, pot = _pot(line)
    words = [word.rstrip(",;") for word in line.split()]
    words = [word for word in words if word]
    number = _NUMBER.fullmatch(words[0]) if words else None
    if number:
        _check_number(words[0], int(number[1]), start)
        words = words[1:]
    if not words:
        raise Misread("", _("The line names nobody; “0” alone says that nobody declared."))
    reader = _kratzen if start.game == engine_bridge.KRATZEN else _chratze
    return Line(reader(words, start, names), int(number[1]) if number else None, pot)


def _check_number(word: str, number: int, start: Start) -> None:
    if number != start.number:
        values = {"word": word, "due": start.number}
        raise Misread(word, _("“%(word)s”: hand %(due)d is next. Is a line missing, or one too many?") % values)


def _pot(line: str) -> tuple[str, int | None]:
    """Split the pot (Rappen) from the end of the line. Raises `Misread`."""
    found = _POT.search(line)
    if not found:
        wrong = next((word for word in line.split() if "=" in word), None)
        if wrong is None:
            return line, None
        raise Misread(wrong, _("“%(word)s”: the pot comes last, such as =2.40.") % {"word": wrong})
    typed = found[1].replace("’", "").replace("'", "").replace(",", ".")
    amount = _AMOUNT.fullmatch(typed)
    if not typed or typed == "." or not amount:
        word = f"={found[1]}"
        raise Misread(word, _("“%(word)s”: the pot is written as an amount, such as =2.40.") % {"word": word})
    rest = (amount[2] or "").ljust(2, "0")
    return line[: found.start()].rstrip(), int(amount[1] or 0) * 100 + int(rest)


def _word(word: str, names: Sequence[str]) -> _Word:
    """Read the word of a player. Raises `Misread`."""
    parts = _WORD.fullmatch(unicodedata.normalize("NFC", word))
    if not parts:
        raise Misread(word, _("“%(word)s”: a name or the number of a seat comes first.") % {"word": word})
    marks: dict[str, Any] = {}
    place, rest = 0, parts[2]
    while place < len(rest):
        mark = _MARK.match(rest, place)
        name, value = _meaning(mark[0]) if mark else ("", None)
        if mark is None or not name:
            left = {"word": word, "rest": rest[place:]}
            raise Misread(word, _("“%(word)s”: “%(rest)s” means nothing here.") % left)
        if name in marks:
            raise Misread(word, _("“%(word)s” says the same thing twice.") % {"word": word})
        marks[name] = value
        place = mark.end()
    return _Word(word, _seat(word, parts[1], names), **marks)


def _meaning(mark: str) -> tuple[str, Any]:
    """The field and value of a mark behind a name; an empty field for an unknown mark."""
    if mark.startswith("*"):
        return "blind", "double" if mark == "**" else "blind"
    if mark in FAILED:
        return "failed", True
    if mark[0] in ".:":
        return "tricks", int(mark[1])
    call = CALL_WORDS.get(mark.lower())
    return ("call", call) if call else ("", None)


def _players(words: Sequence[str], names: Sequence[str]) -> list[_Word]:
    """Read the words of the players, each player once. Raises `Misread`."""
    found: list[_Word] = []
    for text in words:
        if text in PASSED:
            raise Misread(text, _("“%(word)s” stands alone in its line: nobody played.") % {"word": text})
        word = _word(text, names)
        if any(word.seat == other.seat for other in found):
            values = {"word": text, "name": names[word.seat]}
            raise Misread(text, _("“%(word)s”: %(name)s is named twice.") % values)
        found.append(word)
    return found


def _chratze(words: Sequence[str], start: Start, names: Sequence[str]) -> Record:
    if len(words) == 1 and words[0] in PASSED:
        return {"declarer": None}
    played = _players(words, names)
    for word in played:
        if word.call:
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
        _check_alone(declarer)
        return record
    if any(word.tricks is not None for word in played):
        marked = next((word for word in played if word.failed), None)
        if marked:
            raise Misread(
                marked.text, _("“%(word)s”: count tricks or mark who failed, not both.") % {"word": marked.text}
            )
        return record | {"tricks": _counted(played, [word.seat for word in played])}
    # A line without marks says that all made it, as the entry of the table screen does.
    failed = {word.seat: False for word in played if word.failed}
    made = goals.results(declarer.seat, record["joiners"], failed)
    if goals.is_undecided(made):
        raise Misread("", _("Who made no trick? Write - behind each name: the four tricks do not decide it."))
    return record | {"made": sorted(seat for seat, result in made.items() if result)}


def _check_alone(word: _Word) -> None:
    """Check that a lone declarer has no result: nothing was played. Raises `Misread`."""
    if word.failed or word.tricks is not None:
        raise Misread(
            word.text, _("“%(word)s”: nobody else is named, and so nothing was played.") % {"word": word.text}
        )


def _counted(played: Sequence[_Word], active: Sequence[int]) -> dict[str, int]:
    """Tricks by seat; a count that follows from the four tricks of a hand is filled in. Raises `Misread`."""
    counts = {word.seat: word.tricks for word in played if word.tricks is not None}
    left = TRICKS - sum(counts.values())
    uncounted = [seat for seat in active if seat not in counts]
    if left > 0 and len(uncounted) != 1:
        text = ngettext("%(n)d trick is still to be assigned.", "%(n)d tricks are still to be assigned.", left)
        raise Misread("", text % {"n": left})
    counts.update(dict.fromkeys(uncounted, max(left, 0)))
    return {str(seat): counts[seat] for seat in sorted(counts)}


def _kratzen(words: Sequence[str], start: Start, names: Sequence[str]) -> Record:
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
    played = _players(rest, names)
    _check_marks(played)
    if not played:
        raise Misread("", _("The line names nobody; “0” alone says that nobody declared."))
    muss = engine_bridge.due(start).muss is True
    caller = _caller(played, start, muss=muss, seven=seven)
    if muss or seven:
        called = next((word for word in played if word.call and word is not caller), None)
        if called:
            raise Misread(called.text, _("“%(word)s”: in a Muss nobody calls.") % {"word": called.text})
        return _all_play(cut, played, caller, dealer_shown(start, shown), seven=seven, seats=start.seats)
    called = next((word for word in played[1:] if word.call), None)
    if called:
        raise Misread(
            called.text, _("“%(word)s”: the call belongs to who plays and comes first.") % {"word": called.text}
        )
    declarer, joiners = played[0], played[1:]
    record = cut | {
        "declarer": declarer.seat,
        "joiners": sorted(word.seat for word in joiners),
        "game_type": declarer.call or SCHLAGEN,
    }
    if not joiners:
        _check_alone(declarer)
        return record
    return record | {"tricks": _counted(played, [word.seat for word in played])}


def _check_marks(played: Sequence[_Word]) -> None:
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


def _caller(played: Sequence[_Word], start: Start, *, muss: bool, seven: bool) -> _Word | None:
    """The player whose call made a Siebenermuss (K5.3), where the house rules have that."""
    if muss or not seven or played[0].call not in NEW_TRUMP:
        return None
    any_seven = engine_bridge.house_rules(engine_bridge.KRATZEN, start.rules)["seven_muss"] == "any"
    return played[0] if any_seven else None


def _all_play(
    cut: Record, played: Sequence[_Word], caller: _Word | None, dealer: int, *, seven: bool, seats: int
) -> Record:
    """The record of a Muss or Siebenermuss: the words give only the tricks."""
    declarer = caller.seat if caller else dealer
    record = cut | {"declarer": declarer, "joiners": [seat for seat in range(seats) if seat != declarer]}
    if seven:
        record["seven"] = True
    if caller:
        record["game_type"] = caller.call
    named = [word.seat for word in played]
    counts = _counted(played, named)
    return record | {"tricks": {str(seat): counts.get(str(seat), 0) for seat in range(seats)}}


# --- Writing ----------------------------------------------------------------------------------------------


def write_line(record: Mapping[str, Any], result: Result, words: Sequence[str]) -> str:
    """Write a hand that the engine accepted as a line; `words` are the short names by seat."""
    lead, tail = _kratzen_marks(record, result) if record["game"] == engine_bridge.KRATZEN else ([], "")
    if result["declarer"] is None:
        return " ".join([*lead, PASSED[0]])
    active = [result["declarer"], *result["joiners"]]
    tricks = result["tricks"] if result["outcome"] == "played" else None
    if result["muss"] and not tail and tricks is not None:
        active = [seat for seat in range(len(words)) if tricks[seat]]
    shown = []
    for seat in active:
        word = words[seat]
        if seat == result["declarer"]:
            word += tail + {"blind": "*", "double": "**"}.get(result["blind"] or "", "")
        if tricks is not None:
            word += f":{tricks[seat]}"
        elif engine_bridge.made_goal(dict(record), result, seat) is False:
            word += FAILED[0]
        shown.append(word)
    return " ".join([*lead, *shown])


def _kratzen_marks(record: Mapping[str, Any], result: Result) -> tuple[list[str], str]:
    """The words before the players, and the mark of the call behind the declarer."""
    shown = shown_of(record["cuts"])
    lead = [f"<{shown}"] if shown else []
    if engine_bridge.is_siebenermuss(dict(record), result):
        lead.append(SEVEN)
    call = engine_bridge.game_type_of(record, result)
    tails = {CALLS[1]: "/o", CALLS[2]: "/w"}
    return lead, tails.get(call or "", "")
