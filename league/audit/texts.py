"""The texts of the audit log. Each room registers those of its own actions (`ROOM/audit_texts.py`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from .log import What
from .object_names import FIELD_OBJECTS, MENTIONS, READERS, Mentions, ObjectNames, Reader

_Key = TypeVar("_Key")
_Text = TypeVar("_Text")

Part = Callable[[Mapping[str, Any], ObjectNames], str]
"""Makes a part of a sentence from the data of an entry."""

KINDS: dict[str, Promise] = {
    "accounts": gettext_lazy("Signing in"),
    "people": gettext_lazy("People"),
    "players": gettext_lazy("Players"),
    "hands": gettext_lazy("Hands and evenings"),
    "tournaments": gettext_lazy("Tournaments"),
    "club": gettext_lazy("Club, seasons, rules"),
    "kitty": gettext_lazy("Kitty"),
    "imports": gettext_lazy("Import"),
    "files": gettext_lazy("Files"),
    "programs": gettext_lazy("Programs"),
}
"""The kinds of entries by which the log is filtered, in the order of the page."""
SENTENCES: dict[What, Promise] = {}
KIND_OF: dict[What, str] = {}
VARIANTS: dict[tuple[What, str, Any], Promise] = {}
"""The sentence for entries whose data have this value in this field."""
FIELDS: dict[str, Promise] = {"name": gettext_lazy("name")}
"""The words for fields that were changed. Clubs and seasons have a name."""
VALUES: dict[str, dict[str, Promise]] = {}
"""The words for codes in a field; a name that ends with `did` is about the field `did`."""
PARTS: dict[str, Part] = {}


def register(
    *,
    sentences: Mapping[str, Mapping[What, Promise]] | None = None,
    variants: Mapping[tuple[What, str, Any], Promise] | None = None,
    fields: Mapping[str, Promise] | None = None,
    values: Mapping[str, Mapping[str, Promise]] | None = None,
    parts: Mapping[str, Part] | None = None,
    readers: Mapping[str, Reader] | None = None,
    field_objects: Mapping[str, str] | None = None,
    mentions: Mapping[What, Mentions] | None = None,
) -> None:
    """Register the texts of a room. `sentences` by kind of entry (`KINDS`); `values` by name of the value; `readers` by
    kind of object; `field_objects`: the kind of object whose id a field of the data has.

    Raises:
        ValueError: one of them is registered already, or there is no such kind of entry.
    """
    for kind, of_kind in (sentences or {}).items():
        if kind not in KINDS:
            raise ValueError(f"the audit log has no kind of entries {kind!r}")
        _add(SENTENCES, of_kind)
        _add(KIND_OF, dict.fromkeys(of_kind, kind))
    _add(VARIANTS, variants)
    _add(FIELDS, fields)
    for name, labels in (values or {}).items():
        _add(VALUES.setdefault(name, {}), labels)
    _add(PARTS, parts)
    _add(READERS, readers)
    _add(FIELD_OBJECTS, field_objects)
    _add(MENTIONS, mentions)


def of_kind(kind: str) -> list[What]:
    """Return the actions of a kind of entries."""
    return [what for what, of in KIND_OF.items() if of == kind]


def _add(table: dict[_Key, _Text], more: Mapping[_Key, _Text] | None) -> None:
    for key, text in (more or {}).items():
        if key in table:
            raise ValueError(f"the audit log has {key!r} already")
        table[key] = text
