"""Recognise the layout of a file: a row for each person of an evening, a sheet, a turned sheet, or hands."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from ..models import ImportKind
from . import values

TOTALS = (
    "total", "totale", "summe", "sum", "saldo", "ergebnis", "gesamt", "zwischensumme", "schlussstand", "stand", "somme",
    "somma", "schnitt", "durchschnitt", "mittel", "mittelwert", "average", "mean", "moyenne", "media", "rang", "rank",
    "maximum", "minimum", "max", "min", "best", "kontrolle", "check", "differenz", "diff",
)  # fmt: skip
"""What stands in a row, or over a column, that has sums of others."""
REMARKS = (
    "topf", "pot", "kasse", "kitty", "bemerkung", "bemerkungen", "notiz", "notizen", "kommentar", "remark", "remarks",
    "note", "notes", "comment", "remarque", "ort", "lokal", "wirt", "gastgeber", "place", "host", "lieu", "luogo", "nr",
    "no", "nummer", "number", "abend", "evening", "anzahl", "spieler", "players", "teilnehmer", "anwesend", "sieger",
    "gewinner", "winner", "jahr", "year", "saison", "season", "wochentag", "weekday", "spiele", "hands",
)  # fmt: skip
"""Titles of columns that are no person."""
DATES = ("datum", "date", "tag", "abend", "heldon", "day", "jour", "giorno", "data")
NAMES = ("name", "spieler", "spielerin", "player", "nickname", "nom", "nome", "wer")
SAID = ("role", "rolle", "ansage", "gesagt", "said")
HAND = ("hand", "spiel", "nr", "nummer", "spielnr", "handnr", "number", "runde", "main", "mano")


def plain(title: str) -> str:
    """Return a title without capitals, accents and signs."""
    letters = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]", "", letters.casefold())


def is_total(cell: str) -> bool:
    """Return True for the first cell of a row of sums: `Total`, `Summe 2019`, `Ø`."""
    words = [plain(word) for word in cell.split()]
    return cell.strip() in ("Ø", "Σ", "∑") or bool(words and words[0] in TOTALS and not values.is_day(cell))


def looks_like_total(title: str) -> bool:
    """Return True for the title of a column that is no person: a sum, a pot, a remark."""
    return is_total(title) or plain(title) in REMARKS


def kind_of(rows: Sequence[Sequence[str]]) -> str:
    """Return the likeliest layout of a file, the heading first (`ImportKind`)."""
    heading = [plain(title) for title in rows[0]]
    if set(heading) & set(NAMES) and set(heading) & set(DATES):
        with_hands = set(heading) & set(HAND) and set(heading) & set(SAID)
        return ImportKind.HANDS if with_hands else ImportKind.TOTALS
    titles = [title for title in rows[0][1:] if title and not is_total(title)]
    days = sum(map(values.is_day, titles))
    if days and 2 * days >= len(titles):
        return ImportKind.TURNED
    body = [row for row in rows[1:] if row]
    columns = [[row[place] for row in body if row[place]] for place in range(len(rows[0]))]
    dates = max(columns, key=lambda cells: sum(map(values.is_day, cells)))
    day_cells = [cell for cell in dates if values.is_day(cell)]
    numbers = sum(_is_numeric(cells) for cells in columns)
    # A row for each person has a day once for each of them. A sheet may have one twice by mistake: the preview says so.
    if day_cells and 2 * len(set(day_cells)) > len(day_cells) and numbers >= 2:
        return ImportKind.SHEET
    return ImportKind.TOTALS


def _is_numeric(cells: Sequence[str]) -> bool:
    """Return True if a column has numbers, and hardly anything else."""
    read = sum(values.amount(cell) is not None and not values.is_day(cell) for cell in cells)
    return bool(read) and 2 * read >= len(cells)
