"""Rows that are written in one round trip to the database: statements are collected, then sent together.

Each hand uses the same statements, so their text is composed once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import NoneType
from typing import Any, TypeAlias

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import BooleanField, CharField, Field, ForeignKey, IntegerField, Model, TextField, UUIDField

AnyField: TypeAlias = "Field[Any, Any]"
Values = Sequence[Any]

MOST_ROWS = 500
"""So many rows in one INSERT: SQLite takes 32,766 values in a statement."""

UNCHANGED: dict[type[AnyField], frozenset[type]] = {
    BooleanField: frozenset({bool, NoneType}),
    IntegerField: frozenset({int, NoneType}),
    CharField: frozenset({str, NoneType}),
    TextField: frozenset({str, NoneType}),
    UUIDField: frozenset({NoneType}),
}
"""Fields, and the types whose values need no conversion for the database."""


class RoundTrip:
    """Statements in the order in which the database carries them out. Nothing is written before `send`."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._values: list[Values] = []

    def add(self, text: str, values: Values) -> None:
        """Add a statement with its values, in the form that the database takes."""
        self._texts.append(text)
        self._values.append(values)

    def insert(self, rows: Sequence[Model]) -> None:
        """Add an INSERT of new rows of one model. They do not get the keys that the database assigns."""
        for first in range(0, len(rows), MOST_ROWS):
            self.add(*_insert(rows[first : first + MOST_ROWS]))

    def insert_values(self, model: type[Model], same: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> None:
        """Add an INSERT of new rows of one model from their values alone: a fraction of the time of `insert`.

        `same` are the columns with one value for all rows. `rows` are the other columns of each row: integers, texts,
        booleans and None, which every database takes as they are. Together they are all columns but the key; others
        are left out.
        """
        columns = _columns(model, keyed=False)
        shared = {one.name: one.converted(same[one.name]) for one in columns if one.name in same}
        names = [one.name for one in columns]
        for first in range(0, len(rows), MOST_ROWS):
            some = rows[first : first + MOST_ROWS]
            values = [shared[name] if name in shared else row[name] for row in some for name in names]
            self.add(_insert_text(model, keyed=False, count=len(some)), values)

    def update(self, row: Model, columns: Sequence[str]) -> None:
        """Add an UPDATE of these columns of a stored row."""
        changed = _named(type(row), (*columns, _key(type(row)).name))
        self.add(_update_text(type(row), tuple(columns)), _values(row, changed, add=False))

    def send(self) -> None:
        """Send all statements; PostgreSQL gets them in one message. The caller holds the transaction.

        Raises:
            django.db.IntegrityError: refused by the database.
        """
        texts, values = self._texts, self._values
        self._texts, self._values = [], []
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql" and texts:
                cursor.execute(";\n".join(texts), [value for each in values for value in each])
                return
            for text, each in zip(texts, values, strict=True):
                cursor.execute(text, each)


def insert_if_new(row: Model) -> bool:
    """Insert a row, unless a unique constraint refuses it: then the transaction goes on, and the answer is False.

    The row gets its key. If another transaction has just inserted the same, this waits until that one ends.
    """
    text, values = _insert([row])
    postgresql = connection.vendor == "postgresql"
    key = f" RETURNING {connection.ops.quote_name(str(_key(type(row)).column))}" if postgresql else ""
    with connection.cursor() as cursor:
        cursor.execute(f"{text} ON CONFLICT DO NOTHING{key}", values)
        if cursor.rowcount == 0:
            return False
        row.pk = cursor.fetchone()[0] if postgresql else cursor.lastrowid
    row._state.adding = False
    return True


def _insert(rows: Sequence[Model]) -> tuple[str, list[Any]]:
    model, keyed = type(rows[0]), rows[0].pk is not None
    columns = _columns(model, keyed)
    return _insert_text(model, keyed, len(rows)), [value for row in rows for value in _values(row, columns, add=True)]


@lru_cache(maxsize=256)
def _insert_text(model: type[Model], keyed: bool, count: int) -> str:
    quote = connection.ops.quote_name
    columns = _columns(model, keyed)
    names = ", ".join(quote(str(one.field.column)) for one in columns)
    row = f"({', '.join(['%s'] * len(columns))})"
    return f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES {', '.join([row] * count)}"


@lru_cache(maxsize=64)
def _update_text(model: type[Model], names: tuple[str, ...]) -> str:
    quote = connection.ops.quote_name
    changed = ", ".join(f"{quote(str(one.field.column))} = %s" for one in _named(model, names))
    return f"UPDATE {quote(model._meta.db_table)} SET {changed} WHERE {quote(str(_key(model).column))} = %s"


@dataclass(frozen=True)
class _Column:
    """A field with its attribute in a row, and the types whose values every database takes as they are."""

    field: AnyField
    name: str
    unchanged: frozenset[type]

    @classmethod
    def of(cls, field: AnyField) -> _Column:
        target = field
        while isinstance(target, ForeignKey):
            target = target.target_field
        found = (types for kind, types in UNCHANGED.items() if isinstance(target, kind))
        return cls(field, field.attname, next(found, frozenset()))

    def converted(self, value: Any) -> Any:
        """Return a value as the database takes it."""
        if type(value) in self.unchanged:
            return value
        return self.field.get_db_prep_save(value, connections[DEFAULT_DB_ALIAS])


@lru_cache(maxsize=64)
def _columns(model: type[Model], keyed: bool) -> tuple[_Column, ...]:
    """Return the columns of a row, without its key where the database assigns that."""
    fields = model._meta.local_concrete_fields
    return tuple(_Column.of(field) for field in fields if keyed or not field.primary_key)


@lru_cache(maxsize=64)
def _named(model: type[Model], names: tuple[str, ...]) -> tuple[_Column, ...]:
    by_name = {field.name: field for field in model._meta.local_concrete_fields}
    return tuple(_Column.of(by_name[name]) for name in names)


def _key(model: type[Model]) -> AnyField:
    key: AnyField = model._meta.pk
    return key


def _values(row: Model, columns: Sequence[_Column], *, add: bool) -> list[Any]:
    """Return the values of these columns of a row as the database takes them."""
    return [one.converted(one.field.pre_save(row, add)) for one in columns]
