"""A closed season keeps its final standings: changes of them are refused until an owner opens the season."""

from __future__ import annotations

import uuid
from datetime import date
from typing import Any

import pytest

from games.closing.services import evening_reopen, payments_mark
from games.corrections.edits import TakeOut
from games.corrections.services import correct
from games.evening.services import evening_start
from league.errors import Refused
from league.models import Evening, Payment, Player, Season
from league.roster.merging import players_merge, players_unmerge
from league.roster.services import player_change
from league.standings.seasons import season_close, season_reopen
from tests.league.test_formula_counting import League
from tests.tournaments.rounds import create_tournament

pytestmark = pytest.mark.django_db

CLOSED = (409, "season_closed")


@pytest.fixture
def league() -> League:
    """A closed season; Emil's twin has no hands in it."""
    league = League(guests=False)
    league.close_evenings()
    league.season = season_close(season=league.season, actor=None)
    league.count()
    return league


def refusal(action, **values: Any) -> tuple[int, str]:
    with pytest.raises(Refused) as caught:
        action(**values)
    return caught.value.status, caught.value.code


def key() -> dict[str, Any]:
    return {"author": None, "key": uuid.uuid4()}


@pytest.mark.both_databases
def test_its_hands_and_evenings_change_when_an_owner_has_opened_it(league, en):
    before, table, club = league.standings(), league.tables[0], league.season.club
    anna, *_others = league.players
    start: dict[str, Any] = {
        "club": club, "season": league.season, "held_on": date(2026, 11, 1), "author": None,
        "first_dealer": f"p{anna.pk}",
    }  # fmt: skip
    seating = [f"p{player.pk}" for player in league.players]
    assert refusal(correct, table=table, edit=TakeOut(1), **key()) == CLOSED
    assert refusal(evening_reopen, evening=table.evening, owner=True, reason="x", **key()) == CLOSED
    assert refusal(evening_start, seating=seating, **start) == CLOSED
    league.count()
    assert league.standings() == before
    with pytest.raises(Refused, match="An owner of the club can open it again"):
        correct(table=table, edit=TakeOut(1), **key())
    season_reopen(season=league.season, actor=None, reason="x")
    correct(table=table, edit=TakeOut(1), **key())
    league.count()
    assert league.standings() != before
    assert league.wrong() == []


def test_payments_of_its_evenings_are_still_marked(league):
    before = league.standings()
    payment = Payment.objects.filter(closing__evening__season=league.season).first()
    evening = Evening.objects.get(pk=payment.closing.evening_id)
    assert payments_mark(evening=evening, paid=True, numbers=[payment.pk], **key()).count == 1
    league.count()
    assert league.standings() == before
    assert league.wrong() == []


def test_two_of_its_players_do_not_become_one_person(league):
    anna, beni = league.players[:2]
    twin = Player.objects.create(club=league.season.club, nickname="Annas Zwilling")
    arguments = {"club": league.season.club, "reason": "x", "actor": None}
    # A player without a line in it can be merged.
    players_merge(player=twin, main=anna, **arguments)
    players_unmerge(player=twin, **arguments)
    assert refusal(players_merge, player=beni, main=twin, **arguments) == CLOSED


def test_its_guests_are_those_of_its_last_day(league):
    before = league.standings()
    anna = Player.objects.get(pk=league.players[0].pk)
    player_change(player=anna, actor=None, changes={"guest": True})
    assert league.wrong() == []
    league.count()
    assert league.standings() == before
    season_reopen(season=league.season, actor=None, reason="x")
    league.count()
    assert league.standings()[-1].startswith("5 Anna")


def test_an_open_evening_keeps_it_open():
    league = League()
    assert refusal(season_close, season=league.season, actor=None) == (409, "evening_open")
    assert Season.objects.get(pk=league.season.pk).closed_at is None


def test_a_tournament_gives_it_no_points(league):
    from league.tournaments import awards

    tournament = create_tournament(league.season.club)
    tournament.award_season, tournament.award_points = league.season, [5, 3]
    assert refusal(awards.award, tournament=tournament, author=None) == CLOSED


# --- Without its guard the final standings change -------------------------------------------------------------


def test_without_the_check_a_correction_changes_the_final_standings(league, monkeypatch):
    before = league.standings()
    for name in ("check_evenings_open", "lock_open"):
        monkeypatch.setattr(f"games.corrections.services.{name}", lambda season: None)
    monkeypatch.setattr("games.corrections.services.rounds.why_final", lambda evening: "")
    correct(table=league.tables[0], edit=TakeOut(1), **key())
    league.count()
    assert league.standings() != before


def test_without_its_own_guests_the_final_standings_change(league):
    anna = Player.objects.get(pk=league.players[0].pk)
    Season.objects.filter(pk=league.season.pk).update(final_guests=None)
    player_change(player=anna, actor=None, changes={"guest": True})
    assert league.wrong() != []
