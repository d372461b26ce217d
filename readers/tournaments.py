"""Read the file of a tournament: canonical JSON that holds its own SHA-256, perhaps compressed with gzip.

Canonical: UTF-8, keys in the order of their characters, no blanks outside texts. The hash is that of the same JSON
without the field `sha256`.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import Any

from .faults import Unreadable

KIND = "chratzete-tournament"
VERSION = 1
MAX_BYTES = 16 * 1024 * 1024
"""The most bytes of a file, unpacked."""
MAX_VALUES = 1_000_000
"""Values and fields, counted before they are read: by what stands before each of them."""
PACKED = b"\x1f\x8b"


def read(content: bytes) -> dict[str, Any]:
    """Return the content of a file and its hash: `content`, `sha256`.

    Raises:
        Unreadable: `no_tournament` for something that is no file of a tournament; `other_version`; `wrong_hash`;
            `too_complicated`.
    """
    text = _unpacked(content)
    if text.count(b",") + text.count(b"[") + text.count(b"{") > MAX_VALUES:
        raise Unreadable("too_complicated")
    try:
        parts = json.loads(text.decode("utf-8-sig"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Unreadable("no_tournament") from None
    del text
    if not isinstance(parts, dict) or parts.get("kind") != KIND or not isinstance(parts.get("content"), dict):
        raise Unreadable("no_tournament")
    if parts.get("version") != VERSION or type(parts["version"]) is not int:
        # A text may have half a letter, which no page can show.
        version = ascii(parts.get("version"))[:20].strip("'")
        raise Unreadable("other_version", version=version, known=VERSION)
    stated = parts.pop("sha256", None)
    try:
        digest = hashlib.sha256(canonical(parts).encode()).hexdigest()
    except (UnicodeEncodeError, RecursionError):
        raise Unreadable("no_tournament") from None
    if stated != digest:
        raise Unreadable("wrong_hash")
    return {"content": parts["content"], "sha256": digest}


def canonical(value: Any) -> str:
    """Return a value as canonical JSON.

    >>> canonical({"b": [1, None], "a": "ä"})
    '{"a":"ä","b":[1,null]}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _unpacked(data: bytes) -> bytes:
    if not data.startswith(PACKED):
        return data
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        unpacked = unpacker.decompress(data, MAX_BYTES)
    except zlib.error:
        raise Unreadable("no_tournament") from None
    if unpacker.unconsumed_tail:
        raise Unreadable("too_complicated")
    if not unpacker.eof:
        raise Unreadable("no_tournament")
    return unpacked


def _no_constant(name: str) -> Any:
    raise ValueError(name)
