"""Points of a season for the places of a tournament: counted up to date as from scratch, and taken back."""

from __future__ import annotations

from datetime import date

import pytest
from django.utils import timezone

from league.errors import Refused
from league.models import Evening, EveningScore, Player, Season, SeasonAward, Standing, Tournament
from league.standings.counting import count_season
from league.tournaments import entries, services
from league.tournaments.results import ranking_of
from tests.factories import create_table, enter
from tests.tournaments.played_tournaments import made_tournament, play_round

pytestmark = pytest.mark.django_db

MADE = {"declarer": 0, "joiners": [1], "made": [0, 1]}
LOST = {"declarer": 2, "joiners": [3], "made": [3]}
POINTS = [25, 18, 15]


def standings(season: Season) -> dict[int, tuple[int, int, int, int | None]]:
    count_season(season.pk)
    rows = Standing.objects.filter(season=season)
    return {row.player_id: (row.points, row.rank, row.evenings, row.rank_before) for row in rows}


def from_scratch(season: Season) -> dict[int, tuple[int, int, int, int | None]]:
    Season.objects.filter(pk=season.pk).update(ledger_mark=season.ledger_mark + 100)
    season.refresh_from_db()
    return standings(season)


def finished(season: Season, players: list[Player]) -> Tournament:
    tournament = made_tournament(season.club, None, rounds=2, pot="nobody")
    services.award_set(tournament=tournament, author=None, season=season, points=POINTS)
    people = [entries.Newcomer(player_id=player.pk, here=True) for player in players]
    people += [entries.Newcomer(nickname=f"Gast {number}", here=True) for number in range(3)]
    entries.enter(tournament=tournament, author=None, people=people)
    play_round(tournament, None, seed=1)
    play_round(tournament, None, seed=2)
    return services.tournament_finish(tournament=tournament, author=None)


@pytest.mark.parametrize("best_evenings", [None, 1, 2])
def test_awards_are_added_to_the_points_of_the_evenings(best_evenings: int | None) -> None:
    table = create_table(held_on=date(2026, 11, 1))
    season = table.evening.season
    Season.objects.filter(pk=season.pk).update(best_evenings=best_evenings)
    season.refresh_from_db()
    enter(table, MADE)
    before = standings(season)
    tournament = finished(season, [place.player for place in table.places.all()])
    by_number = {line.number: line.rank for line in ranking_of(tournament).lines}
    players = dict(tournament.entrants.values_list("number", "player_id"))
    awarded = {players[number]: POINTS[rank - 1] for number, rank in by_number.items() if rank <= len(POINTS)}
    season.refresh_from_db()
    after = standings(season)
    for player in {*before, *awarded}:
        points, evenings = (before[player][0], before[player][2]) if player in before else (0, 0)
        assert after[player][0] == points + awarded.get(player, 0)
        assert after[player][2] == evenings
    assert set(after) == {*before, *awarded}


@pytest.mark.both_databases
@pytest.mark.parametrize("best_evenings", [None, 1])
def test_hands_before_and_after_the_tournament_count_as_from_scratch(best_evenings: int | None) -> None:
    first = create_table(held_on=date(2026, 11, 1))
    season = first.evening.season
    Season.objects.filter(pk=season.pk).update(best_evenings=best_evenings)
    season.refresh_from_db()
    enter(first, MADE)
    standings(season)
    players = [place.player for place in first.places.all()]
    finished(season, players)
    season.refresh_from_db()
    standings(season)
    later = create_table(season=season, players=players, held_on=date(2026, 12, 1))
    for table, record in ((later, MADE), (first, LOST), (later, LOST)):
        enter(table, record)
        season.refresh_from_db()
        kept_up = standings(season)
        scores = set(EveningScore.objects.filter(season=season).values_list("evening", "player", "points_after"))
        assert kept_up == from_scratch(season)
        assert scores == set(
            EveningScore.objects.filter(season=season).values_list("evening", "player", "points_after")
        )


@pytest.mark.both_databases
def test_opening_the_tournament_again_takes_the_awards_back() -> None:
    table = create_table(held_on=date(2026, 11, 1))
    season = table.evening.season
    enter(table, MADE)
    before = standings(season)
    tournament = finished(season, [place.player for place in table.places.all()])
    season.refresh_from_db()
    assert standings(season) != before
    services.tournament_reopen(tournament=tournament, author=None, owner=True, reason="wrong sheet")
    season.refresh_from_db()
    assert standings(season) == before
    assert not SeasonAward.objects.exists()
    assert Evening.objects.filter(season=season).count() == 1


@pytest.mark.both_databases
def test_a_finished_tournament_gives_points_to_a_season_chosen_later() -> None:
    table = create_table(held_on=date(2026, 11, 1))
    season = table.evening.season
    enter(table, MADE)
    before = standings(season)
    tournament = finished(season, [place.player for place in table.places.all()])
    season.refresh_from_db()
    at_once = standings(season)
    services.award_set(tournament=tournament, author=None, season=None, points=[])
    season.refresh_from_db()
    assert standings(season) == before
    assert (SeasonAward.objects.count(), Evening.objects.filter(season=season).count()) == (0, 1)
    services.award_set(tournament=tournament, author=None, season=season, points=POINTS)
    season.refresh_from_db()
    assert standings(season) == at_once
    assert standings(season) == from_scratch(season)
    services.award_set(tournament=tournament, author=None, season=season, points=[1])
    assert list(SeasonAward.objects.values_list("place", "points")) == [(1, 1)]


def test_a_closed_season_gets_and_loses_no_points_by_a_finished_tournament() -> None:
    table = create_table(held_on=date(2026, 11, 1))
    season = table.evening.season
    tournament = finished(season, [place.player for place in table.places.all()])
    Season.objects.filter(pk=season.pk).update(closed_at=timezone.now())
    for chosen, points in ((None, []), (season, [7])):
        with pytest.raises(Refused) as refused:
            services.award_set(tournament=tournament, author=None, season=chosen, points=points)
        assert (refused.value.status, refused.value.code) == (409, "season_closed")
    assert sorted(SeasonAward.objects.values_list("points", flat=True), reverse=True) == POINTS
