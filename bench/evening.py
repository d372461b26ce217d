"""An open evening of five players, and the hands that are recorded in it."""

import datetime
import itertools
import uuid
from collections.abc import Iterator
from typing import Any

from games.evening.services import evening_start
from games.hands.services import hand_enter
from games.models import Table
from league.models import Club, Player, Season, User

CLUB, RECORDER = "sternen", "jakob@sternen.example"
PLAYERS = 5

RECORDS: tuple[dict[str, Any], ...] = (
    {"declarer": 0, "joiners": [1, 2], "made": [1, 2]},
    {"declarer": 0, "joiners": [1], "made": [0, 1]},
    {"declarer": 0, "joiners": [1, 2, 3], "made": [0, 1]},
)
"""Tallies as a phone sends them, valid for every dealer: with two, one and three joiners."""


class RecordedEvening:
    """An evening of the demo's club, and its recorder."""

    def __init__(self) -> None:
        self.club = Club.objects.get(slug=CLUB)
        self.recorder = User.objects.get(email=RECORDER)
        season = Season.objects.filter(club=self.club).latest("starts_on")
        self.players = list(Player.objects.filter(club=self.club).order_by("pk").values_list("pk", flat=True)[:PLAYERS])
        seating = [f"p{player}" for player in self.players]
        table = evening_start(
            club=self.club,
            season=season,
            author=self.recorder,
            seating=seating,
            first_dealer=seating[-1],
            held_on=datetime.date.today(),  # noqa: DTZ011 - the demo's own day
        )
        self.table = Table.objects.select_related("evening").get(pk=table.pk)
        self.bodies = self._bodies()

    def _bodies(self) -> Iterator[dict[str, Any]]:
        """Yield the body of one request after the other."""
        for number in itertools.count(1):
            yield {"number": number, "players": self.players, "record": RECORDS[number % len(RECORDS)]}

    def record(self) -> None:
        """Store the next hand by the service."""
        answer = hand_enter(table=self.table, author=self.recorder, key=uuid.uuid4(), body=next(self.bodies))
        if answer.status != 201 or answer.repeated:
            raise RuntimeError(f"a hand was not stored: {answer}")
