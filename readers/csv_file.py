"""Read a CSV file row by row, whatever program wrote it."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

from .budget import Budget
from .faults import Unreadable

DELIMITERS = ";\t,|"
ENCODINGS = ("utf-8-sig", "cp1252")
LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
HEADING = re.compile(r"[^\r\n]*[^\s][^\r\n]*")


def rows(content: bytes, budget: Budget, most: int) -> Iterator[list[str]]:
    """Yield the rows of a file. `most`: the number of rows that a sentence names where it has far more.

    Raises:
        Unreadable: `no_table` for a file that is no text, `no_csv` for one that cannot be read, `too_many_rows`,
            `too_complicated`.
    """
    text = _decoded(content)
    if "\0" in text:
        raise Unreadable("no_table")
    if text.count("\n") + text.count("\r") - text.count("\r\n") > budget.lines:
        raise Unreadable("too_many_rows", most=most)
    delimiter = _delimiter(text)
    # Before the first row: a single row may have all of them.
    budget.take("cells", text.count(delimiter))
    lines = (match[0] for match in LINE.finditer(text))
    try:
        yield from csv.reader(lines, delimiter=delimiter)
    except csv.Error:
        raise Unreadable("no_csv") from None


def _decoded(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    for encoding in ENCODINGS:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return content.decode("latin-1")


def _delimiter(text: str) -> str:
    """Return the delimiter that occurs most often in the heading, outside quotes."""
    match = HEADING.search(text)
    heading = match[0] if match else ""
    outside = "".join(part for place, part in enumerate(heading.split('"')) if place % 2 == 0)
    return max(DELIMITERS, key=outside.count)
