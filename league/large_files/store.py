"""The store of large files: rows of the database, a part each. Every process of the service has them, on every machine,
and a transaction is never longer than one part."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from typing import IO

from django.db.models import F

from ..models import LargeFile, LargeFilePart

PART = 256 * 1024
"""Bytes of a part."""
AT_ONCE = 32
"""The number of parts that one statement deletes."""


def write(file: LargeFile, maker: uuid.UUID, content: IO[bytes], alive: Callable[[], None]) -> int:
    """Store the content, and return its size. `alive` is called after each part, and raises if the claim was lost."""
    content.seek(0)
    size = number = 0
    while piece := content.read(PART):
        LargeFilePart.objects.create(file=file, maker=maker, number=number, content=piece)
        size, number = size + len(piece), number + 1
        alive()
    return size


def read(file: LargeFile) -> Iterator[bytes]:
    """Yield the content, one query a part. It ends early if the file is removed meanwhile."""
    number = 0
    parts = LargeFilePart.objects.filter(file=file, maker=F("file__maker"))
    while (piece := parts.filter(number=number).values_list("content", flat=True).first()) is not None:
        yield bytes(piece)
        number += 1


def drop(file: LargeFile, *, left_over: bool = False) -> None:
    """Delete the parts of a file, a few at a time, so that nobody waits for the lock of SQLite; `left_over`: only those
    of an earlier maker."""
    parts = LargeFilePart.objects.filter(file=file)
    if left_over:
        parts = parts.exclude(maker=F("file__maker"))
    while keys := list(parts.values_list("pk", flat=True)[:AT_ONCE]):
        LargeFilePart.objects.filter(pk__in=keys).delete()
