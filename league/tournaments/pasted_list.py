"""A pasted list of people: one on each line, from a mail or a spreadsheet, with label and team in columns of their
own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from .entries import Newcomer
from .hall import folded

NAME, FIRST, LAST, LABELS, TEAM = "name", "first", "last", "labels", "team"
HEADINGS = {
    NAME: ("name", "nickname", "spitzname", "player", "spieler", "spielerin"),
    FIRST: ("first name", "given name", "vorname"),
    LAST: ("last name", "family name", "surname", "nachname", "familienname"),
    LABELS: ("label", "labels", "club", "merkmal", "merkmale", "verein", "family", "familie"),
    TEAM: ("team", "pair", "mannschaft", "paar"),
}
"""The headings of columns, in English and German; columns with another heading are left out."""
COLUMN = {heading: column for column, headings in HEADINGS.items() for heading in headings}
WITHOUT_HEADINGS = (NAME, LABELS, TEAM)
NUMBERED = re.compile(r"^\d+\s*[.)]\s+")


def names_in(text: str) -> list[str]:
    """Return the nicknames in a text: one on each line, or between commas or semicolons."""
    return [name for part in re.split(r"[\n\r,;\t]+", text) if (name := _tidy(part))]


def people_in(text: str, *, here: bool = False, paid: bool = False, name_hidden: bool = False) -> list[Newcomer]:
    """Return the people of a pasted list.

    Tabs or semicolons in several lines separate columns: name, labels, team, or those that a line of headings names.
    Without columns each line has one name, or several between commas. A number before a name (`3. Anna`) is left out.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    separator = next((character for character in "\t;" if any(character in line for line in lines)), "")
    rows = [[_tidy(cell) for cell in line.split(separator)] for line in lines] if separator and len(lines) > 1 else None
    if rows is None:
        records: Sequence[Mapping[str, str]] = [{NAME: name} for name in names_in(text)]
    else:
        records = _in_columns(rows)
    return [
        Newcomer(
            nickname=NUMBERED.sub("", name),
            labels=tuple(names_in(record.get(LABELS, ""))),
            team=record.get(TEAM, ""),
            here=here,
            paid=paid,
            name_hidden=name_hidden,
        )
        for record in records
        if (name := record.get(NAME) or _tidy(f"{record.get(FIRST, '')} {record.get(LAST, '')}"))
    ]


def _in_columns(rows: Sequence[Sequence[str]]) -> list[dict[str, str]]:
    """Return the cells of each row by column."""
    heads: Sequence[str | None] = [COLUMN.get(folded(cell)) for cell in rows[0]]
    if {NAME, FIRST, LAST} & set(heads):
        rows = rows[1:]
    else:
        heads = WITHOUT_HEADINGS
    return [{head: cell for head, cell in zip(heads, row, strict=False) if head} for row in rows]


def _tidy(text: str) -> str:
    return " ".join(text.split())
