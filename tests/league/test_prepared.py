"""Queries whose text is composed once: the same rows and objects as the ORM's own, and new values at each call."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest
from django.db.models import QuerySet
from django.db.models.sql.compiler import SQLCompiler

from league.models import Membership
from league.prepared import Prepared
from tests.cast import cast

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def by_role(club_id: int, role: str) -> QuerySet[Membership]:
    return Membership.objects.select_related("user", "club").filter(club_id=club_id, role=role).order_by("pk")


def values_of(row: Any) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_rows_and_their_related_objects_equal_those_of_the_orm(django_assert_num_queries: Any) -> None:
    people, prepared = cast(), Prepared(by_role)
    for role in ("owner", "recorder", "member"):
        own = list(by_role(people.home.club.pk, role))
        with django_assert_num_queries(1):
            found = prepared.all(club_id=people.home.club.pk, role=role)
            shown = [[values_of(one) for one in (row, row.user, row.club)] for row in found]
        assert own
        assert shown == [[values_of(one) for one in (row, row.user, row.club)] for row in own]
        assert not any(row._state.adding for row in found)


def test_no_row() -> None:
    prepared = Prepared(by_role)
    assert prepared.first(club_id=0, role="owner") is None
    assert prepared.all(club_id=0, role="owner") == []


def test_the_text_is_composed_once() -> None:
    prepared = Prepared(by_role)
    with mock.patch.object(SQLCompiler, "as_sql", autospec=True, side_effect=SQLCompiler.as_sql) as composed:
        for club in range(3):
            prepared.all(club_id=club, role="owner")
        assert composed.call_count == 1
