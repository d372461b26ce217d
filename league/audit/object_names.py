"""The names of the objects that entries of the audit log are about, read when a sentence is made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any

from ..models import AuditEntry
from .log import What

Reader = Callable[[Set[int]], Iterable[tuple[int, str]]]
"""Reads objects of a kind by their ids, with one query. Returns ids and names."""
Mentions = Callable[[Mapping[str, Any]], Iterable[tuple[str, Any]]]
"""Returns kind and id of the objects that the data of an entry name, besides those in `FIELD_OBJECTS`."""

READERS: dict[str, Reader] = {}
FIELD_OBJECTS: dict[str, str] = {}
"""The kind of object whose id a field of the data has."""
MENTIONS: dict[What, Mentions] = {}


class ObjectNames:
    """The names of all objects that some entries are about, read with one query for each kind of object."""

    def __init__(self, entries: Sequence[AuditEntry]) -> None:
        wanted: dict[str, set[int]] = defaultdict(set)
        for entry in entries:
            for kind, key in _objects(entry):
                if isinstance(key, int) or (isinstance(key, str) and key.isdecimal() and len(key) < 19):
                    wanted[kind].add(int(key))
        self.names = {
            (kind, key): name for kind, read in READERS.items() if wanted[kind] for key, name in read(wanted[kind])
        }

    def name(self, kind: str, key: Any, missing: str = "?") -> str:
        """Return the name of an object; `missing` if it no longer exists."""
        try:
            return self.names[kind, int(key)]
        except (KeyError, TypeError, ValueError):
            return missing


def _objects(entry: AuditEntry) -> Iterable[tuple[str, Any]]:
    kind, _colon, key = entry.about.partition(":")
    yield kind, key
    for field, of in FIELD_OBJECTS.items():
        yield of, entry.data.get(field)
    for what, mentions in MENTIONS.items():
        if entry.what == what:
            yield from mentions(entry.data)
