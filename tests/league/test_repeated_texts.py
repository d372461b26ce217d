"""Statements that are repeated with the same text: new values at each call, and one conversion of the text."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest
from django.db import IntegrityError, connection

from league import repeated_texts
from league.models import Season
from tests.factories import SeasonFactory

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

NAME = "SELECT name || ' 100 %%' FROM league_season WHERE id = %s"


def name_of(season: Season) -> str:
    with repeated_texts.cursor() as cursor:
        cursor.execute(NAME, [season.pk])
        found: str = cursor.fetchone()[0]
        return found


def test_each_call_has_its_own_values(django_assert_num_queries: Any) -> None:
    one, other = SeasonFactory(name="One %s"), SeasonFactory(name="Other ?")
    with django_assert_num_queries(3):
        assert [name_of(season) for season in (one, other, one)] == ["One %s 100 %", "Other ? 100 %", "One %s 100 %"]


def test_a_text_is_converted_once() -> None:
    season = SeasonFactory()
    repeated_texts._converted.cache_clear()
    with mock.patch("league.repeated_texts._convert", wraps=repeated_texts._convert) as convert:
        name_of(season)
        name_of(season)
    assert convert.call_count == (1 if connection.vendor == "sqlite" else 0)


def test_a_fault_is_that_of_django() -> None:
    with pytest.raises(IntegrityError), repeated_texts.cursor() as cursor:
        cursor.execute("UPDATE league_season SET club_id = NULL WHERE id = %s", [SeasonFactory().pk])
