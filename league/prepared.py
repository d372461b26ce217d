"""Queries of the ORM whose text is composed once, not at each call: for the rows that every request of the API
reads."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Expression, Model, QuerySet
from django.db.models.query import get_related_populators

from . import repeated_texts
from .state_queries import MAX_KEY

Row = TypeVar("Row", bound=Model)


class _Given(Expression):
    """A value of a filter that only the call knows."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def as_sql(self, *_: Any, **__: Any) -> tuple[str, tuple[Any, ...]]:
        return "%s", (self,)


@dataclass(frozen=True)
class _Composed(Generic[Row]):
    """The text of a query for one kind of database, and how to make objects of its rows."""

    text: str
    values: Sequence[Any]
    converters: Sequence[tuple[int, Any, Sequence[Any]]]
    model: type[Row]
    columns: Sequence[str]
    first: int
    related: Sequence[Any]

    @classmethod
    def of(cls, query: QuerySet[Row]) -> _Composed[Row]:
        compiler = query.query.get_compiler(connection=connection)
        text, values = compiler.as_sql()
        select, made_of = compiler.select, compiler.klass_info
        assert select is not None
        assert made_of is not None
        assert not compiler.annotation_col_map
        converters = compiler.get_converters([column for column, *_ in select])
        own = made_of["select_fields"]
        return cls(
            text=text,
            values=values,
            converters=[(place, expression, convert) for place, (convert, expression) in converters.items()],
            model=query.model,
            columns=[select[place][0].target.attname for place in own],
            first=own[0],
            related=get_related_populators(made_of, select, query.db),  # type: ignore[call-arg]
        )

    def read(self, given: dict[str, Any]) -> list[Row]:
        with repeated_texts.cursor() as cursor:
            cursor.execute(self.text, [given[one.name] if isinstance(one, _Given) else one for one in self.values])
            return [self._object(list(row)) for row in cursor.fetchall()]

    def _object(self, row: list[Any]) -> Row:
        for place, expression, functions in self.converters:
            for convert in functions:
                row[place] = convert(row[place], expression, connection)
        made = self.model.from_db(connection.alias, self.columns, row[self.first : self.first + len(self.columns)])
        for one in self.related:
            one.populate(row, made)
        return made


class Prepared(Generic[Row]):
    """A function that returns a QuerySet, as a query whose text is composed once.

    The arguments may be used as values of filters only (`pk=club_id`, not in Python). They are given in the form that
    the database takes: whole numbers and texts. The query may follow foreign keys (`select_related`); it has no
    annotations.
    """

    def __init__(self, query: Callable[..., QuerySet[Row]]) -> None:
        self._query = query
        self._names = tuple(inspect.signature(query).parameters)
        self._composed: dict[str, _Composed[Row]] = {}

    def all(self, **given: Any) -> list[Row]:
        """Return all rows of the query; none for a number that no key can be. One query."""
        if any(isinstance(value, int) and value > MAX_KEY for value in given.values()):
            return []
        composed = self._composed.get(connection.vendor)
        if composed is None:
            composed = _Composed.of(self._query(**{name: _Given(name) for name in self._names}))
            self._composed[connection.vendor] = composed
        return composed.read(given)

    def get(self, **given: Any) -> Row:
        """Return the row of a query that has one. Raises DoesNotExist of its model."""
        found = self.first(**given)
        if found is None:
            # As the query itself would.
            return self._query(**given).get()
        return found

    def first(self, **given: Any) -> Row | None:
        """Return the row of a query that has one at most, or None. One query."""
        return next(iter(self.all(**given)), None)
