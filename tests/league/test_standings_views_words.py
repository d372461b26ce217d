"""Formats of amounts, rates and ages, and the coordinates of charts."""

from __future__ import annotations

import itertools
import re
from datetime import UTC, datetime
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.utils import translation
from django.utils.formats import date_format
from django.utils.timezone import localtime
from hypothesis import given
from hypothesis import strategies as st

from league import money as formats
from league.standings import charts
from league.templatetags import league_tags as tags

GERMAN = Path(settings.LOCALE_PATHS[0]) / "de" / "LC_MESSAGES" / "django.po"
NOW = datetime(2026, 11, 20, 22, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("amount", "money", "gain"),
    [
        (120, "1.20", "+1.20"),
        (-320, "−3.20", "−3.20"),
        (0, "0.00", "0.00"),
        (5, "0.05", "+0.05"),
        (-5, "−0.05", "−0.05"),
        (123456789, "1’234’567.89", "+1’234’567.89"),
        (10**15, "10’000’000’000’000.00", "+10’000’000’000’000.00"),
        (None, "–", "–"),
    ],
)
def test_amounts_are_francs_with_the_true_minus(amount, money, gain):
    assert formats.format_money(amount) == money
    assert tags.gain(amount) == gain


@given(st.integers(-(10**15), 10**15))
def test_an_amount_can_be_read_back(amount):
    text = formats.format_money(amount).replace("’", "").replace("−", "-").replace(".", "")
    assert int(text) == amount


PRICES = [
    ("en", "CHF", 120, "CHF 1.20", "+CHF 1.20"),
    ("de", "CHF", 120, "Fr. 1.20", "+Fr. 1.20"),
    ("en", "CHF", -320, "−CHF 3.20", "−CHF 3.20"),
    ("de", "CHF", -320, "−Fr. 3.20", "−Fr. 3.20"),
    ("en", "CHF", 0, "CHF 0.00", "CHF 0.00"),
    ("de", "CHF", 0, "Fr. 0.00", "Fr. 0.00"),
    ("en", "CHF", 123450, "CHF 1’234.50", "+CHF 1’234.50"),
    ("de", "CHF", 123450, "Fr. 1’234.50", "+Fr. 1’234.50"),
    ("en", "EUR", 120, "EUR 1.20", "+EUR 1.20"),
    ("de", "EUR", 120, "1.20 €", "+1.20 €"),
    ("de", "EUR", -123456789, "−1’234’567.89 €", "−1’234’567.89 €"),
    ("en", "GBP", 120, "GBP 1.20", "+GBP 1.20"),
    ("de", "GBP", -5, "−GBP 0.05", "−GBP 0.05"),
    ("de", "CHF", None, "–", "–"),
]


@pytest.mark.parametrize(("language", "currency", "amount", "price", "gain"), PRICES)
def test_an_amount_has_its_currency_in_the_readers_language(language, currency, amount, price, gain):
    with translation.override(language):
        assert formats.format_price(amount, currency).replace("\xa0", " ") == price
        assert tags.gain_price(amount, currency).replace("\xa0", " ") == gain


FRANCS = re.compile(r"\bFr\.(?! %\(amount\)s)")
"""German francs that are not before an amount: their full stop would end a sentence twice, or too early."""


def test_german_francs_precede_their_amount():
    texts = [text for entry in polib.pofile(GERMAN) for text in (entry.msgstr, *entry.msgstr_plural.values())]
    assert [text for text in texts if FRANCS.search(text)] == []
    assert FRANCS.search("Es fehlen %(amount)s Fr.")


def test_an_amount_and_its_currency_stay_on_one_line():
    with translation.override("de"):
        assert " " not in formats.format_price(123450, "CHF")
        assert " " not in tags.gain_price(-5, "GBP")


@pytest.mark.parametrize(
    ("language", "currency", "unit", "big", "each"),
    [
        ("en", "CHF", "CHF", '<span class="unit">CHF</span> 3.40', "+CHF 0.090"),
        ("de", "CHF", "Fr.", '<span class="unit">Fr.</span> 3.40', "+Fr. 0.090"),
        ("en", "EUR", "EUR", '<span class="unit">EUR</span> 3.40', "+EUR 0.090"),
        ("de", "EUR", "€", '3.40 <span class="unit">€</span>', "+0.090 €"),
    ],
)
def test_a_head_names_the_currency_once_and_a_large_amount_beside_it(language, currency, unit, big, each):
    with translation.override(language):
        assert formats.unit(currency) == unit
        assert tags.big_price(340, currency).replace("\xa0", " ") == big
        assert formats.per_hand_price(1580, 175, currency).replace("\xa0", " ") == each
        assert formats.per_hand_price(0, 0, currency) == "–"


