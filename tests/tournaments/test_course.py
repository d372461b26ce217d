"""The course of a tournament by its services: from entries to the ranking."""

from __future__ import annotations

import pytest

from league.tournaments.results import ranking_of
from tests.factories import ClubFactory
from tests.tournaments.played_tournaments import made_tournament, play_round, with_entrants

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_four_rounds_with_sheets_end_in_the_ranking_of_their_sums() -> None:
    club = ClubFactory()
    tournament = made_tournament(club, None, rounds=3, pot="nobody", tie_breaks=["lot"])
    with_entrants(tournament, None, 13)
    sums = dict.fromkeys(range(1, 14), 0)
    for number in range(1, 4):
        _round, chips = play_round(tournament, None, seed=number)
        for seat, amount in chips.items():
            sums[seat] += amount
    lines = ranking_of(tournament).lines
    assert {line.number: line.total for line in lines} == sums
    assert [line.total for line in lines] == sorted(sums.values(), reverse=True)
