"""A hand as one typed line, and back: `2 1 4-` or `beni anna doris-`. docs/typing.md tells the notation.

Nothing here stores or decides: a line is read into the part of a hand record that the chain does not know, and what
the rules say of that record comes after. Nothing is read from the database.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .. import recording
from ..kratzen_form import CALLS, NEW_TRUMP, SCHLAGEN, SHOWN, cuts_of, dealer_shown, shown_of
from ..recording import Record, Result, Start

TRICKS = 4
LONGEST = 200
"""Characters of a line; a longer one is no line of ours."""

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
    """A line that cannot be read: `word` is the one at fault ('' for the whole line), `sentence` says what is wrong."""

    def __init__(self, word: str, sentence: str) -> None:
        super().__init__(f"{word}: {sentence}")
        self.word = word
        self.sentence = sentence


@dataclass(frozen=True)
class Line:
    """What a line says: the record without what the chain knows, the hand's number and the pot after it (Rappen) where
    they are given."""

    record: Record = field(repr=False)
    number: int | None = None
    pot_minor: int | None = None


@dataclass(frozen=True)
class _Word:
    """A seat with what stands behind it."""

    text: str
    seat: int
    blind: str = ""
    failed: bool = False
    tricks: int | None = None
    call: str = ""


# --- Names ------------------------------------------------------------------------------------------------


def folded(name: str) -> str:
    """A name as it is compared: letters and digits alone, without case and accents."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    return "".join(letter for letter in plain if letter.isalnum())


def shorts(names: Sequence[str]) -> tuple[str, ...]:
    """The shortest word for each seat that means nobody else; the seat's number where its name gives none."""
    known = [folded(name) for name in names]
    return tuple(_short(seat, known) for seat in range(len(known)))


def _short(seat: int, known: Sequence[str]) -> str:
    name = known[seat]
    tries = [name[:length] for length in range(1, len(name) + 1)]
    return next((word for word in tries if not word.isdecimal() and _meant(word, known) == [seat]), str(seat + 1))


def _meant(word: str, known: Sequence[str]) -> list[int]:
    """The seats that a folded word may mean: whose name it is, or else whose name begins with it."""
    exactly = [seat for seat, name in enumerate(known) if name == word]
    return exactly or [seat for seat, name in enumerate(known) if name.startswith(word)]


def _seat(word: str, head: str, names: Sequence[str]) -> int:
    """The seat that the beginning of a word names. Raises `Misread`."""
    if head.isdecimal():
        if head.isascii() and len(head) < 3 and 1 <= int(head) <= len(names):
            return int(head) - 1
        raise Misread(word, _("“%(word)s”: there is no seat %(number)s.") % {"word": word, "number": head[:20]})
    meant = _meant(folded(head), [folded(name) for name in names]) if folded(head) else []
    if len(meant) == 1:
        return meant[0]
    if not meant:
        raise Misread(word, _("“%(word)s”: nobody here is called so.") % {"word": word})
    several = ", ".join(names[seat] for seat in meant)
    raise Misread(word, _("“%(word)s” may be %(names)s: type more of the name.") % {"word": word, "names": several})


# --- Reading ----------------------------------------------------------------------------------------------


def read(text: str, start: Start, names: Sequence[str]) -> Line:
    """A line of the hand that begins with `start`, the players' nicknames by seat. Raises `Misread`."""
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
    reader = _kratzen if start.game == recording.KRATZEN else _chratze
    return Line(reader(words, start, names), int(number[1]) if number else None, pot)


def _check_number(word: str, number: int, start: Start) -> None:
    if number != start.number:
        told = {"word": word, "due": start.number}
        raise Misread(word, _("“%(word)s”: hand %(due)d is next. Is a line missing, or one too many?") % told)


def _pot(line: str) -> tuple[str, int | None]:
    """The line without the pot at its end, and that pot in Rappen. Raises `Misread`."""
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
    """A player's word. Raises `Misread`."""
    parts = _WORD.fullmatch(unicodedata.normalize("NFC", word))
    if not parts:
        raise Misread(word, _("“%(word)s”: a name or the number of a seat comes first.") % {"word": word})
    said: dict[str, Any] = {}
    place, rest = 0, parts[2]
    while place < len(rest):
        mark = _MARK.match(rest, place)
        name, value = _said(mark[0]) if mark else ("", None)
        if mark is None or not name:
            left = {"word": word, "rest": rest[place:]}
            raise Misread(word, _("“%(word)s”: “%(rest)s” means nothing here.") % left)
        if name in said:
            raise Misread(word, _("“%(word)s” says the same thing twice.") % {"word": word})
        said[name] = value
        place = mark.end()
    return _Word(word, _seat(word, parts[1], names), **said)


