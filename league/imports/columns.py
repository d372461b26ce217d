"""The meaning of each column of a file: known by its heading, chosen once, remembered for files with this heading."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..errors import Refused
from ..models import Club, ImportColumns, ImportKind, Season
from . import hands
from .layout import DATES, HAND, NAMES, plain

Chosen = Mapping[str, int]
"""The place of the column (from 0) by its meaning: a code of `COLUMNS`."""


@dataclass(frozen=True)
class Column:
    """A meaning of a column. `headings` are headings with this meaning, without capitals, accents and signs."""

    code: str
    label: Promise
    headings: tuple[str, ...]
    help: Promise | str = ""


TOTALS = (
    Column("date", gettext_lazy("Date"), DATES),
    Column("name", gettext_lazy("Name"), NAMES),
    Column(
        "amount",
        gettext_lazy("Amount won or lost"),
        ("betrag", "amount", "franken", "chf", "saldo", "gewinn", "resultat", "montant", "importo", "fr"),
        gettext_lazy("In francs, with a minus for a loss. The amounts of an evening add up to 0."),
    ),
    Column(
        "amount_minor",
        gettext_lazy("Amount in Rappen"),
        ("rappen", "amountminor", "changeminor", "betraginrappen"),
        gettext_lazy("As in the files of this service."),
    ),
    Column("points", gettext_lazy("Points"), ("punkte", "points", "pt", "pkt", "punti")),
    Column(
        "hands",
        gettext_lazy("Number of hands"),
        ("spiele", "hands", "anzahlspiele", "runden", "mains", "partite"),
        gettext_lazy("Without it an evening counts as one hand, and an average per hand says nothing."),
    ),
)
HANDS = (
    TOTALS[0],
    Column(
        "hand",
        gettext_lazy("Number of the hand"),
        HAND,
        gettext_lazy("From 1 in each evening, at each table. A row is one person in one hand."),
    ),
    TOTALS[1],
    Column(
        "dealer",
        gettext_lazy("Who deals"),
        ("geber", "geberin", "dealer", "gibt", "donneur", "mazziere"),
        gettext_lazy("1 in the row of the dealer. Without it the last row of the first hand deals, then all by turn."),
    ),
    Column(
        "seat",
        gettext_lazy("Seat"),
        ("platz", "sitz", "seat", "place", "posto"),
        gettext_lazy("A number in the order of play. Without it the order of the rows is that of play."),
    ),
    Column("table", gettext_lazy("Table"), ("tisch", "table", "tischnummer", "tavolo")),
    Column(
        "amount",
        gettext_lazy("Amount of the hand"),
        TOTALS[2].headings,
        gettext_lazy("In francs, the ante included. It is compared with what the rules give, and not stored."),
    ),
    Column(
        "amount_minor",
        gettext_lazy("Amount of the hand in Rappen"),
        TOTALS[3].headings,
        gettext_lazy("As in the files of this service."),
    ),
    Column(
        "pot_after",
        gettext_lazy("Pot after the hand"),
        ("topf", "potafter", "topfnachher", "topfdanach", "pot", "topfnachdemspiel"),
        gettext_lazy("In francs, before the next antes. It is compared, too."),
    ),
    Column(
        "pot_after_minor",
        gettext_lazy("Pot after the hand in Rappen"),
        ("potafterminor", "topfinrappen"),
        gettext_lazy("As in the files of this service."),
    ),
    Column(
        "state",
        gettext_lazy("State of the hand"),
        ("state", "stand", "zustand", "status"),
        gettext_lazy("As in the files of this service: rows with “voided” are left out."),
    ),
)
"""The columns of hands; the game has more of them."""
AMOUNTS = ("amount", "amount_minor", "pot_after", "pot_after_minor")


def needed(kind: str, game: str) -> list[tuple[str, ...]]:
    """Return the required columns: of each group at least one."""
    if kind == ImportKind.HANDS:
        return [("date",), ("hand",), ("name",), *(tuple(group) for group in hands.of_games().needed(game))]
    return [("date",), ("name",)]


def offered(kind: str, season: Season, game: str = "") -> list[Column]:
    """Return the meanings that a column may have: a season of points only has no amounts. A file of hands has columns
    of its game."""
    columns = list(TOTALS)
    if kind == ImportKind.HANDS:
        columns = [*HANDS[:3], *hands.of_games().columns(game), *HANDS[3:]]
    return [column for column in columns if not (season.points_only and column.code in AMOUNTS)]


def proposed(club: Club, kind: str, season: Season, heading: Sequence[str], game: str = "") -> dict[str, int]:
    """Return the columns that the club chose for this heading, else those with a known heading."""
    codes = {offer.code for offer in offered(kind, season, game)}
    known = ImportColumns.objects.filter(club=club, kind=kind, heading=_hash(heading)).first()
    if known is not None:
        return {code: place for code, place in known.columns.items() if code in codes}
    titles = [plain(title) for title in heading]
    guesses: dict[str, int] = {}
    for column in offered(kind, season, game):
        places = [place for wanted in column.headings for place, title in enumerate(titles) if title == wanted]
        free = [place for place in places if place not in guesses.values()]
        if free:
            guesses[column.code] = free[0]
    return guesses


def check(kind: str, season: Season, chosen: Chosen, width: int, game: str = "") -> None:
    """Refuse columns that an import cannot be made of.

    Raises:
        Refused: 422 where a needed one is missing, one column has two meanings, or no column can be counted.
    """
    codes = {column.code: column for column in offered(kind, season, game)}
    for group in needed(kind, game):
        if not set(group) & set(chosen):
            either = " / ".join(str(codes[code].label) for code in group)
            raise _wrong(group[0], _("Choose the column that has this: %(what)s.") % {"what": either})
    for code, place in chosen.items():
        if code not in codes or not 0 <= place < width:
            raise _wrong("", _("The file has no such column. Choose the columns once more."))
    if len(set(chosen.values())) < len(chosen):
        twice = next(code for code, place in chosen.items() if list(chosen.values()).count(place) > 1)
        raise _wrong(twice, _("One column is chosen for two things."))
    for francs, rappen in (("amount", "amount_minor"), ("pot_after", "pot_after_minor")):
        if francs in chosen and rappen in chosen:
            raise _wrong(rappen, _("Choose one column of amounts: francs or Rappen."))
    if kind == ImportKind.HANDS:
        return
    if "points" not in chosen and (season.points_only or season.ranking == Season.Ranking.POINTS):
        raise _wrong("points", _("%(season)s ranks by points. Choose the column that has them.") % {"season": season})
    if not {"amount", "amount_minor"} & set(chosen) and not season.points_only and season.ranking != "points":
        raise _wrong("amount", _("%(season)s ranks by balance. Choose the column of amounts.") % {"season": season})


def remember(club: Club, kind: str, heading: Sequence[str], chosen: Chosen, sheet: str = "") -> None:
    """Store the columns for the next file of the club with this heading, and the mark of the sheet."""
    ImportColumns.objects.update_or_create(
        club=club, kind=kind, heading=_hash(heading), defaults={"columns": dict(chosen), "sheet": sheet}
    )


def mark_of_sheet(name: str) -> str:
    """Return the stored hash of the name of a sheet, which may be a person's name; empty for none."""
    return hashlib.sha256(name.casefold().encode()).hexdigest() if name else ""


def _hash(heading: Sequence[str]) -> str:
    return hashlib.sha256(json.dumps([plain(title) for title in heading]).encode()).hexdigest()


def _wrong(path: str, sentence: str) -> Refused:
    return Refused(status=422, code="import", sentence=sentence, at=path)
