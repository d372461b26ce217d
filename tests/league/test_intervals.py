"""Wilson's interval against published values, and the least number of tries."""

from __future__ import annotations

import pytest

from league.api.statistics import ShareAnswer
from league.intervals import FEWEST_TRIES, Interval, Share, apart, extremes, wilson
from tests.processes import PROJECT


@pytest.mark.parametrize(
    ("made", "of", "low", "high"),
    [
        # Newcombe (1998), table I, method 3, rounded outwards to thousandths.
        (81, 263, 255, 367),
        (15, 148, 62, 161),
        (0, 20, 0, 162),
        (1, 29, 6, 172),
    ],
)
def test_interval_is_that_of_the_literature(made, of, low, high):
    assert wilson(made, of) == Interval(low, high)


def test_interval_without_a_try_is_the_whole_range():
    assert wilson(0, 0) == Interval(0, 1000)
    assert Share(0, 0).permille == 0


def test_interval_is_symmetric_and_stays_within_bounds():
    for of in range(1, 60):
        for made in range(of + 1):
            interval, other = wilson(made, of), wilson(of - made, of)
            assert 0 <= interval.low <= Share(made, of).permille <= interval.high <= 1000
            assert (interval.low, interval.high) == (1000 - other.high, 1000 - other.low)


def test_interval_narrows_with_more_tries():
    widths = [wilson(6 * n, 10 * n).width for n in range(1, 40)]
    assert widths == sorted(widths, reverse=True)


def test_three_hands_are_too_few_for_a_difference():
    """Three of three are more than half of a thousand, and still no difference is shown."""
    few, many = Share(3, 3), Share(500, 1000)
    assert not few.known
    assert not apart(few, many)
    assert extremes([few, many]) is None


def test_a_difference_is_shown_only_if_the_intervals_do_not_touch():
    high, near, low = Share(80, 100), Share(70, 100), Share(40, 100)
    assert not apart(high, near)
    assert apart(high, low)
    assert extremes([near, low, high]) == (2, 1)
    assert extremes([high, near]) is None


def test_the_docs_and_the_api_name_the_least_number_of_tries():
    page = (PROJECT / "docs" / "statistics.md").read_text(encoding="utf-8")
    for text in (page, ShareAnswer.__doc__ or ""):
        assert f"fewer than {FEWEST_TRIES} tries" in " ".join(text.split())
    half = wilson(FEWEST_TRIES // 2, FEWEST_TRIES)
    assert f"{half.low // 10 + 1} to {half.high // 10} %" in " ".join(page.split())
