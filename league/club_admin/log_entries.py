"""The entries of the audit log, filtered, and as rows of a file: for its page, its download and the worker."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from ..access import ClubAccess
from ..audit import sentences, texts
from ..models import AuditEntry
from ..web.csv_columns import register_columns
from ..web.csv_download import LongList, file_name
from ..web.report_table import Column, Kind

CHUNK = 500
COLUMNS = ("entry_id", "at", "who", "what", "said", "about")
register_columns(
    Column("entry_id", pgettext_lazy("column", "Entry no."), Kind.NUMBER),
    Column("at", pgettext_lazy("column", "At")),
    Column("who", pgettext_lazy("column", "Who")),
    Column("what", pgettext_lazy("column", "What")),
    Column("said", pgettext_lazy("column", "Entry")),
    Column("about", pgettext_lazy("column", "About")),
)


def entries_of(access: ClubAccess, *, kind: str = "", person: int | None = None) -> QuerySet[AuditEntry]:
    """Return the club's entries, newest first; filtered by kind (`texts.KINDS`) and by actor."""
    entries = AuditEntry.objects.filter(club=access.club).select_related("actor").order_by("-pk")
    if kind in texts.KINDS:
        entries = entries.filter(what__in=[what.value for what in texts.of_kind(kind)])
    if person is not None:
        entries = entries.filter(actor=person)
    return entries


def whole(text: str) -> int | None:
    """Return the key in an address; None for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None


def log_list(access: ClubAccess) -> LongList:
    """Return the list of the log's entries."""
    return LongList(file_name(access, "log"), _("Log"), COLUMNS)


def rows_of(entries: QuerySet[AuditEntry]) -> Iterator[dict[str, Any]]:
    """Yield the rows of the file."""
    last: int | None = None
    while True:
        chunk = list((entries if last is None else entries.filter(pk__lt=last))[:CHUNK])
        for line in sentences.lines_of(chunk):
            actor = line.actor or _("Somebody")
            row = {"entry_id": line.pk, "at": line.at, "who": actor, "what": line.what, "said": line.sentence}
            yield row | {"about": line.about}
        if len(chunk) < CHUNK:
            return
        last = chunk[-1].pk
