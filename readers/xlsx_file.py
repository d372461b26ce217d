"""Read the sheets of an XLSX file: values only, each part once, within one budget for the whole file."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field

from . import xlsx_values
from .budget import Budget
from .faults import Unreadable
from .packed_parts import Parts
from .xml_events import parse, parsed

MAX_SHEETS = 30
MAX_NAME = 100
MAX_STYLES = 64 * 1024
DIGITS = "0123456789"
Row = tuple[int, list[str]]


@dataclass
class Book:
    """What the parts beside the sheets say: names and paths of the sheets, the shared texts, the styles of dates."""

    sheets: list[tuple[str, str]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    dates: xlsx_values.Dates = field(default_factory=xlsx_values.Dates)


def sheets(content: bytes, budget: Budget, columns: int, longest: int) -> Iterator[tuple[str, Iterator[Row]]]:
    """Yield the sheets that are shown, each with its rows that are not empty: number and cells.

    A row has one cell more than `columns` at most: it says whether anything is beyond them. A cell is cut off at
    `longest`.

    Raises:
        Unreadable: `no_xlsx`, `too_complicated`.
    """
    parts = Parts(content, budget)
    book = _book(parts, budget, longest)
    for name, path in book.sheets:
        yield name, _Sheet(book, budget, columns, longest).read(parts, path)


def _book(parts: Parts, budget: Budget, longest: int) -> Book:
    book = Book()
    main = next((path for path, kind in _relations(parts, "").values() if kind == "officeDocument"), "")
    if not main:
        raise Unreadable("no_xlsx")
    related = _relations(parts, main)

    def start(name: str, more: dict[str, str]) -> None:
        if name == "sheet" and more.get("state", "visible") == "visible" and len(book.sheets) < MAX_SHEETS:
            relation = next((value for key, value in more.items() if key.endswith(":id")), "")
            path, kind = related.get(relation, ("", ""))
            # A second entry with the same part is none of another sheet.
            if kind == "worksheet" and path not in [known for _name, known in book.sheets]:
                book.sheets.append((more.get("name", "")[:MAX_NAME], path))
        elif name == "workbookPr":
            book.dates.from_1904 = more.get("date1904", "0") in ("1", "true")

    parse(parts.pieces(main), start, _nothing)
    beside = [(path, kind) for path, kind in related.values() if kind in ("sharedStrings", "styles")]
    # All of them are counted before the first is read: a file that has too much is refused at once.
    for path in (*(path for path, _kind in beside), *(path for _name, path in book.sheets)):
        parts.count(path)
    for path, kind in beside:
        if kind == "styles":
            _note_styles(parts, path, book.dates)
        else:
            book.texts += _shared_texts(parts, path, budget, longest)
    return book


def _nothing(*_event: object) -> None:
    pass


def _relations(parts: Parts, of: str) -> dict[str, tuple[str, str]]:
    """Return the parts to which a part refers: path and kind by the id of the relation."""
    folder, file = posixpath.split(of)
    relations: dict[str, tuple[str, str]] = {}

    def start(name: str, more: dict[str, str]) -> None:
        if name == "Relationship" and more.get("TargetMode") != "External":
            path = posixpath.normpath(posixpath.join("/", folder, more.get("Target", ""))).lstrip("/")
            relations[more.get("Id", "")] = (path, more.get("Type", "").rpartition("/")[2])

    parse(parts.pieces(posixpath.join(folder, "_rels", f"{file}.rels")), start, _nothing)
    return relations


def _shared_texts(parts: Parts, path: str, budget: Budget, longest: int) -> list[str]:
    texts: list[str] = []
    kept = _Text(longest)

    def start(name: str, _more: dict[str, str]) -> None:
        if name == "t":
            kept.inside = not kept.phonetic
        elif name == "si":
            kept.begin()
        elif name == "rPh":
            kept.phonetic = True

    def end(name: str) -> None:
        if name == "t":
            kept.inside = False
        elif name == "si":
            texts.append(kept.end())
            budget.take("signs", len(texts[-1]))
        elif name == "rPh":
            kept.phonetic = False

    parse(parts.pieces(path), start, end, kept.add)
    return texts


def _note_styles(parts: Parts, path: str, dates: xlsx_values.Dates) -> None:
    """Note which styles of cells show a number as a date, a time or a duration."""
    formats: dict[int, str] = {}
    is_inside = False
    style = 0

    def start(name: str, more: dict[str, str]) -> None:
        nonlocal is_inside, style
        if name == "numFmt":
            formats[int(more.get("numFmtId", "0"))] = more.get("formatCode", "")[:200]
        elif name == "cellXfs":
            is_inside = True
        elif name == "xf" and is_inside:
            if style >= MAX_STYLES:
                raise Unreadable("too_complicated")
            number = int(more.get("numFmtId", "0"))
            dates.note(style, formats.get(number) or xlsx_values.FORMATS.get(number, ""))
            style += 1

    def end(name: str) -> None:
        nonlocal is_inside
        if name == "cellXfs":
            is_inside = False

    parse(parts.pieces(path), start, end)


class _Text:
    """A text that comes in pieces, of which only the begin is kept."""

    def __init__(self, longest: int) -> None:
        self.longest = longest
        # Blanks at both ends are taken away later, so that a few more are kept.
        self.most = 2 * longest
        self.inside = self.phonetic = False
        self.begin()

    def begin(self) -> None:
        """Begin an empty text."""
        self.pieces: list[str] = []
        self.length = 0

    def add(self, piece: str) -> None:
        """Add a piece."""
        if self.inside and self.length < self.most:
            self.pieces.append(piece[: self.most - self.length])
            self.length += len(piece)

    def end(self) -> str:
        """Return the text, without blanks at both ends."""
        return "".join(self.pieces).strip()[: self.longest]


class _Sheet:
    """The rows of one sheet, as they come."""

    def __init__(self, book: Book, budget: Budget, columns: int, longest: int) -> None:
        self.book, self.budget, self.columns = book, budget, columns
        self.text = _Text(longest)
        self.rows: list[Row] = []
        self.row = self.column = 0
        self.cells: dict[int, str] = {}
        self.kind = self.style = ""
        self.numbers: dict[str, int] = {}

    def read(self, parts: Parts, path: str) -> Iterator[Row]:
        """Yield the rows that have something, in the order of their numbers."""
        last = 0
        for _piece in parsed(parts.pieces(path), self.start, self.end, self.text.add):
            for number, cells in self.rows:
                if number > last:
                    yield number, cells
                    last = number
            self.rows.clear()

    def start(self, name: str, more: dict[str, str]) -> None:
        """Begin a row, a cell or its value."""
        if name == "c":
            reference = more.get("r")
            self.column = self._column(reference) if reference else self.column + 1
            self.kind, self.style = more.get("t", "n"), more.get("s", "")
            if self.text.length:
                self.text.begin()
        elif name in ("v", "t"):
            self.text.inside = not self.text.phonetic and (name == "t") == (self.kind == "inlineStr")
        elif name == "row":
            number = more.get("r")
            self.row = int(number) if number else self.row + 1
            self.column = 0
        elif name == "rPh":
            self.text.phonetic = True

    def end(self, name: str) -> None:
        """End a value, a cell or a row."""
        if name == "c":
            if self.text.length and (written := self.text.end()):
                # A cell beyond the columns is not kept; that there is one is.
                self.cells[min(self.column, self.columns + 1)] = self._shown(written)
        elif name in ("v", "t"):
            self.text.inside = False
        elif name == "row":
            if self.cells:
                cells = [""] * max(self.cells)
                for column, text in self.cells.items():
                    cells[column - 1] = text
                if any(cells):
                    self.rows.append((self.row, cells))
                self.cells.clear()
        elif name == "rPh":
            self.text.phonetic = False

    def _shown(self, written: str) -> str:
        if self.kind == "s":
            return self.book.texts[int(written)]
        if self.kind in ("str", "inlineStr", "e"):
            return written
        return xlsx_values.shown(self.kind, written, int(self.style or 0), self.book.dates)

    def _column(self, reference: str) -> int:
        """Return the number of a column: of `C7` it is 3."""
        letters = reference.rstrip(DIGITS)
        number = self.numbers.get(letters)
        if number is None:
            number = 0
            for letter in letters.upper()[:4]:
                number = number * 26 + ord(letter) - 64
            if number < 1:
                raise Unreadable("no_xlsx")
            self.numbers[letters] = number
        return number
