"""Winnings up to a day: from the scores of counted evenings, from the result rows of all others."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from django.db import connection
from django.db.models import F

from games.models import Table
from league.models import EveningScore, Player, Season, UncountedPosting
from league.payments import on_day
from league.roster.merging import players_merge
from league.standings import counting
from tests.cast import House
from tests.factories import FAILED, MADE, PlayerFactory, create_table, enter
from tests.promises import plain_winnings

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

DAYS = FIRST, SECOND = date(2026, 10, 1), date(2026, 10, 8)
WRONG = 7


@pytest.fixture
def tables(home: House) -> list[Table]:
    """Two evenings of a season that is counted, each with one hand and players of its own."""
    created = []
    for day in (FIRST, SECOND):
        players = PlayerFactory.create_batch(5, club=home.club)
        created.append(create_table(club=home.club, season=home.season, players=players, held_on=day))
        enter(created[-1], FAILED)
    counting.count_season(home.season.pk)
    return created


def falsified(season: Season) -> None:
    """Falsify all scores of a season, so that each amount that comes from them shows it."""
    EveningScore.objects.filter(season=season).update(change_minor=F("change_minor") + WRONG)


def right_on(home: House) -> list[bool]:
    """Return for each day if its winnings are those of the result rows."""
    pairs = [(on_day.winnings(home.club, day, "open"), plain_winnings.of_rows(home.club, day, "open")) for day in DAYS]
    assert all(plain for _won, plain in pairs)
    return [won == plain for won, plain in pairs]


def test_counted_evenings_are_read_from_their_scores(home: House, tables: list[Table]) -> None:
    assert plain_winnings.differences(home.club) == []
    falsified(home.season)
    assert right_on(home) == [False, False]


def test_an_evening_with_a_waiting_hand_is_read_from_its_rows(home: House, tables: list[Table]) -> None:
    enter(tables[1], MADE)
    assert plain_winnings.differences(home.club) == []
    EveningScore.objects.filter(evening=tables[1].evening).update(change_minor=F("change_minor") + WRONG)
    assert right_on(home) == [True, True]
    # The other evening is still read from its scores.
    falsified(home.season)
    assert right_on(home) == [False, False]


def merged(home: House) -> None:
    """Merge a player of the first evening into one of the second."""
    players = Player.objects.filter(club=home.club, results__isnull=False).order_by("pk").distinct()
    players_merge(club=home.club, player=players[0], main=players[9], reason="test", actor=None)


def lost(home: House) -> None:
    """The mark is above the count, and nothing waits: as after a change by another version of the program."""
    Season.objects.filter(pk=home.season.pk).update(ledger_mark=F("ledger_mark") + 1)
    if connection.vendor == "postgresql":
        # The change was made in another transaction: the postings of this one need a mark of their own.
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('chratzete.raised', '', true)")


@pytest.mark.parametrize("change", [merged, lost])
def test_a_season_that_is_counted_from_scratch_next_is_read_from_its_rows(
    home: House, tables: list[Table], change: Callable[[House], None]
) -> None:
    change(home)
    falsified(home.season)
    assert right_on(home) == [True, True]
    # Waiting postings do not hide the other change.
    enter(tables[1], MADE)
    assert UncountedPosting.objects.count() == 1
    assert right_on(home) == [True, True]


def test_an_evening_of_a_game_that_does_not_count_is_read_from_its_rows(home: House, tables: list[Table]) -> None:
    Season.objects.filter(pk=home.season.pk).update(games="kratzen", ledger_mark=F("ledger_mark") + 1)
    counting.count_season(home.season.pk)
    assert not EveningScore.objects.filter(season=home.season).exists()
    assert right_on(home) == [True, True]
