"""The formulas of the speed table: together they have every kind of part, those of persons among them."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Max, Min, QuerySet

from league.models import EveningScore, Player, Season
from league.standings.formula.parts import TIES, Values, read
from league.standings.formula.services import adjustment_add, formula_set
from league.standings.formula.team_services import stay_set, team_add

PARTS: Values = {
    "best": 30,
    "best_of": 40,
    "drop": 1,
    "drop_one_more_every": 3,
    "attendance_minimum": 2,
    "hands_minimum": 10,
    "hands_minimum_evening": 2,
    "attendance_bonus": 1,
    "absences": "zero",
    "guests": False,
    "tournaments": False,
    "team_best": 5,
    "ties": list(TIES),
    "lot_seed": "7",
}
FORMULAS: dict[str, Values] = {
    "points": PARTS | {"counts": "points"},
    "amounts": PARTS | {"counts": "net", "attendance_bonus": 0},
    "places": PARTS | {"counts": "places", "places": [10, 8, 6, 5, 4, 3, 2, 1]},
    "average a hand": PARTS | {"counts": "average_hand", "absences": "skip"},
    "average an evening": PARTS | {"counts": "average_evening"},
    "places by amounts": PARTS
    | {"counts": "places", "places": [10, 8, 6, 5, 4, 3, 2, 1], "places_by": "net", "games": "chratze"},
}
"""For each value that an evening can have, a formula with all parts that go with it; `ranked` adds those of persons."""
HEAVIEST = FORMULAS["average an evening"]
TEAMS = ("Eicheln", "Rosen", "Schellen", "Schilten")
WITH_HANDICAP, MOVING, PUNISHED = 3, 5, 7
"""Every third player has a handicap, every fifth changes the team, every seventh has a penalty and a bonus."""


def ranked(season: Season, values: Values) -> Season:
    """Rank a counted season by a formula with the parts that name persons, as far as they go with it: handicaps, teams
    of all players, penalties and bonuses. Returns the season as stored."""
    nights = EveningScore.objects.filter(season=season)
    players = list(Player.objects.filter(pk__in=nights.values("player"), main__isnull=True).order_by("pk"))
    if not players:
        raise RuntimeError(f"{season} has no players")
    if not read(values).by_amounts:
        values = values | {"handicap": {str(player.pk): 1 + player.pk % 3 for player in players[::WITH_HANDICAP]}}
    season = formula_set(season=season, actor=None, values=values)
    if not season.teams.exists():
        _put_into_teams(season, players, nights)
    if not read(values).in_money and not season.adjustments.exists():
        for player in players[::PUNISHED]:
            for points in (-2, 3):
                adjustment_add(season=season, player=player, points=points, reason="bench", actor=None)
    return Season.objects.select_related("club").get(pk=season.pk)


def _put_into_teams(season: Season, players: Sequence[Player], nights: QuerySet[EveningScore]) -> None:
    days = nights.aggregate(first=Min("evening__held_on"), last=Max("evening__held_on"))
    teams = [team_add(season=season, name=name, actor=None) for name in TEAMS]
    for number, player in enumerate(players):
        team = number % len(teams)
        stay_set(season=season, player=player, team=teams[team], since=days["first"], actor=None)
        if number % MOVING == 0:
            stay_set(season=season, player=player, team=teams[team - 1], since=days["last"], actor=None)
