"""The audit log, made by a worker if it is large."""

from __future__ import annotations

from functools import partial
from typing import IO

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from ..access import ClubAccess, Right, admit
from ..large_files.kinds import SPREADSHEET, Counted, Kind, Opened, Wanted, register, write_list
from ..models import AuditEntry
from ..web.csv_download import file_name
from .log_entries import entries_of, log_list, rows_of, whole


def _log(wanted: Wanted) -> Opened:
    access = admit(wanted.user, wanted.club, Right.SEE_LOG)
    person = whole(wanted.options.get("person", ""))
    entries = entries_of(access, kind=wanted.options.get("kind_of_entry", ""), person=person)
    write = partial(_write, access, entries)
    name = partial(file_name, access, "log")
    return Opened(access, f"club:{access.club.pk}", "", name, entries.count, write)


def _write(access: ClubAccess, entries: QuerySet[AuditEntry], file: IO[bytes], form: str, counted: Counted) -> None:
    write_list(file, access, log_list(access), rows_of(entries), counted)


def register_log() -> None:
    """Register the log."""
    register("log", Kind(_("Log"), "log", _log, forms=(SPREADSHEET,)))
