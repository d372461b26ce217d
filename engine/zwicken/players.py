"""Z1: the number of seats, and the pack with the seven of Schellen."""

from typing import Final, NamedTuple

from engine.cards import BIT, SUITS, Deck
from engine.errors import Fault, printable
from engine.seats import check_seat

NAME_OF_GAME: Final = "zwicken"

FEWEST_SEATS: Final = 3
MOST_SEATS: Final = 6

TRICKS: Final = 3
"""The tricks of a hand (Z6.1)."""

GOAL: Final = 1
"""The tricks that a seat needs; there is no declarer (Z4.2)."""

BELLI: Final = "7d"
"""The seven of Schellen, the second highest trump whatever the trump (Z1.3)."""

SEVEN, ACE = "7", "A"
"""The ranks that pass the deal to another seat (Z2.3)."""

_DESCRIPTION: Final = "a card is a rank of AKQJT987 and a suit of shdc"
_PLAIN: Final = {name: bit for name, bit in BIT.items() if name[0] != "6"}
_SUITS: Final = {suit: sum(bit for name, bit in _PLAIN.items() if name[1] == suit) for suit in SUITS}

DECK: Final = Deck(_PLAIN, {bit: _SUITS[name[1]] for name, bit in _PLAIN.items()}, _DESCRIPTION)
"""The cards while no suit is trump, or without the house rule ``seven`` (Z1.2)."""

PACK: Final[int] = sum(DECK.bit.values())


def _deck_of(trump: str) -> Deck:
    """Return the deck of a trump suit; the seven's bit is the free one between trump king and trump ace (Z1.3)."""
    belli = BIT["K" + trump] << 1
    bit = dict(sorted((_PLAIN | {BELLI: belli}).items(), key=lambda card: card[1]))
    suits = _SUITS | {"d": _SUITS["d"] ^ BIT[BELLI]}
    suits[trump] |= belli
    return Deck(bit, {bit[name]: suits[trump if name == BELLI else name[1]] for name in bit}, _DESCRIPTION)


_DECKS: Final = {suit: _deck_of(suit) for suit in SUITS}


class Trump(NamedTuple):
    """The deck of a hand, and the bits of its trumps."""

    deck: Deck
    suit: int


def trump_of(turned: str, *, seven: bool) -> Trump:
    """Return the deck and the trumps that the turned card decides; ``seven`` is the house rule (Z1.3, Z3.1, Z3.2)."""
    deck = _DECKS[turned[1]] if seven else DECK
    return Trump(deck, deck.suit_of[deck.bit[turned]])


def in_deck(deck: Deck, cards: int) -> int:
    """Move the seven of Schellen from its bit in `DECK` to its bit in another deck (Z1.3)."""
    belli = DECK.bit[BELLI]
    return cards ^ belli | deck.bit[BELLI] if cards & belli else cards


def check_players(seats: int, dealer: int) -> None:
    """Check the number of seats (Z1.1) and the seat that has the pack (R3)."""
    if not FEWEST_SEATS <= seats <= MOST_SEATS:
        raise Fault(
            "Z1.1", "seats", f"Zwicken is played by {FEWEST_SEATS} to {MOST_SEATS} seats, not {printable(seats)}."
        )
    check_seat(dealer, seats, "dealer")
