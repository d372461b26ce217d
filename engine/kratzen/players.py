"""K1: who sits at the table, and the pack with the Weli."""

from typing import Final

from engine.cards import BIT, SUITS, Deck
from engine.errors import Fault, shown
from engine.seats import check_seat

FEWEST_SEATS: Final = 3
MOST_SEATS: Final = 6

WELI: Final = "6d"
SEVEN, ACE = "7", "A"
"""The ranks that move the pack (K3.2); a seven also makes a Siebenermuss (K4.2)."""

_SAID: Final = "a card is a rank of AKQJT987 and a suit of shdc, or 6d, the Weli"
_PLAIN: Final = {name: bit for name, bit in BIT.items() if name[0] != "6"}
_SUITS: Final = {suit: sum(bit for name, bit in _PLAIN.items() if name[1] == suit) for suit in SUITS}

DECK: Final = Deck(
    _PLAIN | {WELI: BIT[WELI]}, {bit: _SUITS[name[1]] for name, bit in _PLAIN.items()} | {BIT[WELI]: 0}, _SAID
)
"""K1.2: the cards as long as no suit is trump; the Weli is of no suit then (K5.3)."""

PACK: Final[int] = sum(DECK.bit.values())


def _deck_of(trump: str) -> Deck:
    """K1.3: the cards under a trump. The Weli's bit is the free one between the trump king and the trump ace."""
    weli = BIT["K" + trump] << 1
    suits = _SUITS | {trump: _SUITS[trump] | weli}
    bit = _PLAIN | {WELI: weli}
    return Deck(bit, {bit[name]: suits[trump if name == WELI else name[1]] for name in bit}, _SAID)


DECKS: Final[dict[int, Deck]] = {_SUITS[suit]: _deck_of(suit) for suit in SUITS}
"""The cards under each trump, by the plain bits of the trump suit."""


def trumps(deck: Deck) -> int:
    """The bits of all trumps, the Weli included."""
    return deck.suit_of[deck.bit[WELI]]


def under(deck: Deck, cards: int) -> int:
    """K1.3: the same cards once the trump is known: the Weli takes its place among the trumps."""
    weli = DECK.bit[WELI]
    return cards ^ weli | deck.bit[WELI] if cards & weli else cards


def check_players(seats: int, dealer: int) -> None:
    """K1.1, and R3 for the seat that has the pack."""
    if not FEWEST_SEATS <= seats <= MOST_SEATS:
        raise Fault("K1.1", "seats", f"Kratzen is played by {FEWEST_SEATS} to {MOST_SEATS} seats, not {shown(seats)}.")
    check_seat(dealer, seats, "dealer")
