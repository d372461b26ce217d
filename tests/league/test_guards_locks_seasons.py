"""Locks of the kitty and of seasons that are closed: of two at once one sees the change of the other."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from league.imports import services as imports
from league.ledger.club_accounts import held
from league.models import Account, Club, Import, Player, PlayerMerge, Season
from league.roster import merging
from league.roster.merging import players_merge
from league.standings import seasons
from league.standings.formula import services
from league.standings.seasons import season_close
from league.treasury import services as treasury
from tests.cast import House
from tests.factories import PlayerFactory
from tests.imported import imported
from tests.league.test_treasury import book
from tests.races import Race, at_once

pytestmark = [pytest.mark.rest, pytest.mark.django_db(transaction=True), pytest.mark.needs_postgres]

Call = Callable[[], object]


# --- The kitty ---------------------------------------------------------------------------------------------------


def spending(home: House) -> list[Call]:
    """Two people spend all that the kitty has."""
    book(home, amount_minor=500)
    return [lambda: book(home, "spent", 500), lambda: book(home, "spent", 500)]


def test_the_kitty_is_spent_once(race: Race, home: House) -> None:
    calls = spending(home)
    race.after_lock(Club)
    assert at_once(calls) == ["", "kitty"]
    assert held(home.club.pk, Account.Kind.KITTY) == 0


def test_without_the_lock_of_the_club_the_kitty_is_spent_twice(race: Race, home: House) -> None:
    calls = spending(home)
    race.without_lock(Club)
    race.after(treasury, "check_enough")
    assert at_once(calls) == ["", ""]
    assert held(home.club.pk, Account.Kind.KITTY) == -500


# --- A season is closed at that moment ----------------------------------------------------------------------------


@pytest.fixture
def season(home: House) -> Season:
    """A season with a formula that gives a twin of Anna a penalty."""
    services.formula_set(season=home.season, actor=None, values={"best": 2})
    for name in ("Anna", "Twin"):
        PlayerFactory(club=home.club, nickname=name)
    twin = Player.objects.get(nickname="Twin")
    services.adjustment_add(season=home.season, player=twin, points=-1, reason="late", actor=None)
    return home.season


def merging_of(season: Season) -> Call:
    def merge() -> object:
        anna, twin = (Player.objects.get(nickname=name) for name in ("Anna", "Twin"))
        return players_merge(club=season.club, player=twin, main=anna, reason="one person", actor=None)

    return merge


def closing_of(season: Season) -> Call:
    return lambda: season_close(season=season, actor=None)


def test_a_season_that_is_closed_meanwhile_gets_no_merge(race: Race, season: Season) -> None:
    race.after(merging, "_check_seasons_open")
    race.after_lock(Season)
    assert at_once([merging_of(season), closing_of(season)]) == ["", "season_closed"]
    assert not PlayerMerge.objects.exists()


def test_without_a_second_look_two_people_of_a_closed_season_become_one(
    race: Race, season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    original, looks = merging._check_seasons_open, []

    def look_once(player: Player) -> None:
        if not looks:
            looks.append(player)
            original(player)

    monkeypatch.setattr(merging, "_check_seasons_open", look_once)
    race.after(merging, "_check_seasons_open")
    race.after_lock(Season)
    assert at_once([merging_of(season), closing_of(season)]) == ["", ""]
    assert PlayerMerge.objects.exists()
    assert Season.objects.get(pk=season.pk).closed_at is not None


def undoing_in(home: House) -> list[Call]:
    """An import is undone while its season is closed."""
    stored = imported(home.season, home.owner)
    return [lambda: imports.import_undo(stored=stored, actor=home.owner), closing_of(home.season)]


def changed_after_its_end(season: Season) -> bool:
    """Return True if an import of a closed season was undone after the season was closed."""
    closed_at = Season.objects.get(pk=season.pk).closed_at
    return Import.objects.filter(season=season, undone_at__gt=closed_at).exists()


def test_no_import_of_a_season_that_is_closed_meanwhile_is_undone(race: Race, home: House) -> None:
    calls = undoing_in(home)
    race.after_lock(Season)
    # Either of the two may be the first.
    assert at_once(calls) in (["", ""], ["", "closed"])
    assert not changed_after_its_end(home.season)


def test_without_the_lock_of_the_season_an_import_is_undone_after_its_end(
    race: Race, home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = undoing_in(home)
    race.without_lock(Season)
    race.after(imports, "_check_open")
    race.after(seasons, "check_no_evening_runs")
    closed, reverse = Event(), imports._reverse_totals

    def now() -> datetime:
        time = timezone.now()
        closed.set()
        return time

    def reverse_after_the_end(*args: Any) -> None:
        assert closed.wait(20)
        reverse(*args)

    monkeypatch.setattr(seasons, "timezone", SimpleNamespace(now=now))
    monkeypatch.setattr(imports, "_reverse_totals", reverse_after_the_end)
    assert at_once(calls) == ["", ""]
    assert changed_after_its_end(home.season)
