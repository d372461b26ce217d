"""The report of a season and the statement of a player under a formula: ranks, amounts that count, rules, penalties."""

from __future__ import annotations

import io
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.utils import translation
from pypdf import PdfReader

from league.access import ClubAccess
from league.models import Player, Role, Standing
from league.reports.feeds.atom import feed_of
from league.reports.pdf_chart import dots_of
from league.reports.pdf_pages import pdf_of
from league.reports.player import player_statement
from league.reports.report import Report
from league.reports.season import season_report
from league.standings import nights
from league.standings.formula.services import adjustment_add
from league.standings.seasons import season_close
from tests.cast import house
from tests.league.test_formula_counting import League
from tests.league.test_formula_nights import FORMULAS, ranked

pytestmark = pytest.mark.django_db


def access(league: League, role: str | None = Role.OWNER) -> ClubAccess:
    return ClubAccess(league.season.club, role, frozenset())


def report(league: League, role: str | None = Role.OWNER) -> Report:
    with translation.override("en"):
        return season_report(access(league, role), league.season)


def statement(league: League, name: str = "Anna") -> Report:
    with translation.override("en"):
        return player_statement(access(league), Player.objects.get(club=league.season.club, nickname=name))


def figures(document: Report) -> dict[str, tuple[str, str]]:
    return {figure.name: (figure.value, figure.note) for figure in document.figures}


def column(document: Report, table: str, name: str) -> list[Any]:
    section = document.table(table)
    return [row[name] for row in section.rows] if section else []


def test_no_player_without_a_rank_is_first() -> None:
    league = League(attendance_minimum=9)
    document = report(league)
    assert figures(document)["First"] == ("Nobody is ranked", "")
    assert set(column(document, "standings", "rank")) == {None}
    assert set(column(document, "standings", "note")) == {"not ranked yet: 3 of 9 evenings"}
    own = statement(league)
    assert "Best rank" not in figures(own)
    assert column(own, "seasons", "rank") == [None]
    assert column(own, "evenings", "rank_after") == [None, None, None]


def test_a_statement_has_a_rank_from_the_evening_on_that_brings_enough() -> None:
    league = League(attendance_minimum=2)
    own = statement(league)
    assert column(own, "evenings", "rank_after")[0] is None
    assert None not in column(own, "evenings", "rank_after")[1:]
    league.set(hands_minimum=4)
    league.count()
    assert [rank is None for rank in column(statement(league), "evenings", "rank_after")] == [True, True, False]


def test_guests_who_are_not_ranked_have_no_rank_after_any_evening() -> None:
    league = League(guests=False)
    Player.objects.filter(nickname="Anna").update(guest=True)
    league.count()
    assert set(column(statement(league), "evenings", "rank_after")) == {None}
    assert None not in column(statement(league, "Beni"), "evenings", "rank_after")


def test_a_formula_of_amounts_shows_the_counted_amount_beside_the_balance() -> None:
    league = League(counts="net", drop=1)
    first = Standing.objects.filter(season=league.season, rank=1).earliest("player__nickname")
    assert first.counted_minor != first.balance_minor
    document = report(league)
    assert figures(document)["First"][1] == f"+CHF\xa0{first.counted_minor / 100:.2f}"  # type: ignore[operator]
    assert column(document, "standings", "counted")[0] == first.counted_minor
    assert column(document, "standings", "balance")[0] == first.balance_minor
    assert column(statement(league, first.player.nickname), "seasons", "counted") == [first.counted_minor]
    assert "counted" not in [field.name for field in report(league, None).tables[0].columns]


@pytest.mark.parametrize("name", FORMULAS)
def test_the_winners_of_evenings_are_those_of_the_formula(name: str) -> None:
    home = house("roessli")
    season = ranked(home, FORMULAS[name])
    evenings = nights.nights_of([season])
    named = {night.player_id: night.nickname for night in evenings}
    expected: dict[int, set[str]] = {night.number: set() for night in evenings}
    numbers = {night.evening_id: night.number for night in evenings}
    for evening, player in nights.evenings_won(evenings):
        expected[numbers[evening]].add(named[player])
    owner = ClubAccess(home.club, Role.OWNER, frozenset())
    with translation.override("en"):
        own, feed = season_report(owner, season), feed_of(owner, str, "host", "here")
    winners = zip(column(own, "evenings", "evening"), column(own, "evenings", "winner"), strict=True)
    assert {number: set(filter(None, (text or "").split(", "))) for number, text in winners} == expected
    titles = re.findall(r"<title>Evening (\d+)[^<]*?(?:: won by ([^<]*))?</title>", feed)
    assert {int(number): set(filter(None, text.split(", "))) for number, text in titles} == expected


