"""K1: the number of seats, and the pack with the Weli."""

from typing import Final

from engine.cards import BIT, SUITS, Deck
from engine.errors import Fault, printable
from engine.seats import check_seat
from engine.tricks import Goals

NAME_OF_GAME: Final = "kratzen"

FEWEST_SEATS: Final = 3
MOST_SEATS: Final = 6

TRICKS: Final = 4
"""The tricks of a hand (K7.1)."""

GOALS: Final = Goals(declarer=2, joiner=1)
SEVEN_GOALS: Final = Goals(declarer=1, joiner=1)
"""The tricks that a seat needs, the latter in a Siebenermuss (K8.1)."""

WELI: Final = "6d"
SEVEN, ACE = "7", "A"
"""The ranks that pass the pack to another seat (K3.2); a turned seven also makes a Siebenermuss (K4.2)."""

_DESCRIPTION: Final = "a card is a rank of AKQJT987 and a suit of shdc, or 6d, the Weli"
_PLAIN: Final = {name: bit for name, bit in BIT.items() if name[0] != "6"}
_SUITS: Final = {suit: sum(bit for name, bit in _PLAIN.items() if name[1] == suit) for suit in SUITS}

DECK: Final = Deck(
    _PLAIN | {WELI: BIT[WELI]}, {bit: _SUITS[name[1]] for name, bit in _PLAIN.items()} | {BIT[WELI]: 0}, _DESCRIPTION
)
"""The cards while no suit is trump (K1.2); the Weli then has no suit (K5.3)."""

PACK: Final[int] = sum(DECK.bit.values())


def _deck_of(trump: str) -> Deck:
    """Return the deck of a trump suit; the Weli's bit is the free one between trump king and trump ace (K1.3)."""
    weli = BIT["K" + trump] << 1
    suits = _SUITS | {trump: _SUITS[trump] | weli}
    bit = _PLAIN | {WELI: weli}
    return Deck(bit, {bit[name]: suits[trump if name == WELI else name[1]] for name in bit}, _DESCRIPTION)


DECKS: Final[dict[int, Deck]] = {_SUITS[suit]: _deck_of(suit) for suit in SUITS}
"""The deck of each trump suit, by the bits of that suit without the Weli."""


def trumps(deck: Deck) -> int:
    """Return the bits of all trumps, the Weli included."""
    return deck.suit_of[deck.bit[WELI]]


def with_weli_as_trump(deck: Deck, cards: int) -> int:
    """Move the Weli from its bit in `DECK` to its bit among the trumps of a deck (K1.3)."""
    weli = DECK.bit[WELI]
    return cards ^ weli | deck.bit[WELI] if cards & weli else cards


def check_players(seats: int, dealer: int) -> None:
    """Check the number of seats (K1.1) and the seat that has the pack (R3)."""
    if not FEWEST_SEATS <= seats <= MOST_SEATS:
        raise Fault(
            "K1.1", "seats", f"Kratzen is played by {FEWEST_SEATS} to {MOST_SEATS} seats, not {printable(seats)}."
        )
    check_seat(dealer, seats, "dealer")
