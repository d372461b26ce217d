"""The sentences of the audit log, one for each entry, in the reader's language.

The names in a sentence are read when it is made, so that the name of a forgotten person is not in it any more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from ..models import AuditEntry
from .formats import day_text, number_text, strings
from .log import What
from .object_names import FIELD_OBJECTS, ObjectNames
from .texts import FIELDS, PARTS, SENTENCES, VALUES, VARIANTS

_NUMBERS = (
    *("number", "numbers", "version", "count", "round", "table", "points", "team"),
    *("evenings", "rows", "year", "failed"),
)
_DAYS = ("since", "day")


@dataclass(frozen=True)
class LogLine:
    """An entry with its sentence. `actor` is the name of the user who acted, empty for an action without sign-in."""

    pk: int
    at: datetime
    actor_id: int | None
    actor: str
    what: str
    about: str
    sentence: str


def lines_of(entries: Sequence[AuditEntry]) -> list[LogLine]:
    """Return the entries with their sentences. One query for each kind of object; `entries` select their actors."""
    names = ObjectNames(entries)
    return [_line(entry, names) for entry in entries]


def _line(entry: AuditEntry, names: ObjectNames) -> LogLine:
    actor = str(entry.actor) if entry.actor else ""
    subject = actor or _("Somebody")
    if entry.token:
        subject = _("%(who)s (key “%(key)s”)") % {"who": subject, "key": entry.token}
    values = _Values(entry.data, names)
    values |= _values(entry, names) | {"who": subject}
    return LogLine(entry.pk, entry.at, entry.actor_id, actor, entry.what, entry.about, _template(entry) % values)


class _Values(dict[str, str]):
    """Make a registered part when a sentence has it, and return a question mark for a missing field, so that an entry
    of an older version can be shown."""

    def __init__(self, data: Mapping[str, Any], names: ObjectNames) -> None:
        super().__init__()
        self._data = data
        self._names = names

    def __missing__(self, key: str) -> str:
        return PARTS[key](self._data, self._names) if key in PARTS else "?"


def _template(entry: AuditEntry) -> str:
    try:
        what = What(entry.what)
    except ValueError:
        return _("%(who)s: an entry of another version of this program.")
    for (of, field, value), sentence in VARIANTS.items():
        if of is what and field in entry.data and entry.data[field] == value:
            return str(sentence)
    return str(SENTENCES[what])


def _values(entry: AuditEntry, names: ObjectNames) -> dict[str, str]:
    data: Mapping[str, Any] = entry.data
    kind, _colon, key = entry.about.partition(":")
    texts = {"about": names.name(kind, key)}
    texts |= {name: names.name(of, data[name]) for name, of in FIELD_OBJECTS.items() if name in data}
    texts["fields"] = ", ".join(_fields(data)) or "–"
    texts |= {name: number_text(data[name]) for name in _NUMBERS if name in data}
    texts |= {name: day_text(data[name]) for name in _DAYS if name in data}
    for name, labels in VALUES.items():
        value = str(data.get("did" if name.endswith("did") else name, "?"))
        texts[name] = str(labels.get(value, value))
    return texts


def _fields(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the fields that changed, with their values where the entry has them (`field before after`)."""
    values = {field: more for field, *more in (code.split(" ") for code in strings(data.get("values", ())))}
    for field in strings(data.get("fields", ())):
        label = str(FIELDS.get(field, field))
        if field in values:
            before, after = map(number_text, values[field])
            yield _("%(field)s (%(after)s instead of %(before)s)") % {"field": label, "before": before, "after": after}
        else:
            yield label
