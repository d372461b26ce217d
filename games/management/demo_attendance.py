"""Who comes to the next evenings of the demo's first club."""

from __future__ import annotations

from league.attendance.reserves import reserves_set
from league.attendance.services import answer_set
from league.models import Player, Season, User
from league.standings.plan_services import planned_change

LEAST = 4
RESERVES = ("Housi", "Gian")
ANSWERS = (
    {"Anna": "yes", "Beni": "yes", "Doris": "yes", "Carlo": "no"},
    {"Doris": "yes", "Anna": "open"},
)
"""The answers to the next evenings, the nearest first. At the first one a player is missing."""


def load(season: Season, owner: User) -> None:
    """Enter answers to the next evenings of a season, and the reserves of its club."""
    players = {player.nickname: player for player in Player.objects.filter(club=season.club)}
    reserves_set(club=season.club, players=[players[name].pk for name in RESERVES], actor=owner)
    for planned, answers in zip(season.plan.order_by("held_on"), ANSWERS, strict=False):
        planned_change(planned=planned, actor=owner, changes={"least_players": LEAST})
        for name, answer in answers.items():
            answer_set(planned=planned, player=players[name], answer=answer, actor=owner, recorder=True)