def test_penalties_have_names_by_consent_and_their_reasons_only_in_the_club() -> None:
    league = League(best=2)
    Player.objects.update(publicity=Player.Publicity.INITIALS)
    gone = adjustment_add(season=league.season, player=league.players[1], points=4, reason="gone", actor=None)
    type(gone).objects.filter(pk=gone.pk).update(undone_at=gone.at)
    # Two days after the first evening, entered weeks later.
    day = league.season.starts_on + timedelta(days=2)
    adjustment_add(
        season=league.season, player=league.players[0], points=-2, reason="Anna came late", actor=None, day=day
    )
    league.count()
    inside, outside = report(league), report(league, None)
    assert column(inside, "adjustments", "day") == [day]
    assert (column(inside, "adjustments", "player"), column(inside, "adjustments", "points")) == (["Anna"], [-2])
    assert column(inside, "adjustments", "reason") == ["Anna came late"]
    assert "Anna" not in repr(outside.table("adjustments"))
    assert "reason" not in [field.name for field in outside.table("adjustments").columns]  # type: ignore[union-attr]


def test_the_formula_is_in_words_and_the_course_a_chart_with_its_table() -> None:
    league = League(best=2)
    document = report(league)
    assert "The best 2 evenings count." in column(document, "rules", "rule")
    assert document.chart
    assert [section.name for section in document.tables].count(document.chart.table) == 1
    table = document.table(document.chart.table)
    assert table
    players = {field.name: field.heading for field in table.columns[2:]}
    ends = {line.name: line.value for line in document.chart.courses["wide"].lines}
    assert {heading: str(table.rows[-1][name]).replace("-", "−") for name, heading in players.items()} == ends
    with translation.override("en"):
        pages = PdfReader(io.BytesIO(pdf_of(league.season.club, document))).pages
    text = " ".join(page.extract_text() for page in pages)
    assert "How it is counted" in text
    assert "Points after each evening" in text
    # The names are at the ends of the lines, before any table.
    assert text.index("Emil") < text.index("Standings")


def test_each_drawing_of_the_chart_is_for_a_card_of_its_width() -> None:
    """The letters have 13 units: on a card they are neither half nor twice as large as the text."""
    chart = report(League()).chart
    assert chart
    css = (Path(settings.BASE_DIR) / "static/css/reading.css").read_text()
    begins = [0, *(int(width) for width in re.findall(r"@container \(min-width: (\d+)px\)", css)), 1050]
    widths = [drawn.width for drawn in chart.courses.values()]
    assert list(chart.courses) == ["narrow", "middle", "wide"]
    begins[0] = 290  # the card of a phone
    for drawn, first, last in zip(widths, begins[:-1], begins[1:], strict=True):
        assert 10 <= 13 * first / drawn <= 13 * last / drawn <= 18


def test_a_path_of_a_chart_is_read_back() -> None:
    assert dots_of("M1.5 2L3.0 -4.5") == [(1.5, 2.0), (3.0, -4.5)]


def test_the_report_of_a_closed_season_begins_with_its_podium() -> None:
    league = League(best=2)
    assert "Champion" not in figures(report(league))
    league.close_evenings()
    league.count()
    league.season = season_close(season=league.season, actor=None)
    document = report(league)
    ranks = dict(Standing.objects.filter(rank__lte=3).values_list("player__nickname", "rank"))
    champions = [name for name, rank in ranks.items() if rank == 1]
    assert sorted(next(iter(figures(document).values()))[0].split(", ")) == sorted(champions)
    assert next(iter(figures(document))).startswith("Champion")
    assert document.tables[0].title == "Final standings"