def _said(mark: str) -> tuple[str, Any]:
    """What a mark behind a name says; an empty name for one that says nothing."""
    if mark.startswith("*"):
        return "blind", "double" if mark == "**" else "blind"
    if mark in FAILED:
        return "failed", True
    if mark[0] in ".:":
        return "tricks", int(mark[1])
    call = CALL_WORDS.get(mark.lower())
    return ("call", call) if call else ("", None)


def _players(words: Sequence[str], names: Sequence[str]) -> list[_Word]:
    """The players' words of a line, each player once. Raises `Misread`."""
    found: list[_Word] = []
    for text in words:
        if text in PASSED:
            raise Misread(text, _("“%(word)s” stands alone in its line: nobody played.") % {"word": text})
        word = _word(text, names)
        if any(word.seat == other.seat for other in found):
            told = {"word": text, "name": names[word.seat]}
            raise Misread(text, _("“%(word)s”: %(name)s is named twice.") % told)
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
    return record | {"made": sorted(word.seat for word in played if not word.failed)}


def _check_alone(word: _Word) -> None:
    """Nobody joined, so nothing was played for. Raises `Misread`."""
    if word.failed or word.tricks is not None:
        raise Misread(
            word.text, _("“%(word)s”: nobody else is named, and so nothing was played.") % {"word": word.text}
        )


def _counted(played: Sequence[_Word], active: Sequence[int]) -> dict[str, int]:
    """Tricks by seat, what four tricks leave no choice about filled in. Raises `Misread`."""
    counts = {word.seat: word.tricks for word in played if word.tricks is not None}
    left = TRICKS - sum(counts.values())
    unsaid = [seat for seat in active if seat not in counts]
    if left > 0 and len(unsaid) != 1:
        told = ngettext("%(n)d trick is still to be given out.", "%(n)d tricks are still to be given out.", left)
        raise Misread("", told % {"n": left})
    counts.update(dict.fromkeys(unsaid, max(left, 0)))
    return {str(seat): counts[seat] for seat in sorted(counts)}


def _kratzen(words: Sequence[str], start: Start, names: Sequence[str]) -> Record:
    """A hand of Kratzen: cuts and the seven stand anywhere among the words."""
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
    muss = recording.due(start).muss is True
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
    """Marks that Kratzen does not know. Raises `Misread`."""
    for word in played:
        if word.blind:
            raise Misread(word.text, _("“%(word)s”: in Kratzen nobody plays blind.") % {"word": word.text})
        if word.failed:
            told = {"word": word.text}
            raise Misread(word.text, _("“%(word)s”: in Kratzen tricks are counted, such as :2.") % told)


def _shown(word: str) -> str:
    """The letters of the cuts. Raises `Misread`."""
    shown = word[1:].replace("a", "A").replace("w", "W").replace("X", "x")
    if not shown or not set(shown) <= set(SHOWN):
        raise Misread(word, _("“%(word)s”: a cut shows A, 7, W (the Weli) or x.") % {"word": word})
    last = cuts_of(shown)[-1]
    if len(last) == 1 and last != ["x"]:
        raise Misread(word, _("“%(word)s”: which card lay at the bottom of the pack?") % {"word": word})
    return shown


def _caller(played: Sequence[_Word], start: Start, *, muss: bool, seven: bool) -> _Word | None:
    """Whose call turned the seven that made a Siebenermuss (K5.3), where the house rules know that."""
    if muss or not seven or played[0].call not in NEW_TRUMP:
        return None
    any_seven = recording.house_rules(recording.KRATZEN, start.rules)["seven_muss"] == "any"
    return played[0] if any_seven else None


def _all_play(
    cut: Record, played: Sequence[_Word], caller: _Word | None, dealer: int, *, seven: bool, seats: int
) -> Record:
    """A Muss or Siebenermuss: the words tell tricks alone."""
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


def written(record: Mapping[str, Any], result: Result, words: Sequence[str]) -> str:
    """A hand that the engine accepted as a line; `words` are what stands for each seat."""
    lead, tail = _kratzen_words(record, result) if record["game"] == recording.KRATZEN else ([], "")
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
        elif recording.made_goal(dict(record), result, seat) is False:
            word += FAILED[0]
        shown.append(word)
    return " ".join([*lead, *shown])


def _kratzen_words(record: Mapping[str, Any], result: Result) -> tuple[list[str], str]:
    """What stands before the players, and the call behind the one who plays."""
    shown = shown_of(record["cuts"])
    lead = [f"<{shown}"] if shown else []
    if recording.is_siebenermuss(dict(record), result):
        lead.append(SEVEN)
    call = recording.game_type_of(record, result)
    tails = {CALLS[1]: "/o", CALLS[2]: "/w"}
    return lead, tails.get(call or "", "")
