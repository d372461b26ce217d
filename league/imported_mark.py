"""The mark of imported evenings: one word, a star in a narrow table, a note in plain text."""

from __future__ import annotations

from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _


def imported_note(evening: Any) -> str:
    """Return `imported` for an imported evening, else an empty text.

    `evening` is an evening, or anything else with `is_imported`, or a bool. Nothing is read from the database.
    """
    imported = evening if isinstance(evening, bool) else evening.is_imported
    return _("imported") if imported else ""


def evening_with_season(evening: Any) -> str:
    """Return the title of an evening, its season, and `imported` for an imported one."""
    return ", ".join(filter(None, [evening.title, evening.season.name, imported_note(evening)]))


def imported_mark(evening: Any, *, short: bool = False, word: str = "") -> SafeString:
    """Mark an imported evening with a word; `short`, in a table, with a star that a screen reader says as a word.

    `word` replaces *imported*, for a sum of several evenings of which some were imported.
    """
    note = imported_note(evening)
    if not note:
        return SafeString("")
    if not short:
        return format_html('<span class="tag quiet">{}</span>', word or note)
    return format_html(
        '<span class="imported-star" title="{}"><span aria-hidden="true">*</span>'
        '<span class="visually-hidden"> {}</span></span>',
        word or note,
        word or note,
    )
