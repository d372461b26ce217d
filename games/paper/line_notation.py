"""Read a hand from one typed line, and write it as one: `2 1 4-` or `beni anna doris-`. docs/paper.md describes it.

A line is read into the fields of a hand record that the chain does not decide. The engine checks the record after
that. This module neither stores anything nor reads the database.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from ..engine_bridge import Record, Result, Start
from ..game.typed_line import Misread, short_names
from ..offered import game_of

__all__ = ["LONGEST", "Misread", "NotationLine", "read_line", "short_names", "write_line"]

LONGEST = 200
"""The most characters of a line."""

DASHES = str.maketrans("–—−", "---")

_NUMBER = re.compile(r"(\d{1,6})[.)]")
_POT = re.compile(r"(?<!\S)=\s*([^\s=]*)$")
_AMOUNT = re.compile(r"(\d{0,9})(?:\.(\d{1,2}))?")


@dataclass(frozen=True)
class NotationLine:
    """The content of a line: the fields of the record that the chain does not decide, and, where they are typed, the
    number of the hand and the pot after it (Rappen)."""

    record: Record = field(repr=False)
    number: int | None = None
    pot_minor: int | None = None


def read_line(text: str, start: Start, names: Sequence[str]) -> NotationLine:
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
    record = game_of(start.game).records.paper.read(words, start, names)
    return NotationLine(record, int(number[1]) if number else None, pot)


def _check_number(word: str, number: int, start: Start) -> None:
    if number != start.number:
        values = {"word": word, "due": start.number}
        raise Misread(word, _("“%(word)s”: hand %(due)d is next. Is a line missing, or one too many?") % values)


def _pot(line: str) -> tuple[str, int | None]:
    """Split the pot (Rappen) from the end of the line. Raises `Misread`."""
    match = _POT.search(line)
    if not match:
        wrong = next((word for word in line.split() if "=" in word), None)
        if wrong is None:
            return line, None
        raise Misread(wrong, _("“%(word)s”: the pot comes last, such as =2.40.") % {"word": wrong})
    typed = match[1].replace("’", "").replace("'", "").replace(",", ".")
    amount = _AMOUNT.fullmatch(typed)
    if not typed or typed == "." or not amount:
        word = f"={match[1]}"
        raise Misread(word, _("“%(word)s”: the pot is written as an amount, such as =2.40.") % {"word": word})
    rest = (amount[2] or "").ljust(2, "0")
    return line[: match.start()].rstrip(), int(amount[1] or 0) * 100 + int(rest)


def write_line(record: Mapping[str, Any], result: Result, words: Sequence[str]) -> str:
    """Write a hand that the engine accepted as a line; `words` are the short names by seat."""
    return game_of(record["game"]).records.paper.write(record, result, words)