@pytest.mark.parametrize(
    ("rank", "english", "german"),
    [
        *((1, "1st", "1."), (2, "2nd", "2."), (3, "3rd", "3."), (4, "4th", "4."), (11, "11th", "11.")),
        *((12, "12th", "12."), (13, "13th", "13."), (21, "21st", "21."), (112, "112th", "112.")),
    ],
)
def test_a_place_is_written_as_the_language_writes_it(rank, english, german):
    with translation.override("en"):
        assert formats.format_place(rank) == english
    with translation.override("de"):
        assert formats.format_place(rank) == german


@pytest.mark.parametrize(
    ("made", "of", "text"),
    [(0, 0, "–"), (3, 4, "3 of 4"), (19, 19, "19 of 19"), (14, 20, "70 %"), (2, 3000, "0 %"), (125, 1000, "13 %")],
)
def test_a_small_sample_is_shown_as_counts(made, of, text, en):
    assert formats.format_rate(made, of) == text


@pytest.mark.parametrize(
    ("total", "hands", "unit", "text"),
    [
        (1580, 175, "money", "+0.090"),
        (-1580, 175, "money", "−0.090"),
        (0, 5, "money", "0.000"),
        (-1, 100000, "money", "0.000"),
        (45, 175, "points", "+0.26"),
        (-1, 8, "points", "−0.13"),
        (3, 0, "money", "–"),
    ],
)
def test_per_hand_is_rounded_away_from_zero(total, hands, unit, text):
    assert formats.per_hand(total, hands, unit) == text


def test_an_age_is_sent_as_its_time_with_the_patterns_of_the_language(en):
    sent = tags.age(NOW)
    assert f'datetime="{NOW.isoformat(timespec="seconds")}"' in sent
    assert 'data-patterns="{n} s ago|{n} min ago|{n} h ago|{n} d ago"' in sent
    assert f">{date_format(localtime(NOW), 'SHORT_DATETIME_FORMAT')}</time>" in sent


@pytest.mark.parametrize(("rank", "before", "shown"), [(1, 3, "▲ 2"), (4, 3, "▼ 1"), (2, 2, ""), (2, None, "")])
def test_a_move_counts_places(rank, before, shown, en):
    text = tags.move(rank, before)
    assert shown in text
    assert bool(text) == bool(shown)


# --- charts ----------------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 2400).map(lambda n: n / 10), max_size=40))
def test_labels_keep_their_order_and_distance_within_the_chart(wanted):
    low, high, gap = 8.0, 230.0, 15.0
    placed = charts.spread(wanted, gap, low, high)
    order = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    least = min(gap, (high - low) / max(1, len(wanted) - 1))
    assert all(low - 0.1 <= y <= high + 0.1 for y in placed)
    for above, below in itertools.pairwise(order):
        assert placed[below] - placed[above] >= least - 0.11


def test_labels_with_room_keep_their_place():
    assert charts.spread([200.0, 20.0, 100.0], 15, 8, 230) == [200.0, 20.0, 100.0]


def test_labels_at_one_spot_are_spread_evenly():
    assert charts.spread([100.0, 100.0, 100.0], 15, 8, 230) == [85.0, 100.0, 115.0]


@given(st.integers(-(10**9), 10**9), st.integers(0, 10**9))
def test_the_grid_has_few_round_numbers(low, span):
    high = low + span
    ticks = charts.nice_ticks(low, high)
    assert 1 <= len(ticks) <= 4
    assert all(low <= tick <= high for tick in ticks)
    assert len({b - a for a, b in itertools.pairwise(ticks)}) <= 1


def test_a_line_begins_at_zero_on_the_evening_before_its_first():
    chart = charts.course_chart([1, 2, 3], [("Anna", [2, 4, 6]), ("Beni", [None, None, 3])], charts.show_points)
    anna, beni = chart.lines
    assert anna.path.count("L") == 3
    assert beni.path.count("L") == 1
    zero = next(tick.at for tick in chart.ticks if tick.text == "0")
    assert anna.path.startswith(f"M{chart.left} {zero}L")
    start = beni.path.removeprefix("M").split("L")[0]
    assert start.endswith(f" {zero}")
    assert start.split(" ")[0] in anna.path


