"""A typed line of a hand, word by word: names, marks and counts, as every game's lines have them.

docs/paper.md describes the lines. A game's reader puts the words together to a record.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

PASSED = ("0", "-")
FAILED = "-!✕"

_WORD = re.compile(r"([^\W_]+)(.*)", re.DOTALL)
_MARK = re.compile(r"\*\*|\*|[-!✕]|[.:]\d|/[^\W\d_]+")


class Misread(Exception):
    """A line that cannot be read: `word` is the wrong word ('' for the whole line), `sentence` describes the fault."""

    def __init__(self, word: str, sentence: str) -> None:
        super().__init__(f"{word}: {sentence}")
        self.word = word
        self.sentence = sentence


@dataclass(frozen=True)
class Word:
    """A word of a line: a seat with its marks. `said` is the meaning of the mark after a slash."""

    text: str
    seat: int
    blind: str = ""
    failed: bool = False
    tricks: int | None = None
    said: str = ""


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


# --- Words ----------------------------------------------------------------------------------------------


def _word(word: str, names: Sequence[str], signs: Mapping[str, str]) -> Word:
    """Read the word of a player. Raises `Misread`."""
    parts = _WORD.fullmatch(unicodedata.normalize("NFC", word))
    if not parts:
        raise Misread(word, _("“%(word)s”: a name or the number of a seat comes first.") % {"word": word})
    marks: dict[str, Any] = {}
    place, rest = 0, parts[2]
    while place < len(rest):
        mark = _MARK.match(rest, place)
        name, value = _meaning(mark[0], signs) if mark else ("", None)
        if mark is None or not name:
            left = {"word": word, "rest": rest[place:]}
            raise Misread(word, _("“%(word)s”: “%(rest)s” means nothing here.") % left)
        if name in marks:
            raise Misread(word, _("“%(word)s” says the same thing twice.") % {"word": word})
        marks[name] = value
        place = mark.end()
    return Word(word, _seat(word, parts[1], names), **marks)


def _meaning(mark: str, signs: Mapping[str, str]) -> tuple[str, Any]:
    """The field and value of a mark behind a name; an empty field for an unknown mark."""
    if mark.startswith("*"):
        return "blind", "double" if mark == "**" else "blind"
    if mark in FAILED:
        return "failed", True
    if mark[0] in ".:":
        return "tricks", int(mark[1])
    said = signs.get(mark.lower())
    return ("said", said) if said else ("", None)


def players(words: Sequence[str], names: Sequence[str], signs: Mapping[str, str]) -> list[Word]:
    """Read the words of the players, each player once. `signs` are the marks after a slash, with their meaning. Raises
    `Misread`."""
    recognised: list[Word] = []
    for text in words:
        if text in PASSED:
            raise Misread(text, _("“%(word)s” stands alone in its line: nobody played.") % {"word": text})
        word = _word(text, names, signs)
        if any(word.seat == other.seat for other in recognised):
            values = {"word": text, "name": names[word.seat]}
            raise Misread(text, _("“%(word)s”: %(name)s is named twice.") % values)
        recognised.append(word)
    return recognised


def check_alone(word: Word) -> None:
    """Check that a lone player has no result: nothing was played. Raises `Misread`."""
    if word.failed or word.tricks is not None:
        raise Misread(
            word.text, _("“%(word)s”: nobody else is named, and so nothing was played.") % {"word": word.text}
        )


def counted(played: Sequence[Word], active: Sequence[int], tricks: int) -> dict[str, int]:
    """Tricks by seat; a count that follows from the number of tricks of a hand is filled in. Raises `Misread`."""
    counts = {word.seat: word.tricks for word in played if word.tricks is not None}
    left = tricks - sum(counts.values())
    uncounted = [seat for seat in active if seat not in counts]
    if left > 0 and len(uncounted) != 1:
        text = ngettext("%(n)d trick is still to be assigned.", "%(n)d tricks are still to be assigned.", left)
        raise Misread("", text % {"n": left})
    counts.update(dict.fromkeys(uncounted, max(left, 0)))
    return {str(seat): counts[seat] for seat in sorted(counts)}
