"""The fault of a file, as data: the caller has its sentence."""

from __future__ import annotations


class Unreadable(Exception):
    """A file that is not read. `code` names the reason, `values` are the numbers of its sentence."""

    def __init__(self, code: str, **values: int | str) -> None:
        super().__init__(code)
        self.code = code
        self.values = values
