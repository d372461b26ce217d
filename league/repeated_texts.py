"""A cursor for statements that are repeated with the same text, such as those of each hand.

Django writes `%s` for a value, SQLite takes `?`. Django converts a text each time it is carried out; this cursor
converts each text once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.db import connection
from django.db.backends.sqlite3.base import SQLiteCursorWrapper
from django.db.backends.utils import CursorWrapper

MOST_TEXTS = 128

_convert: Any = SQLiteCursorWrapper.convert_query


def cursor() -> CursorWrapper:
    """Open a cursor for texts that do not depend on their values: each is kept. The values are in a list."""
    opened = connection.cursor()
    if connection.vendor == "sqlite":
        opened.cursor.convert_query = _converted
    return opened


@lru_cache(maxsize=MOST_TEXTS)
def _converted(text: str, *, param_names: Sequence[str] | None = None) -> str:
    # The method reads nothing of its cursor.
    converted: str = _convert(None, text, param_names=param_names)
    return converted
