"""A plain model of a league in lists and dictionaries, without SQL and engine: the product must agree with it.

The settlement is written from the rulebook (C6) a second time, on purpose and in another way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from .plain_model_kratzen import PlainKratzenTable

STAKE, ROUNDING, COIN = 20, 20, 5
POINTS = {("declarer", True): 2, ("declarer", False): -2, ("joiner", True): 1, ("joiner", False): -1}


@dataclass(frozen=True)
class PlainHand:
    """A hand as a club records it, with pot, dealer and deal number before it."""

    evening: int
    players: tuple[str, ...]
    declarer: int | None
    joiners: tuple[int, ...]
    made: frozenset[int]
    pot_before: int
    dealer: str
    deal_number: int
    muss = False

    @property
    def pot(self) -> int:
        """The pot of the hand, P in C6."""
        return self.pot_before + STAKE * len(self.players)

    def changes(self) -> list[int]:
        """Return the gain or loss of each seat, in Rappen (C6.3 to C6.8, default house rules)."""
        change = [-STAKE] * len(self.players)
        if self.declarer is None:
            return change
        if not self.joiners:
            change[self.declarer] += self.pot
            return change
        winners = sorted(self.made)
        if len(winners) == 1:
            change[winners[0]] += self.pot
        elif self.declarer in self.made:
            third = min(self.pot, ((2 * self.pot + 2) // 3 + ROUNDING - 1) // ROUNDING * ROUNDING)
            others = [w for w in winners if w != self.declarer]
            each = (self.pot - third) // (COIN * len(others)) * COIN
            for seat in others:
                change[seat] += each
            change[self.declarer] += self.pot - each * len(others)
        else:
            each = self.pot // (COIN * len(winners)) * COIN
            for seat in winners:
                change[seat] += each
        if self.declarer not in self.made:
            change[self.declarer] -= 2 * self.pot
        for seat in self.joiners:
            if seat not in self.made:
                change[seat] -= self.pot
        return change

    def points(self, seat: int) -> int:
        """Return the season points of a seat, with the season's default scheme."""
        if seat == self.declarer and not self.joiners:
            return 1
        if seat == self.declarer:
            return POINTS["declarer", seat in self.made]
        return POINTS["joiner", seat in self.made] if seat in self.joiners else 0


@dataclass
class PlainTable:
    """A table: its players by seat, its hands, and the next dealer."""

    evening: int
    players: tuple[str, ...]
    dealer: str
    pot: int = 0
    deal_number: int = 1
    hands: list[PlainHand] = field(default_factory=list)

    def enter(self, declarer: int | None, joiners: tuple[int, ...], made: frozenset[int]) -> PlainHand:
        """Play a hand (C2.3, C2.4: the same dealer deals again when nobody declared)."""
        hand = PlainHand(self.evening, self.players, declarer, joiners, made, self.pot, self.dealer, self.deal_number)
        self.hands.append(hand)
        self.pot -= sum(hand.changes())
        if declarer is None:
            self.deal_number += 1
        else:
            self.deal_number = 1
            self.dealer = self.players[(self.players.index(self.dealer) + 1) % len(self.players)]
        return hand

    def void(self) -> PlainHand:
        """Remove the last hand."""
        hand = self.hands.pop()
        self.pot, self.dealer, self.deal_number = hand.pot_before, hand.dealer, hand.deal_number
        return hand

    def replay(self, hands: list[PlainHand]) -> None:
        """Play these hands from the beginning; only declarer, joiners and made of each are used."""
        self.pot, self.deal_number = 0, 1
        self.dealer = self.hands[0].dealer if self.hands else self.dealer
        self.hands = []
        for hand in hands:
            self.enter(hand.declarer, hand.joiners, hand.made)


AnyTable = PlainTable | PlainKratzenTable


def balances(tables: list[AnyTable], mains: Mapping[str, str] = MappingProxyType({})) -> dict[str, int]:
    """Return Rappen by player; a merged player counts for its main player (`mains`)."""
    total: dict[str, int] = defaultdict(int)
    for table in tables:
        for hand in table.hands:
            for player, change in zip(hand.players, hand.changes(), strict=True):
                total[mains.get(player, player)] += change
    return dict(total)


def standings(tables: list[AnyTable], best: int | None, mains: Mapping[str, str]) -> dict[str, tuple[int, ...]]:
    """Return by player: rank, points, balance, evenings, hands, declared, made, joined, made, walkovers, musses, made.

    A merged player counts for its main player (`mains`).
    """
    evenings: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    counts: dict[str, list[int]] = defaultdict(lambda: [0] * 8)
    for table in tables:
        for hand in table.hands:
            for seat, name in enumerate(hand.players):
                player = mains.get(name, name)
                evenings[player][hand.evening] += hand.points(seat)
                played = bool(hand.joiners)
                declares, joins = seat == hand.declarer and not hand.muss, seat in hand.joiners and not hand.muss
                for n, holds in enumerate(
                    (
                        True,
                        declares,
                        declares and played and seat in hand.made,
                        joins,
                        joins and seat in hand.made,
                        declares and not played,
                        hand.muss,
                        hand.muss and seat in hand.made,
                    )
                ):
                    counts[player][n] += holds
    points = {player: sum(sorted(scores.values(), reverse=True)[:best]) for player, scores in evenings.items()}
    money = balances(tables, mains)
    return {
        player: (
            1 + sum(other > points[player] for other in points.values()),
            points[player],
            money[player],
            len(evenings[player]),
            *counts[player],
        )
        for player in evenings
    }
