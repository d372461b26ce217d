"""An open evening of five players, and the hands that are recorded in it."""

import datetime
import itertools
import uuid
from collections.abc import Iterator
from typing import Any

from games.evening.services import evening_start
from games.hands.services import hand_enter
from games.models import Table
from league.api_keys.services import key_create
from league.models import ApiToken, Club, Player, Season, User

CLUB, RECORDER = "sternen", "jakob@sternen.example"
OTHER_CLUB, OTHER_RECORDER = "roessli", "beni@roessli.example"
"""The club whose seasons `bench.copied_hands` copies."""
PLAYERS = 5

RECORDS: tuple[dict[str, Any], ...] = (
    {"declarer": 0, "joiners": [1, 2], "made": [1, 2]},
    {"declarer": 0, "joiners": [1], "made": [0, 1]},
    {"declarer": 0, "joiners": [1, 2, 3], "made": [0, 1]},
)
"""Tallies as a phone sends them, valid for every dealer: with two, one and three joiners."""


class RecordedEvening:
    """A new evening in a season of a club of the demo, and its recorder."""

    def __init__(self, club: str = CLUB, recorder: str = RECORDER, season: str | None = None) -> None:
        self.club = Club.objects.get(slug=club)
        self.recorder = User.objects.get(email=recorder)
        seasons = Season.objects.filter(club=self.club)
        self.season = seasons.get(slug=season) if season else seasons.latest("starts_on")
        self.players = list(Player.objects.filter(club=self.club).order_by("pk").values_list("pk", flat=True)[:PLAYERS])
        seating = [f"p{player}" for player in self.players]
        table = evening_start(
            club=self.club,
            season=self.season,
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

    @property
    def path(self) -> str:
        """The address of the hands of the table in the API."""
        return f"/api/v1/clubs/{self.club.slug}/tables/{self.table.pk}/hands"

    def recording_key(self) -> str:
        """Create an API key that may record hands; return its text."""
        return key_create(user=self.recorder, name="bench", scopes=[ApiToken.Scope.RECORD], club=self.club).text

    def record(self) -> None:
        """Store the next hand by the service."""
        answer = hand_enter(table=self.table, author=self.recorder, key=uuid.uuid4(), body=next(self.bodies))
        if answer.repeated:
            raise RuntimeError(f"a hand was not stored: {answer}")
