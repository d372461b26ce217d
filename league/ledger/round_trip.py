"""Rows that are written in one round trip to the database: statements are collected, then sent together.

Each hand uses the same statements, so their text is composed once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import NoneType
from typing import Any, TypeAlias

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import BooleanField, CharField, Field, ForeignKey, IntegerField, Model, TextField

AnyField: TypeAlias = "Field[Any, Any]"
Values = Sequence[Any]

MOST_ROWS = 500
"""So many rows in one INSERT: SQLite takes 32,766 values in a statement."""

UNCHANGED: dict[type[AnyField], frozenset[type]] = {
    BooleanField: frozenset({bool, NoneType}),
    IntegerField: frozenset({int, NoneType}),
    CharField: frozenset({str, NoneType}),
    TextField: frozenset({str, NoneType}),
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
        fields = _fields(model, keyed=False)
        database = connections[DEFAULT_DB_ALIAS]
        shared = {
            field.attname: field.get_db_prep_save(same[field.attname], database)
            for field in fields
            if field.attname in same
        }
        names = [field.attname for field in fields]
        for first in range(0, len(rows), MOST_ROWS):
            some = rows[first : first + MOST_ROWS]
            values = [shared[name] if name in shared else row[name] for row in some for name in names]
            self.add(_insert_text(model, keyed=False, count=len(some)), values)

    def update(self, row: Model, columns: Sequence[str]) -> None:
        """Add an UPDATE of these columns of a stored row."""
        fields = _named(type(row), tuple(columns))
        values = _values(row, (*fields, _key(type(row))), add=False)
        self.add(_update_text(type(row), fields), values)

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
    fields = _fields(model, keyed)
    return _insert_text(model, keyed, len(rows)), [value for row in rows for value in _values(row, fields, add=True)]


@lru_cache(maxsize=256)
def _insert_text(model: type[Model], keyed: bool, count: int) -> str:
    quote = connection.ops.quote_name
    fields = _fields(model, keyed)
    columns = ", ".join(quote(str(field.column)) for field in fields)
    row = f"({', '.join(['%s'] * len(fields))})"
    return f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES {', '.join([row] * count)}"


@lru_cache(maxsize=64)
def _update_text(model: type[Model], fields: tuple[AnyField, ...]) -> str:
    quote = connection.ops.quote_name
    changed = ", ".join(f"{quote(str(field.column))} = %s" for field in fields)
    return f"UPDATE {quote(model._meta.db_table)} SET {changed} WHERE {quote(str(_key(model).column))} = %s"


@lru_cache(maxsize=64)
def _fields(model: type[Model], keyed: bool) -> tuple[AnyField, ...]:
    """Return the fields of a row, without its key where the database assigns that."""
    return tuple(field for field in model._meta.local_concrete_fields if keyed or not field.primary_key)


@lru_cache(maxsize=64)
def _named(model: type[Model], names: tuple[str, ...]) -> tuple[AnyField, ...]:
    by_name = {field.name: field for field in model._meta.local_concrete_fields}
    return tuple(by_name[name] for name in names)


def _key(model: type[Model]) -> AnyField:
    key: AnyField = model._meta.pk
    return key


def _values(row: Model, fields: Sequence[AnyField], *, add: bool) -> list[Any]:
    """Return the values of these fields as the database takes them."""
    database = connections[DEFAULT_DB_ALIAS]
    values = []
    for field, unchanged in zip(fields, _unchanged(tuple(fields)), strict=True):
        value = field.pre_save(row, add)
        values.append(value if type(value) in unchanged else field.get_db_prep_save(value, database))
    return values


@lru_cache(maxsize=64)
def _unchanged(fields: tuple[AnyField, ...]) -> tuple[frozenset[type], ...]:
    """Return for each field the types whose values every database takes as they are."""

    def of(field: AnyField) -> frozenset[type]:
        while isinstance(field, ForeignKey):
            field = field.target_field
        return next((types for kind, types in UNCHANGED.items() if isinstance(field, kind)), frozenset())

    return tuple(map(of, fields))
