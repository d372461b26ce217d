"""The tables of the games that have one, read from their files once."""

from __future__ import annotations

from functools import cache

from league.static_sources import text_path

from ..engine_bridge import HandTable


def table_name(game: str) -> str:
    """Return the name of the static file of a table."""
    return f"hand_worth/{game}.bin"


@cache
def table_of(game: str) -> HandTable:
    """Return the table of a game."""
    return HandTable(game, text_path(table_name(game)).read_bytes())
