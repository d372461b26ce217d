"""A file that is written and read at once, for an archive that is sent while it is made."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any


class Pipe(io.RawIOBase):
    """A write-only file without seek: it buffers written bytes until `taken` yields them."""

    def __init__(self) -> None:
        self._waiting: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._waiting.append(bytes(data))
        return len(data)

    def taken(self) -> Iterator[bytes]:
        if self._waiting:
            yield b"".join(self._waiting)
            self._waiting.clear()
