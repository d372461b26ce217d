"""The kinds of paper: name, condition and drawing function of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ...errors import Refused
from .printed_tournament import Content, no_draw, no_end, no_result, no_tables, nobody


@dataclass(frozen=True)
class Kind:
    """One kind of paper. `module` is the module here that draws it; `missing` returns the reason why it cannot be
    printed yet, None if it can; `counted`: the reader may choose the number of tables; `coded` returns the tables whose
    codes are on it."""

    title: str | Promise
    about: str | Promise
    module: str
    missing: Callable[[Content], Refused | None]
    counted: bool = False
    coded: Callable[[Content], Sequence[int]] = lambda _content: ()

    def drawing(self, content: Content) -> Callable[[], bytes]:
        """Read what is on the paper; return the function that draws it as PDF. The first call loads the library of
        PDFs: the start of a process does not."""
        return partial(import_module(f".{self.module}", __package__).draw, content.read(self.coded(content)))


KINDS: Mapping[str, Kind] = {
    "badges": Kind(
        _("Badges"),
        _("Name, large start number, and its code for the scanner at the desk. Ten on a page, 90 × 54 mm."),
        "badges",
        nobody,
    ),
    "cards": Kind(
        _("Table cards"),
        _("The code opens exactly this table in each round, without an account. Two on a page."),
        "cards",
        no_tables,
        counted=True,
        coded=Content.table_numbers,
    ),
    "stickers": Kind(
        _("Table numbers"), _("Stickers, eight on a page, 105 × 74 mm."), "stickers", no_tables, counted=True
    ),
    "seating-by-name": Kind(
        _("Who sits where"), _("Everybody by name, with the table. For the wall."), "seating_by_name", no_draw
    ),
    "seating-by-table": Kind(
        _("Tables"), _("Each table with its people in the order of play."), "seating_by_table", no_draw
    ),
    "calling": Kind(_("To call out"), _("Table after table in large letters, to tick off."), "calling", no_draw),
    "sheets": Kind(
        _("Sheets"),
        _("One for each table: a line a hand, the result, the pot left."),
        "sheets",
        no_draw,
        coded=lambda content: [table.number for table in content.room.tables],
    ),
    "results": Kind(
        _("Results"), _("Ranks, each round, the total; how it counts, and the seeds."), "results", no_result
    ),
    "certificates": Kind(_("Certificates"), _("For the first three places, one each."), "certificates", no_end),
}

GROUPS: tuple[tuple[str | Promise, tuple[str, ...]], ...] = (
    (_("Before the tournament"), ("badges", "cards", "stickers")),
    (_("For the drawn round"), ("seating-by-name", "seating-by-table", "calling", "sheets")),
    (_("Afterwards"), ("results", "certificates")),
)
