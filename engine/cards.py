"""The pack: cards as bits, so that a hand, the stock and a suit are plain ints (C1.2, C1.3).

A card's name is rank then suit (``"Ah"``). Each suit owns ten neighbouring bits, low card low bit. The bit
between king and ace stays free: in Kratzen the Weli stands there, in whatever suit is trump. So in both games
the highest card of a suit is the highest bit of that suit.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from engine.errors import Fault, shown

_PLACES: Final = {"6": 0, "7": 1, "8": 2, "9": 3, "T": 4, "J": 5, "Q": 6, "K": 7, "A": 9}
RANKS: Final = "".join(_PLACES)
SUITS: Final = "shdc"

BIT: Final[dict[str, int]] = {
    rank + suit: 1 << (10 * number + place) for number, suit in enumerate(SUITS) for rank, place in _PLACES.items()
}
NAME: Final[dict[int, str]] = {bit: name for name, bit in BIT.items()}
PACK: Final[int] = sum(BIT.values())
SUIT_OF: Final[dict[int, int]] = {
    bit: sum(other for other_name, other in BIT.items() if other_name[1] == name[1]) for name, bit in BIT.items()
}
"""The bits of all the cards of a card's suit, by the card's bit."""


class Deck(NamedTuple):
    """The cards of a game: their bits by name, the bits of a card's suit by the card's bit, and how a message
    says which cards there are."""

    bit: Mapping[str, int]
    suit_of: Mapping[int, int]
    said: str


DECK: Final = Deck(BIT, SUIT_OF, "a card is a rank of AKQJT9876 and a suit of shdc")
"""Chratze's (C1.2). Kratzen has one for each trump, as the Weli moves (engine/kratzen/players.py)."""


def mask_of(cards: Iterable[str], bit: Mapping[str, int] = BIT) -> int:
    """The bits of some cards by name; raises KeyError where there is no such card.

    A card that stands twice carries over into other bits: the mask has as many bits as there were names exactly if
    all of them differ.
    """
    return sum(map(bit.__getitem__, cards))


def highest(cards: int) -> int:
    """The highest of some cards of one suit (C1.3)."""
    return 1 << (cards.bit_length() - 1)


def six_of(suit: int) -> int:
    """The lowest card of a suit: its six."""
    return suit & -suit


def names(cards: int, deck: Deck = DECK) -> str:
    """The names of some cards for a message: ``"9d Td Ah"``."""
    return " ".join(name for name, bit in deck.bit.items() if bit & cards)


def unknown_card(name: str, at: str, deck: Deck = DECK) -> Fault:
    """R2: a word that names no card of the pack."""
    return Fault("R2", at, f"There is no card {shown(name)} in this game: {deck.said}.")
