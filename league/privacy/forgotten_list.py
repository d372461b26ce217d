"""The list of those who were forgotten, in a file outside the database: a restored backup has them again, and by this
list they are forgotten again.

A line has the kind, the id and a mark of the row, and no personal value. The mark is a digest of the id and the moment
at which the row was made: after a restore an id can be given to somebody else.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

from django.conf import settings
from django.db import transaction

from .. import keyset
from ..models import Player, User

PLAYER, ACCOUNT = "player", "account"
PRIVATE = 0o600
MARK = 16
AT_ONCE = 500
Row = Player | User


@dataclass(frozen=True)
class ForgottenRow:
    """One row that was forgotten."""

    kind: str
    id: int
    mark: str

    def __str__(self) -> str:
        return f"{self.kind} {self.id} {self.mark}"


def line_of(row: Row) -> ForgottenRow:
    """Return the line of a row."""
    kind, made = (PLAYER, row.created_at) if isinstance(row, Player) else (ACCOUNT, row.date_joined)
    moment = made.astimezone(UTC).isoformat(timespec="microseconds")
    return ForgottenRow(kind, row.pk, hashlib.sha256(f"{kind} {row.pk} {moment}".encode()).hexdigest()[:MARK])


def note(rows: Iterable[Row]) -> None:
    """Write these rows into the list after the transaction.

    If the process ends in between, or the disk is full, the hourly task writes them (`complete`).
    """
    lines = [line_of(row) for row in rows]

    def append() -> None:
        _append(lines)

    # Robust: the person is forgotten whatever happens to the file, and the answer says so.
    transaction.on_commit(append, robust=True)


def complete() -> int:
    """Write what the database has as forgotten, and the list has not; return the number."""
    known = set(read(settings.FORGOTTEN_FILE))
    missing = [line for line in map(line_of, _forgotten()) if line not in known]
    _append(missing)
    return len(missing)


def read(path: Path) -> list[ForgottenRow]:
    """Return the lines of a list; of a list that is not there none. A line that was cut off is left out."""
    try:
        text = path.read_text(encoding="ascii", errors="replace")
    except FileNotFoundError:
        return []
    words = (line.split(" ") for line in text.splitlines())
    return [ForgottenRow(fields[0], int(fields[1]), fields[2]) for fields in words if _is_whole(fields)]


def back_again(lines: Iterable[ForgottenRow]) -> Iterator[Row]:
    """Yield the rows of these lines that the database has not as forgotten: accounts first, each with its players."""
    listed = set(lines)
    models: tuple[tuple[type[Row], str], ...] = ((User, ACCOUNT), (Player, PLAYER))
    for model, kind in models:
        ids = sorted({line.id for line in listed if line.kind == kind})
        for first in range(0, len(ids), AT_ONCE):
            for row in model._default_manager.filter(pk__in=ids[first : first + AT_ONCE]).order_by("pk"):
                if line_of(row) in listed and not _is_forgotten(row):
                    yield row


def _forgotten() -> Iterator[Row]:
    yield from keyset.each(User.objects.filter(email__endswith=f"@{User.FORGOTTEN_AT}"))
    yield from keyset.each(Player.objects.filter(anonymised_at__isnull=False))


def _is_forgotten(row: Row) -> bool:
    return row.anonymised_at is not None if isinstance(row, Player) else row.forgotten


def _is_whole(words: list[str]) -> bool:
    return len(words) == 3 and words[0] in (PLAYER, ACCOUNT) and words[1].isdecimal() and len(words[2]) == MARK


def _append(lines: Iterable[ForgottenRow]) -> None:
    """Add lines at the end of the file, in one write that is on the disk when this returns."""
    text = "".join(f"{line}\n" for line in lines).encode()
    if not text:
        return
    path = Path(settings.FORGOTTEN_FILE)
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, PRIVATE)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        os.fchmod(file, PRIVATE)
        size = os.fstat(file).st_size
        # A line that was cut off, as by a full disk, is ended.
        half = size and os.pread(file, 1, size - 1) != b"\n"
        os.write(file, b"\n" + text if half else text)
        os.fsync(file)
    finally:
        os.close(file)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
