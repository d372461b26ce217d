"""The parts of a packed file (ZIP), unpacked piece by piece within a budget.

What the file says about its own sizes is not believed. A part is unpacked twice: once to count what it has, which is
fifty times as fast as to read it, and once to be read.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator

from .budget import Budget
from .faults import Unreadable

PIECE = 64 * 1024
ENTRY = b"PK\x01\x02"
MAX_ENTRIES = 1000
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENCRYPTED = 0x1
DENSE_BYTES, DENSEST = 2 * 1024 * 1024, 100
"""A part that unpacks to more bytes than these, and to so many times its packed size, has nothing but repeats: a
spreadsheet unpacks to ten to forty times its size."""
ELEMENTS = {"cells": b"c", "texts": b"si", "lines": b"row"}
"""The elements that count by the kind of the budget, whatever their prefix."""
FEW_TAGS, TAGS_OF_EACH = 500_000, 12
"""A part may have so many starts and ends of elements, and so many more for each cell and text."""
FAULTS = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError, zlib.error)
"""The exceptions of `zipfile` for a file that is broken."""


class Parts:
    """A packed file by the names of its parts; each part is read once."""

    def __init__(self, content: bytes, budget: Budget) -> None:
        """Raises Unreadable: `no_xlsx` for a file that is not packed, `too_complicated`."""
        if content.count(ENTRY) > MAX_ENTRIES:
            raise Unreadable("too_complicated")
        try:
            self.packed = zipfile.ZipFile(io.BytesIO(content))
        except FAULTS:
            raise Unreadable("no_xlsx") from None
        self.budget = budget
        self.entries = {info.filename: info for info in self.packed.infolist()}
        self.counted: set[str] = set()
        self.read: set[str] = set()

    def count(self, name: str) -> None:
        """Take the bytes, cells, texts and rows of a part from the budget. Raises Unreadable as `pieces` does."""
        if name in self.counted:
            return
        self.counted.add(name)
        unpacked = tags = elements = 0
        for piece in self._unpacked(name):
            unpacked += len(piece)
            self.budget.take("unpacked", len(piece))
            if unpacked > max(DENSE_BYTES, DENSEST * self.entries[name].compress_size):
                raise Unreadable("too_complicated")
            tags += piece.count(b"<")
            for kind, element in ELEMENTS.items():
                count = sum(piece.count(b"%c%s%c" % (begin, element, end)) for begin in b"<:" for end in b" >/")
                elements += count
                self.budget.take(kind, count)
            if tags > FEW_TAGS + TAGS_OF_EACH * elements:
                raise Unreadable("too_complicated")

    def pieces(self, name: str) -> Iterator[bytes]:
        """Yield a part piece by piece; nothing for a part that is not there, or that was read before.

        Raises:
            Unreadable: `no_xlsx` for a part that is broken, `too_complicated` for one that has too much.
        """
        if name in self.read:
            return
        self.read.add(name)
        self.count(name)
        yield from self._unpacked(name)

    def _unpacked(self, name: str) -> Iterator[bytes]:
        entry = self.entries.get(name)
        if entry is None:
            return
        if entry.compress_type not in METHODS or entry.flag_bits & ENCRYPTED:
            raise Unreadable("no_xlsx")
        try:
            with self.packed.open(entry) as part:
                while piece := part.read(PIECE):
                    yield piece
        except FAULTS:
            raise Unreadable("no_xlsx") from None
