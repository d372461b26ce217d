"""Whether the declarer could reach his goal, had everybody seen all cards: an exact search of the tricks of a hand.

The declarer plays for his goal, all others together against it. A position has one of two values: he reaches it, or he
is stopped. Each card that changes the value is one that decided.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from engine.tricks import legal_cards

DECLARER: Final = 0
"""The declarer's place: places are the active seats in the order of play, the declarer first."""


class Turn(NamedTuple):
    """The place of a card, the card as it was played, and the cards that would have kept the value; all as bits."""

    place: int
    card: int
    keeping: tuple[int, ...]


class Verdict(NamedTuple):
    """``could`` is true if the declarer could reach his goal at the first lead; ``turns`` are the cards that changed
    that, by their number in the order of play from 0."""

    could: bool
    turns: Mapping[int, Turn]


class BestPlay:
    """Searches positions of one hand.

    ``trump`` are the bits of the trump suit, ``suit_of`` maps a card's bit to those of its suit, ``must_beat`` is the
    duty of `engine.tricks.legal_cards`.
    """

    def __init__(self, trump: int, suit_of: Mapping[int, int], must_beat: str) -> None:
        self.trump = trump
        self.suit_of = suit_of
        self.must_beat = must_beat
        self._known: dict[tuple[tuple[int, ...], int, int], bool] = {}

    def reaches(self, hands: tuple[int, ...], leader: int, goal: int) -> bool:
        """Return True if the declarer takes at least ``goal`` tricks from here on, whatever the others do.

        ``hands`` are the cards by place, as many each; ``leader`` is the place that leads.
        """
        if goal <= 0:
            return True
        if goal > hands[leader].bit_count():
            return False
        position = hands, leader, goal
        reached = self._known.get(position)
        if reached is None:
            reached = self._known[position] = self._card(hands, leader, (), goal)
        return reached

    def verdict(self, hands: Sequence[int], played: Sequence[int], goal: int) -> Verdict:
        """Return what the play of a hand decided. ``hands`` are the cards by place before the first lead, which is the
        declarer's; ``played`` are the cards in the order in which they were played, complete tricks."""
        held, leader, taken = tuple(hands), DECLARER, 0
        value = could = self.reaches(held, leader, goal)
        turns = {}
        for first in range(0, len(played), len(held)):
            table: tuple[int, ...] = ()
            for number, card in enumerate(played[first : first + len(held)], first):
                place = (leader + len(table)) % len(held)
                after = self._after(held, leader, table, card, goal - taken)
                if after != value:
                    turns[number] = Turn(place, card, self._keeping(held, leader, table, goal - taken, value))
                held, table, value = _without(held, place, card), (*table, card), after
            leader = (leader + self._winner(table)) % len(held)
            taken += leader == DECLARER
        return Verdict(could, turns)

    def _keeping(
        self, hands: tuple[int, ...], leader: int, table: tuple[int, ...], goal: int, value: bool
    ) -> tuple[int, ...]:
        place = (leader + len(table)) % len(hands)
        cards = _single(self._legal(hands[place], table))
        return tuple(card for card in cards if self._after(hands, leader, table, card, goal) == value)

    def _card(self, hands: tuple[int, ...], leader: int, table: tuple[int, ...], goal: int) -> bool:
        """Return the value where the next place plays a card to an unfinished trick."""
        place = (leader + len(table)) % len(hands)
        wanted = place == DECLARER
        cards = self._different(self._legal(hands[place], table), hands, table)
        return any(self._after(hands, leader, table, card, goal) == wanted for card in cards) == wanted

    def _after(self, hands: tuple[int, ...], leader: int, table: tuple[int, ...], card: int, goal: int) -> bool:
        """Return the value after one more card."""
        count = len(hands)
        hands, table = _without(hands, (leader + len(table)) % count, card), (*table, card)
        if len(table) < count:
            return self._card(hands, leader, table, goal)
        leader = (leader + self._winner(table)) % count
        return self.reaches(hands, leader, goal - (leader == DECLARER))

    def _legal(self, hand: int, table: tuple[int, ...]) -> int:
        if not table:
            return hand
        return legal_cards(hand, self.suit_of[table[0]], self.trump, sum(table), self.must_beat)

    def _different(self, cards: int, hands: Sequence[int], table: Sequence[int]) -> Iterator[int]:
        """Yield the cards, high ones first, without those that do the same as the next higher one: no other place has a
        card between both, and none lies on the table."""
        others = sum(hands) ^ cards | sum(table)
        while cards:
            card = 1 << (cards.bit_length() - 1)
            cards ^= card
            yield card
            suit = self.suit_of[card]
            while same := cards & suit:
                lower = 1 << (same.bit_length() - 1)
                if others & suit & (card - lower):
                    break
                cards ^= lower

    def _winner(self, table: Sequence[int]) -> int:
        """Return the place in the trick of the card that takes it (C5.5, K7.6)."""
        on_table = sum(table)
        best = on_table & self.trump or on_table & self.suit_of[table[0]]
        return table.index(1 << (best.bit_length() - 1))


def _without(hands: tuple[int, ...], place: int, card: int) -> tuple[int, ...]:
    return (*hands[:place], hands[place] ^ card, *hands[place + 1 :])


def _single(cards: int) -> Iterator[int]:
    while cards:
        card = cards & -cards
        yield card
        cards ^= card
