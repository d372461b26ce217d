"""Read XML as events: nothing of the document is kept here, and it may define no entities."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any
from xml.parsers import expat

from .faults import Unreadable

LONGEST_TOKEN = 512 * 1024
"""A tag without an end is not collected beyond this."""
MAX_OPEN = 10_000
"""So many elements may be open; each takes memory."""

Start = Callable[[str, dict[str, str]], Any]
End = Callable[[str], Any]
Text = Callable[[str], Any]


def parse(pieces: Iterable[bytes], start: Start, end: End, text: Text | None = None) -> None:
    """Call `start` and `end` with the name of each element, without its prefix, and `text` with texts.

    Raises:
        Unreadable: `no_xlsx` for broken XML, and for a document with a DOCTYPE; `too_complicated`.
    """
    for _piece in parsed(pieces, start, end, text):
        pass


def parsed(pieces: Iterable[bytes], start: Start, end: End, text: Text | None = None) -> Iterator[None]:
    """Do as `parse` does, piece by piece: after each one the caller can take what it has found."""
    parser = expat.ParserCreate()

    def first(name: str, more: dict[str, str]) -> None:
        # A program puts its prefix before all elements or before none; without one the names need no look.
        if ":" in name:
            parser.StartElementHandler = lambda name, more: start(name.rpartition(":")[2], more)
            parser.EndElementHandler = lambda name: end(name.rpartition(":")[2])
        else:
            parser.StartElementHandler, parser.EndElementHandler = start, end
        start(name.rpartition(":")[2], more)

    parser.StartElementHandler = first
    if text is not None:
        parser.buffer_text = True
        parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = _refuse
    fed = opened = 0
    try:
        for piece in pieces:
            # About so many elements are open, by the ends of tags.
            opened += piece.count(b"<") - 2 * piece.count(b"</") - piece.count(b"/>")
            if opened > MAX_OPEN:
                raise Unreadable("too_complicated")
            parser.Parse(piece, False)
            fed += len(piece)
            if fed - parser.CurrentByteIndex > LONGEST_TOKEN:
                raise Unreadable("too_complicated")
            yield
        if fed:
            parser.Parse(b"", True)
            yield
    except (expat.ExpatError, ValueError, LookupError, RecursionError):
        raise Unreadable("no_xlsx") from None


def _refuse(*_doctype: Any) -> None:
    raise Unreadable("no_xlsx")
