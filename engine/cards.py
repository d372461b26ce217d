"""The pack: cards as bits, so that a hand, the stock and a suit are plain ints (C1.2, C1.3).

A card's name is its rank and its suit (``"Ah"``). Each suit has ten adjacent bits; a higher card has a higher bit.
The bit between king and ace is free: in Kratzen the Weli uses that bit of the trump suit. So in both games the
highest card of a suit is the highest bit of that suit.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from engine.errors import Fault, printable

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
"""Maps a card's bit to the bits of all cards of its suit."""


class Deck(NamedTuple):
    """The cards of a game.

    ``bit`` maps a card's name to its bit, ``suit_of`` a card's bit to the bits of its suit. ``description`` names the
    game's cards in a fault message.
    """

    bit: Mapping[str, int]
    suit_of: Mapping[int, int]
    description: str


DECK: Final = Deck(BIT, SUIT_OF, "a card is a rank of AKQJT9876 and a suit of shdc")
"""The deck of Chratze (C1.2). Kratzen has one deck for each trump, because the Weli belongs to the trump suit."""


def mask_of(cards: Iterable[str], bit: Mapping[str, int] = BIT) -> int:
    """Return the bits of some cards, given by name.

    The bits are added, so a repeated card carries into other bits: the number of bits set equals the number of names
    if and only if all names differ. Callers use this to find repeated cards.

    Raises:
        KeyError: a name is no card.
    """
    return sum(map(bit.__getitem__, cards))


def highest(cards: int) -> int:
    """Return the highest of some cards of one suit (C1.3)."""
    return 1 << (cards.bit_length() - 1)


def six_of(suit: int) -> int:
    """Return the lowest card of a suit, its six."""
    return suit & -suit


def names(cards: int, deck: Deck = DECK) -> str:
    """Return the names of some cards for a message: ``"9d Td Ah"``."""
    return " ".join(name for name, bit in deck.bit.items() if bit & cards)


def unknown_card(name: str, path: str, deck: Deck = DECK) -> Fault:
    """Return the fault R2 for a name that is no card of the deck."""
    return Fault("R2", path, f"There is no card {printable(name)} in this game: {deck.description}.")


def wrong_deal(hands: Sequence[Sequence[str]], turned: Sequence[str], deck: Deck = DECK) -> Fault:
    """Return the fault R2 for the first card of a deal that does not exist or was dealt before.

    ``turned`` are several cards, or the only one by name.

    The deal must contain such a card: callers have compared the number of bits first (see `mask_of`).
    """
    places = [(name, f"deal.hands[{seat}][{n}]") for seat, cards in enumerate(hands) for n, name in enumerate(cards)]
    if isinstance(turned, str):
        places.append((turned, "deal.turned"))
    else:
        places += [(name, f"deal.turned[{n}]") for n, name in enumerate(turned)]
    dealt = [name for name, _ in places]
    name, path = next(
        card for number, card in enumerate(places) if card[0] not in deck.bit or card[0] in dealt[:number]
    )
    return (
        Fault("R2", path, f"The card {name} was dealt twice.") if name in deck.bit else unknown_card(name, path, deck)
    )
