"""The outlook: the consequences of a format for a number of people, worked out by hand."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from draw import Sizes, plan
from league.tournaments.formats import MAX_ENTRANTS, Format
from league.tournaments.outlook import outlook

EVENING = Format(rounds=4, hands=12, break_minutes=10)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.mark.parametrize(
    ("entrants", "tables", "sit_outs"),
    [
        (3, {3: 1}, 0),
        (4, {4: 1}, 0),
        (5, {5: 1}, 0),
        (6, {3: 2}, 0),
        (16, {4: 4}, 0),
        (37, {5: 1, 4: 8}, 0),
        (203, {4: 50, 3: 1}, 0),
    ],
)
def test_tables_by_size(entrants: int, tables: dict[int, int], sit_outs: int) -> None:
    forecast = outlook(EVENING, entrants)
    assert (forecast.tables, forecast.sit_outs, forecast.refused) == (tables, sit_outs, "")


def test_surplus_entrants_sit_out() -> None:
    forecast = outlook(replace(EVENING, least=4, most=4), 18)
    assert (forecast.tables, forecast.sit_outs) == ({4: 4}, 2)


@given(st.integers(6, 300), st.sampled_from([(3, 4, 5), (4, 4, 4), (3, 5, 7), (3, 3, 4)]))
def test_everybody_is_at_a_table_or_sits_out(entrants: int, sizes: tuple[int, int, int]) -> None:
    least, wished, most = sizes
    forecast = outlook(replace(EVENING, least=least, wished=wished, most=most), entrants)
    assert sum(size * count for size, count in forecast.tables.items()) + forecast.sit_outs == entrants
    assert set(forecast.tables) <= set(range(least, most + 1))


def test_the_end_counts_rounds_and_the_breaks_between_them() -> None:
    # Four rounds of 12 · 2.5 = 30 minutes and three breaks of ten.
    forecast = outlook(EVENING, 16, begins_at=datetime.time(19, 30))
    assert (forecast.rounds, forecast.minutes, forecast.ends_at, forecast.days_later) == (
        4,
        150,
        datetime.time(22, 0),
        0,
    )


def test_an_end_after_midnight_is_on_the_next_day() -> None:
    forecast = outlook(EVENING, 16, begins_at=datetime.time(22, 0), minutes_per_hand=3)
    assert (forecast.minutes, forecast.ends_at, forecast.days_later) == (174, datetime.time(0, 54), 1)


@pytest.mark.parametrize(
    ("hands", "minutes", "expected"), [(12, 0, 30), (0, 45, 45), (12, 20, 20), (12, 45, 30), (3, 0, 8)]
)
def test_a_round_takes_its_hands_or_its_minutes(hands: int, minutes: int, expected: int) -> None:
    assert outlook(replace(EVENING, rounds=1, hands=hands, minutes=minutes), 16).minutes == expected


def test_the_final_comes_on_top() -> None:
    forecast = outlook(replace(EVENING, final_places=4, final_hands=16), 16)
    assert (forecast.rounds, forecast.minutes, forecast.ends_at) == (4, 4 * 30 + 40 + 4 * 10, None)
    assert outlook(replace(EVENING, minutes=25, final_places=4, final_hands=16), 16).minutes == 5 * 25 + 4 * 10


@pytest.mark.parametrize(
    ("entrants", "rounds", "repeats", "most"),
    [
        (16, 5, 0, 1),  # 5 · 4 · 6 = 120 meetings of 120 pairs
        (16, 6, 24, 2),
        (8, 5, 32, 3),  # 60 meetings of 28 pairs
        (4, 4, 18, 4),
        (32, 8, 0, 1),
    ],
)
def test_meetings_by_arithmetic(entrants: int, rounds: int, repeats: int, most: int) -> None:
    forecast = outlook(replace(EVENING, rounds=rounds), entrants)
    assert (forecast.repeats, forecast.most) == (repeats, most)


@pytest.mark.parametrize(("entrants", "rounds"), [(16, 5), (16, 6), (8, 5), (12, 4)])
def test_no_draw_is_better_than_the_outlook(entrants: int, rounds: int) -> None:
    forecast = outlook(replace(EVENING, rounds=rounds), entrants)
    drawn = plan(entrants, rounds, Sizes(4, 3, 5), seed=1, seconds=0.2)
    assert drawn.report.repeats >= forecast.repeats
    assert drawn.report.most >= forecast.most


@pytest.mark.parametrize(
    ("format", "entrants"),
    [
        (EVENING, 2),
        (EVENING, 0),
        (replace(EVENING, most=4), 5),
        (replace(EVENING, wished=4, least=4), 3),
        (replace(EVENING, wished=7, least=7, most=7), 6),
        (replace(EVENING, final_places=5), 4),
        (EVENING, MAX_ENTRANTS + 1),
    ],
)
def test_a_format_that_cannot_be_played_is_refused_with_a_sentence(format: Format, entrants: int) -> None:
    forecast = outlook(format, entrants, begins_at=datetime.time(19, 30))
    assert forecast.refused.endswith(".")
    assert (forecast.tables, forecast.minutes, forecast.ends_at) == ({}, 0, None)


def test_the_sentence_names_the_sizes_that_would_do() -> None:
    assert outlook(EVENING, 2).refused == ("Too few people: a tournament needs 6, or as many as one table has (3–5).")


def test_twin_without_the_guard_a_table_of_seven_is_asked_for_six_people(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Format, "takes", lambda format, people: True)
    with pytest.raises(ValueError, match="cannot fill a table"):
        outlook(replace(EVENING, wished=7, least=7, most=7), 6)