def test_one_evening_makes_a_chart():
    chart = charts.course_chart([1], [("Anna", [5]), ("Beni", [-5])], charts.show_points)
    assert [line.end_x for line in chart.lines] == [chart.right, chart.right]
    assert [tick.text for tick in chart.evenings] == ["1"]


def test_values_of_zero_make_a_line():
    chart = charts.course_chart([1, 2], [("Anna", [0, 0])], charts.show_points)
    assert chart.lines[0].value == "0"


@pytest.mark.parametrize("lines", [[], [("Anna", [None, None])]])
def test_without_values_there_is_no_chart(lines):
    assert charts.course_chart([1, 2], lines, charts.show_points) is None
    assert charts.evening_charts([1, 2], [None, None], charts.show_points) == []
    # Bars of nothing but 0 would be a line without a meaning.
    assert charts.evening_charts([1, 2], [0, None], charts.show_points) == []
    assert len(charts.evening_charts([1, 2], [0, 1], charts.show_points)) == 1


def test_forty_evenings_and_long_names_fit():
    names = [f"Spielerin mit langem Namen {n:02d}" for n in range(7)]
    lines = [(name, [100 + n + i for i in range(40)]) for n, name in enumerate(names)]
    chart = charts.course_chart(list(range(1, 41)), lines, charts.show_points)
    labels = sorted(line.label_y for line in chart.lines)
    assert all(b - a >= charts.LINE_HEIGHT - 0.11 for a, b in itertools.pairwise(labels))
    assert chart.label_x + charts.LETTER * max(len(line.short) for line in chart.lines) <= chart.width + 1
    assert len({line.short for line in chart.lines}) == 7
    marks = [tick.at for tick in chart.evenings]
    assert len(marks) <= 8
    assert min(b - a for a, b in itertools.pairwise(marks)) >= 20


def test_a_usual_long_name_is_shown_whole_beside_its_line():
    lines = [("Maximiliana-Theresia", [1, 2]), ("Jo", [0, 1])]
    chart = charts.course_chart([1, 2], lines, charts.show_points)
    assert [line.short for line in chart.lines] == [name for name, _values in lines]
    assert chart.right - chart.left >= charts.WIDTH * 0.38


def test_a_name_of_wide_letters_is_cut_sooner():
    assert charts.shorten("Maximilian", 11) == "Maximilian"
    assert charts.shorten("W" * 40, 11) == "WWWWW…"


def test_ranks_have_the_first_on_top_and_no_zero():
    chart = charts.course_chart([1, 2], [("Anna", [-1, -2]), ("Beni", [-2, -1])], charts.show_rank, from_zero=False)
    anna, beni = chart.lines
    assert beni.end_y < anna.end_y
    assert {tick.text for tick in chart.ticks} == {"1.", "2."}


def test_bars_begin_at_zero_and_leave_a_gap_for_an_absence():
    (chart,) = charts.evening_charts([1, 2, 3, 4], [300, None, -200, 0], charts.show_money)
    up, down, none = chart.bars
    assert up.y < chart.zero_y
    assert round(up.y + up.height, 1) == chart.zero_y
    assert down.y == chart.zero_y
    assert (up.text, down.text, none.text) == ("3", "−2", "0")
    assert [mark.text for mark in chart.evenings] == ["1", "2", "3", "4"]
    assert down.x - up.x > 2 * up.width
    assert none.css == "bar-none"


@pytest.mark.parametrize(("count", "value"), [(12, 24), (13, -24), (40, -13), (30, 118), (9, -123450)])
def test_values_of_bars_do_not_touch_and_a_long_season_has_rows_of_one_scale(count, value):
    show = charts.show_money if abs(value) > 1000 else charts.show_points
    numbers = list(range(1, count + 1))
    rows = charts.evening_charts(numbers, [value, *([7] * (count - 1))], show, dropped=[1])
    assert [int(mark.text) for row in rows for mark in row.evenings] == numbers
    assert len({(row.zero_y, row.height) for row in rows}) == 1
    assert [bar.css for row in rows for bar in row.bars].count("bar-gain dropped") == 1
    for row in rows:
        assert row.right <= row.width
        for left, other in itertools.pairwise(row.bars):
            assert other.text_x - left.text_x > charts.DIGIT * (len(left.text) + len(other.text)) / 2
        first, last = row.bars[0], row.bars[-1]
        assert first.text_x - charts.DIGIT * len(first.text) / 2 >= 0
        assert last.text_x + charts.DIGIT * len(last.text) / 2 <= row.width
