"""Imports as the pages make them: the proposed columns, the proposed names."""

from __future__ import annotations

import uuid
from typing import Any

from league.imports import columns, matching, services, sheets
from league.imports.reading import MAX_HAND_ROWS, Table
from league.models import Import, Season, Upload, User
from readers import tables
from tests.cast import House, house
from tests.factories import PlayerFactory

NIGHTS = """Datum;Name;Betrag;Punkte;Spiele
7.8.2026;Anna;12.50;8;30
7.8.2026;Beni;-10.00;3;30
7.8.2026;Carlo;-2.50;–;18
14.8.2026;Beni;4.20;6;25
14.8.2026;Anna;-4.20;-1;25
"""


HANDS = """Datum;Spiel;Name;Ansage;Gemacht;Betrag;Topf
7.8.2026;1;Anna;chratzt;1;0.40;0.60
7.8.2026;1;Beni;weg;;-0.20;
7.8.2026;1;Carlo;metcho;0;-0.80;
7.8.2026;2;Anna;weg;;-0.20;
7.8.2026;2;Beni;weg;;-0.20;
7.8.2026;2;Carlo;weg;;-0.20;1.20
7.8.2026;3;Anna;metcho;1;1.60;3.60
7.8.2026;3;Beni;chratzt;0;-3.80;3.60
7.8.2026;3;Carlo;weg;;-0.20;3.60
"""
"""Three hands of three people."""


def club_of(*names: str) -> House:
    """Return a club that has also players of these nicknames."""
    made = house("roessli")
    for name in names:
        PlayerFactory(club=made.club, nickname=name)
    return made


def uploaded(
    season: Season, author: User, text: str | bytes = NIGHTS, *, game: str = "chratze", kind: str = "totals"
) -> Upload:
    """Return an upload whose columns and names are those that the service proposes."""
    content = text.encode() if isinstance(text, str) else text
    parsed = [Table(**fields) for fields in tables.read(content, MAX_HAND_ROWS)]
    made = services.upload_create(club=season.club, author=author, season=season, kind=kind, game=game, tables=parsed)
    chosen: Any = columns.proposed(season.club, made.kind, season, made.rows[0], game)
    if made.kind in sheets.KINDS:
        chosen = sheets.proposed(made)
    services.columns_choose(upload=made, chosen=chosen)
    names = matching.names_of(services.name_cells(made))
    meant = {proposal.name: proposal.player_id for proposal in matching.proposals(season.club, names, {})}
    return services.names_choose(upload=made, meant=meant)


def imported(
    season: Season, author: User, text: str | bytes = NIGHTS, *, game: str = "chratze", kind: str = "totals"
) -> Import:
    """Return the import of a file."""
    made = uploaded(season, author, text, game=game, kind=kind)
    return services.import_store(upload=made, author=author, key=uuid.uuid4())
