"""The hands of an evening that count, in the order in which they were played, with the points of each seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from league.models import Evening, Season
from league.standings.points import hand_points

from .. import engine_bridge
from ..hands.selectors import HandView
from ..models import Table


@dataclass(frozen=True)
class PlayedHand:
    """A hand that counts: its table, when it was entered, and the points of each seat. `nth` counts from 1 over all
    tables of the evening."""

    nth: int
    table: int
    at: datetime
    hand: HandView
    points: tuple[int, ...]

    @property
    def key(self) -> tuple[int, int]:
        """Table and number of the hand."""
        return self.table, self.hand.number

    @property
    def active(self) -> tuple[int, ...]:
        """The seats that played: the declarer, if there is one, and the joiners."""
        return tuple(engine_bridge.active_seats(self.hand.result))

    @property
    def shown_for(self) -> tuple[int, ...]:
        """The seats in whose list of hands it appears: those that played, and the Susi."""
        susi = self.hand.susi
        return self.active if susi is None or susi in self.active else (*self.active, susi)

    @property
    def players_shown(self) -> set[int]:
        """The players of these seats."""
        return {self.hand.player_ids[seat] for seat in self.shown_for}


def played_hands(evening: Evening, tables: Sequence[tuple[Table, Sequence[HandView]]]) -> list[PlayedHand]:
    """Return the hands of all tables (newest first at each) in the order of play, without voided ones."""
    played: list[PlayedHand] = []
    for table, hands in tables:
        later: datetime | None = None
        for hand in hands:
            # A hand that was corrected has the time of its correction; it was played before the hand after it.
            later = hand.at if later is None else min(later, hand.at)
            if not hand.voided:
                points = tuple(points_of(evening.season, hand, seat) for seat in range(len(hand.names)))
                played.append(PlayedHand(0, table.number, later, hand, points))
    played.sort(key=lambda played_hand: (played_hand.at, played_hand.table, played_hand.hand.number))
    return [
        PlayedHand(nth, played_hand.table, played_hand.at, played_hand.hand, played_hand.points)
        for nth, played_hand in enumerate(played, start=1)
    ]


def points_of(season: Season, hand: HandView, seat: int) -> int:
    """Return the points of a seat for a hand."""
    result = dict(hand.result)
    return hand_points(
        season,
        role=engine_bridge.role_of(result, seat),
        made=engine_bridge.made_goal(dict(hand.record), result, seat),
        walkover=hand.outcome == "walkover",
        muss=hand.muss,
    )
