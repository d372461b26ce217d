"""Imports as the pages make them: the proposed columns, the proposed names."""

from __future__ import annotations

import uuid

from league.imports import columns, matching, services
from league.imports.reading import rows_of
from league.models import Import, Season, Upload, User

NIGHTS = """Datum;Name;Betrag;Punkte;Spiele
7.8.2026;Anna;12.50;8;30
7.8.2026;Beni;-10.00;3;30
7.8.2026;Carlo;-2.50;–;18
14.8.2026;Beni;4.20;6;25
14.8.2026;Anna;-4.20;-1;25
"""


def uploaded(season: Season, author: User, text: str | bytes = NIGHTS, *, game: str = "chratze") -> Upload:
    """Return an upload whose columns and names are those that the service proposes."""
    content = text.encode() if isinstance(text, str) else text
    made = services.upload_create(
        club=season.club, author=author, season=season, kind="totals", game=game, rows=rows_of(content)
    )
    chosen = columns.proposed(season.club, made.kind, season, made.rows[0])
    services.columns_choose(upload=made, chosen=chosen)
    names = matching.names_of(services.name_cells(made))
    meant = {one.name: one.player_id for one in matching.proposals(season.club, names, {})}
    return services.names_choose(upload=made, meant=meant)


def imported(season: Season, author: User, text: str | bytes = NIGHTS, *, game: str = "chratze") -> Import:
    """Return the import of a file."""
    made = uploaded(season, author, text, game=game)
    return services.import_store(upload=made, author=author, key=uuid.uuid4())
