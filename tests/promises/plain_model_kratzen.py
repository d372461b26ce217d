"""The plain model of a table of Kratzen: the settlement (K2, K3, K8) written a second time, in another way."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

UNIT, COIN = 10, 5


@dataclass(frozen=True)
class PlainKratzen:
    """A hand as a club records it: cards shown at the cuts (A, 7, W, x), players, and tricks by seat."""

    evening: int
    players: tuple[str, ...]
    dealer: str
    pot_before: int
    cuts: str
    seven: bool
    declarer: int | None
    joiners: tuple[int, ...]
    tricks: tuple[int, ...]

    @property
    def began_as_muss(self) -> bool:
        """Return True if the pot demands a Muss (K2.1)."""
        return self.pot_before < 4 * COIN

    @property
    def muss(self) -> bool:
        """Return True if everybody had to play."""
        return self.began_as_muss or self.seven

    @property
    def made(self) -> frozenset[int]:
        """Return the seats that reached the goal (K8.1)."""
        if self.declarer is None or not self.joiners:
            return frozenset()
        goals = dict.fromkeys(self.joiners, 1) | {self.declarer: 1 if self.seven else 2}
        return frozenset(seat for seat, goal in goals.items() if self.tricks[seat] >= goal)

    def office(self) -> tuple[int, list[int]]:
        """Return the dealer after the cuts, and the payments of each seat for ante and cuts (K2.2, K2.3, K3.2)."""
        many = len(self.players)
        dealer = self.players.index(self.dealer)
        paid = [UNIT if self.began_as_muss else 0] * many
        paid[dealer] += UNIT
        for card in self.cuts:
            if card == "W":
                paid = [amount + UNIT for amount in paid]
            elif card in "A7":
                dealer = (dealer + (1 if card == "A" else many - 1)) % many
                paid[dealer] += UNIT
        return dealer, paid

    def changes(self) -> list[int]:
        """Return the gain or loss of each seat, in Rappen, with the default house rules."""
        _dealer, paid = self.office()
        change = [-amount for amount in paid]
        pot = self.pot_before + sum(paid)
        if self.declarer is None:
            return change
        quarter = pot // (4 * COIN) * COIN
        if not self.joiners:
            change[self.declarer] += 4 * quarter
            return change
        for seat in (self.declarer, *self.joiners):
            if not self.muss:
                change[seat] += quarter * self.tricks[seat]
            if seat not in self.made:
                change[seat] -= 2 * pot if seat == self.declarer else pot
        return change

    def points(self, seat: int) -> int:
        """Return the season points of a seat; in a Muss every seat scores as a joiner."""
        active = self.declarer is not None and seat in (self.declarer, *self.joiners)
        if not active:
            return 0
        if not self.joiners:
            return 1
        worth = 2 if seat == self.declarer and not self.muss else 1
        return worth if seat in self.made else -worth


@dataclass
class PlainKratzenTable:
    """A table of Kratzen: its hands, its dealer and its pot."""

    evening: int
    players: tuple[str, ...]
    dealer: str
    pot: int = 0
    deal_number: int = 1
    hands: list[PlainKratzen] = field(default_factory=list)

    def next(self, cuts: str, seven: bool) -> PlainKratzen:
        """Return the next hand without calls."""
        nobody = (0,) * len(self.players)
        return PlainKratzen(self.evening, self.players, self.dealer, self.pot, cuts, seven, None, (), nobody)

    def enter(self, hand: PlainKratzen) -> None:
        """Play a hand (K8.6: the next dealer is left of the dealer)."""
        self.hands.append(hand)
        self.pot -= sum(hand.changes())
        self.dealer = self.players[(hand.office()[0] + 1) % len(self.players)]

    def void(self) -> PlainKratzen:
        """Remove the last hand."""
        hand = self.hands.pop()
        self.pot, self.dealer = hand.pot_before, hand.dealer
        return hand

    def replay(self, hands: list[PlainKratzen]) -> bool:
        """Play these hands from the beginning, each with its own dealer.

        Return False and change nothing if a hand would become a Muss or stop being one (K2.1).
        """
        pot, again = 0, []
        for hand in hands:
            again.append(replace(hand, pot_before=pot))
            if again[-1].muss != hand.muss:
                return False
            pot -= sum(again[-1].changes())
        self.pot, self.hands = pot, again
        return True
