"""The form of a tournament's file: canonical JSON that holds its own SHA-256 (`readers.tournaments`).

Canonical: UTF-8, keys in the order of their characters, no blanks outside texts. The hash is that of the same JSON
without the field `sha256`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from readers.faults import Unreadable
from readers.tournaments import KIND, MAX_BYTES, VERSION, canonical

from ... import reading_process
from ...errors import Refused
from ...reading_process import Limits

__all__ = ["MAX_BYTES"]

PIECE = 64 * 1024
LIMITS = Limits(seconds=6, memory_mib=512)
"""A file of 16 MiB takes 300 MB while its hash is computed."""


def written(content: Mapping[str, Any]) -> Iterator[str]:
    """Yield the file of a tournament piece by piece. The hash stands after the content, so that nothing is kept."""
    digest = hashlib.sha256()

    def hashed(text: str) -> str:
        digest.update(text.encode())
        return text

    yield hashed('{"content":')
    for piece in _pieces(content):
        yield hashed(piece)
    yield hashed(f',"kind":{canonical(KIND)}')
    tail = f',"version":{VERSION}}}'
    digest.update(tail.encode())
    yield f',"sha256":"{digest.hexdigest()}"{tail}'


def read(data: bytes, *, club: int | None = None) -> tuple[dict[str, Any], str]:
    """Return the content of a file and its hash. A file compressed with gzip is unpacked. `club`: the id of the club
    whose file it is.

    Raises:
        Refused: 422 for something that is no file of a tournament, one of another version, or one whose hash does not
            fit; 413 for one that takes too much to read; 429 while too many files are being read.
    """
    try:
        document = reading_process.read_limited("tournament", data, LIMITS, club=club)
    except Unreadable as fault:
        if fault.code == "other_version":
            sentence = _("This file has version %(version)s. This server reads version %(known)d.")
            raise _refused("version", sentence % fault.values) from None
        if fault.code == "wrong_hash":
            sentence = _(
                "The hash of this file does not fit its content: it was changed after it was written, or damaged."
            )
            raise _refused("sha256", sentence) from None
        if fault.code == "no_tournament":
            raise _refused("kind", _("This is not the file of a tournament.")) from None
        raise reading_process.refused(fault, "file") from None
    return document["content"], document["sha256"]


def _pieces(content: Mapping[str, Any]) -> Iterator[str]:
    encoder = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    waiting: list[str] = []
    size = 0
    for text in encoder.iterencode(content):
        waiting.append(text)
        size += len(text)
        if size >= PIECE:
            yield "".join(waiting)
            waiting, size = [], 0
    yield "".join(waiting)


def _refused(part: str, sentence: str) -> Refused:
    return Refused(status=422, code="file", sentence=sentence, at=part)
