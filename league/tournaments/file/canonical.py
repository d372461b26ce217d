"""The form of a tournament's file: canonical JSON that holds its own SHA-256.

Canonical: UTF-8, keys in the order of their characters, no blanks outside texts. The hash is that of the same JSON
without the field `sha256`.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from ...errors import Refused

KIND = "chratzete-tournament"
VERSION = 1
MAX_BYTES = 16 * 1024 * 1024
PIECE = 64 * 1024


def canonical(value: Any) -> str:
    """Return a value as canonical JSON.

    >>> canonical({"b": [1, None], "a": "ä"})
    '{"a":"ä","b":[1,null]}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


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


def read(data: bytes) -> tuple[dict[str, Any], str]:
    """Return the content of a file and its hash. A file compressed with gzip is unpacked.

    Raises:
        Refused: 422 for something that is no file of a tournament, one of another version, or one whose hash does not
            fit.
    """
    try:
        parts = json.loads(_unpacked(data).decode("utf-8-sig"), parse_constant=_no_constant)
    except (ValueError, RecursionError, OSError, EOFError, zlib.error) as fault:
        raise _refused("kind", _("This is not the file of a tournament.")) from fault
    if not isinstance(parts, dict) or parts.get("kind") != KIND or not isinstance(parts.get("content"), dict):
        raise _refused("kind", _("This is not the file of a tournament."))
    if parts.get("version") != VERSION or type(parts["version"]) is not int:
        sentence = _("This file has version %(version)s. This server reads version %(known)d.")
        values = {"version": str(parts.get("version"))[:20], "known": VERSION}
        raise _refused("version", sentence % values)
    stated = parts.pop("sha256", None)
    try:
        found = hashlib.sha256(canonical(parts).encode()).hexdigest()
    except (UnicodeEncodeError, RecursionError) as fault:
        raise _refused("kind", _("This is not the file of a tournament.")) from fault
    if stated != found:
        sentence = _("The hash of this file does not fit its content: it was changed after it was written, or damaged.")
        raise _refused("sha256", sentence)
    return parts["content"], found


def _unpacked(data: bytes) -> bytes:
    if not data.startswith(b"\x1f\x8b"):
        return data
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    unpacked = unpacker.decompress(data, MAX_BYTES)
    if unpacker.unconsumed_tail or not unpacker.eof:
        raise gzip.BadGzipFile("too long, or cut off")
    return unpacked


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


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def _refused(part: str, sentence: str) -> Refused:
    return Refused(status=422, code="file", sentence=sentence, at=part)
