"""Rows of the models of tournaments and of luck, one of each."""

from __future__ import annotations

from django.utils import timezone

from league.models import (
    DeskMember,
    Evening,
    LuckOfAllClubs,
    LuckOfEvening,
    LuckOfPlayer,
    LuckToCount,
    OwnEntry,
    Player,
    SeasonAward,
    Substitution,
    TableCard,
)
from tests.cast import House
from tests.factories import UserFactory
from tests.tournaments.cup_of_clubs import rows_of_a_cup
from tests.tournaments.rounds import close, create_round, create_tournament, entrants_of, hand_in


def rows_of_luck(house: House, evening: Evening) -> None:
    """Create a row of each model of luck."""
    LuckToCount.objects.get_or_create(club=house.club, defaults={"due_at": timezone.now()})
    nothing = {"pot_minor": 0, "pot_expected_minor": 0, "ante_minor": 20}
    row = LuckOfEvening.objects.create(
        evening=evening, club=house.club, season=house.season, held_on=evening.held_on, **nothing
    )
    player = Player.objects.filter(club=house.club).first()
    amounts = dict.fromkeys(("actual_minor", "expected_minor", "low_minor", "high_minor", "spread_minor"), 0)
    LuckOfPlayer.objects.create(evening=row, season=house.season, player=player, hands=0, **amounts)
    LuckOfAllClubs.objects.create(month=evening.held_on.replace(day=1))


def rows_of_a_tournament(house: House, evening: Evening) -> None:
    """Create a row of each model of tournaments."""
    tournament = create_tournament(house.club)
    entrants = entrants_of(tournament, 7)
    DeskMember.objects.create(tournament=tournament, user=house.recorder)
    OwnEntry.objects.create(tournament=tournament, name="Zora")
    TableCard.objects.create(tournament=tournament, table_number=1, code=f"code-{tournament.pk}", user=UserFactory())
    current = create_round(tournament, {1: [1, 2, 3], 2: [4, 5, 6]})
    close(current, {1: hand_in(current, 1, (3, -3, 0)), 2: hand_in(current, 2, (3, -3, 0))})
    substitute = {"left": entrants[0].player, "came": entrants[6].player}
    rows_of_a_cup(tournament, evening, entrants[0].player, house.member)
    Substitution.objects.create(entrant=entrants[0], from_round=2, **substitute)
    SeasonAward.objects.create(season=house.season, evening=evening, player=entrants[0].player, place=1, points=3)
