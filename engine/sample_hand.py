"""The parts of a sample hand that all games share: the first fields, the stock, the hands and the tricks."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from engine.cards import highest
from engine.tricks import NEVER, legal_cards, rotated

Record = dict[str, Any]
Card = TypeVar("Card")


def first_fields(game: str, rules: Mapping[str, object], seats: int, dealer: int, pot_before: int) -> Record:
    """Return the fields of a record that are known before a hand; without house rules the field is absent."""
    record: Record = {"game": game, "seats": seats, "dealer": dealer, "pot_before": pot_before}
    return record | {"rules": dict(rules)} if rules else record


def counted_tricks(result: Mapping[str, Any]) -> dict[str, int]:
    """Return the tricks of a result as a tally has them."""
    return {str(seat): count for seat, count in enumerate(result["tricks"]) if count}


class SampleHand(Generic[Card]):
    """A hand while it is dealt and played, and its record. A card is a bit or a name, as suits the game."""

    def __init__(self, rng: random.Random, record: Record, stock: list[Card]) -> None:
        self.rng = rng
        self.record = record
        self.seats: int = record["seats"]
        self.stock = stock
        self.hands: list[list[Card]] = []

    def take_from_stock(self, count: int) -> list[Card]:
        """Return the top cards of the stock and remove them."""
        return [self.stock.pop() for _ in range(count)]

    def play_card(self, seat: int, legal: list[Card], led: int, on_table: int, is_last: bool) -> Card:
        """Return the card that the player at a seat chooses among the legal ones."""
        raise NotImplementedError

    def play_tricks(
        self,
        count: int,
        order: Sequence[int],
        bit: Callable[[Card], int],
        suit_of: Mapping[int, int],
        trump: int,
        must_beat: str = NEVER,
        must_trump: bool = True,
    ) -> list[list[Card]]:
        """Play all tricks; ``order`` are the active seats, the first leader first, ``trump`` the bits of the trumps."""
        tricks = []
        for _ in range(count):
            trick: list[Card] = []
            led = on_table = 0
            for seat in order:
                cards = self.hands[seat]
                held = sum(map(bit, cards))
                allowed = legal_cards(held, led or held, trump, on_table, must_beat, must_trump)
                legal = [card for card in cards if bit(card) & allowed]
                card = self.play_card(seat, legal, led, on_table, seat == order[-1])
                led = led or suit_of[bit(card)]
                cards.remove(card)
                trick.append(card)
                on_table |= bit(card)
            best = highest(on_table & trump or on_table & led)
            order = rotated(order, [bit(card) for card in trick].index(best))
            tricks.append(trick)
        return tricks
