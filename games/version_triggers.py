"""The tables whose changes give a card table another version.

Each writer of one of them holds the lock of the card table, so its version is never waited for. A stored or undone
hand changes the table's row; a correction, which may change hands alone, has a row of its own.
"""

from __future__ import annotations

from league.version_triggers import Versioned


def _table(table: str, owner: str = "table_id") -> Versioned:
    return Versioned(table, owner, "games_tableversion", "table_id")


GAMES_VERSIONED = (
    _table("games_table", "id"),
    _table("games_place"),
    _table("games_happening"),
    _table("games_correction"),
)
