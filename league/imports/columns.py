"""What each column of a file has: known by its heading, chosen once, and remembered for files with the same heading."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..errors import Refused
from ..models import Club, ImportColumns, ImportKind, Season

Chosen = Mapping[str, int]
"""Which column (from 0) has what: the codes of `COLUMNS`."""


@dataclass(frozen=True)
class Column:
    """Something that a column can have. `headings` are headings that say so, without capitals, accents and signs."""

    code: str
    label: Promise
    headings: tuple[str, ...]
    help: Promise | str = ""


TOTALS = (
    Column("date", gettext_lazy("Date"), ("datum", "date", "tag", "abend", "heldon", "day", "jour", "giorno", "data")),
    Column("name", gettext_lazy("Name"), ("name", "spieler", "spielerin", "player", "nickname", "nom", "nome", "wer")),
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
COLUMNS: Mapping[str, Sequence[Column]] = {ImportKind.TOTALS: TOTALS}
NEEDED: Mapping[str, Sequence[str]] = {ImportKind.TOTALS: ("date", "name")}


def offered(kind: str, season: Season) -> list[Column]:
    """Return what a column may have: a season of points only has no amounts."""
    in_points = season.points_only
    return [one for one in COLUMNS[kind] if not (in_points and one.code in ("amount", "amount_minor"))]


def proposed(club: Club, kind: str, season: Season, heading: Sequence[str]) -> dict[str, int]:
    """Return the columns that the club chose for this heading, else those whose headings say what they have."""
    codes = {one.code for one in offered(kind, season)}
    known = ImportColumns.objects.filter(club=club, kind=kind, heading=_hash(heading)).first()
    if known is not None:
        return {code: place for code, place in known.columns.items() if code in codes}
    plain = [_plain(title) for title in heading]
    found: dict[str, int] = {}
    for column in offered(kind, season):
        places = [place for wanted in column.headings for place, title in enumerate(plain) if title == wanted]
        free = [place for place in places if place not in found.values()]
        if free:
            found[column.code] = free[0]
    return found


def check(kind: str, season: Season, chosen: Chosen, width: int) -> None:
    """Refuse columns that an import cannot be made of.

    Raises:
        Refused: 422 where a needed one is missing, one column has two meanings, or there is nothing to count.
    """
    codes = {one.code: one for one in offered(kind, season)}
    for code in NEEDED[kind]:
        if code not in chosen:
            sentence = _("Choose the column that has this: %(what)s.") % {"what": codes[code].label}
            raise _wrong(code, sentence)
    for code, place in chosen.items():
        if code not in codes or not 0 <= place < width:
            raise _wrong("", _("The file has no such column. Choose the columns once more."))
    if len(set(chosen.values())) < len(chosen):
        twice = next(code for code, place in chosen.items() if list(chosen.values()).count(place) > 1)
        raise _wrong(twice, _("One column is chosen for two things."))
    if "amount" in chosen and "amount_minor" in chosen:
        raise _wrong("amount_minor", _("Choose one column of amounts: francs or Rappen."))
    if "points" not in chosen and (season.points_only or season.ranking == Season.Ranking.POINTS):
        raise _wrong("points", _("%(season)s ranks by points. Choose the column that has them.") % {"season": season})
    if not {"amount", "amount_minor"} & set(chosen) and not season.points_only and season.ranking != "points":
        raise _wrong("amount", _("%(season)s ranks by balance. Choose the column of amounts.") % {"season": season})


def remember(club: Club, kind: str, heading: Sequence[str], chosen: Chosen) -> None:
    """Store the columns for the next file of the club with this heading."""
    ImportColumns.objects.update_or_create(
        club=club, kind=kind, heading=_hash(heading), defaults={"columns": dict(chosen)}
    )


def _hash(heading: Sequence[str]) -> str:
    return hashlib.sha256(json.dumps([_plain(title) for title in heading]).encode()).hexdigest()


def _plain(title: str) -> str:
    letters = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]", "", letters.casefold())


def _wrong(at: str, sentence: str) -> Refused:
    return Refused(status=422, code="import", sentence=sentence, at=at)
