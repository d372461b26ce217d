"""The cuts that decide the dealer: the effects of the cards shown; shared by the games that have them."""

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from engine.cards import Deck, unknown_card
from engine.errors import Fault

NO_EFFECT: Final = "x"
"""The symbol of a card without effect."""


class Cuts(NamedTuple):
    """The result of the cuts: the dealer, and the payments by seat, in Rappen."""

    dealer: int
    payments: tuple[int, ...]


class CutCards(NamedTuple):
    """The cards that a cut can show: the symbol of each card's effect, by name, and all symbols."""

    deck: Deck
    symbol_of: Mapping[str, str]
    symbols: Collection[str]

    def symbol(self, name: str, path: str, with_symbols: bool) -> str:
        """Return the symbol of a card, or of a symbol where these are allowed; raise R2 for anything else."""
        symbol = name if with_symbols and name in self.symbols else self.symbol_of.get(name)
        if symbol is None:
            raise unknown_card(name, path, self.deck)
        return symbol


def no_cuts(clause: str) -> Fault:
    """Return the fault of a hand that is not cut."""
    return Fault(clause, "cuts", "Rearhand cuts until a card without effect is shown; the list of cuts is empty.")
