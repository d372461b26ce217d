"""Numbers, days and lists in the data of entries, as text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import Any

from django.utils.formats import date_format

from ..money import format_count


def day_text(value: Any) -> str:
    """Return a day (`2026-11-20`) as the reader's language writes it."""
    return date_format(date.fromisoformat(str(value)), "SHORT_DATE_FORMAT")


def number_text(value: Any) -> str:
    """Return a value as text; a number below 0 with the sign that pages write."""
    text = str(value)
    return format_count(int(text)) if re.fullmatch(r"-\d+", text) else text


def strings(values: Any) -> Iterable[str]:
    """Return the values of a list as texts; a value that is no list as the only one."""
    return (str(value) for value in values) if isinstance(values, list | tuple) else (str(values),)
