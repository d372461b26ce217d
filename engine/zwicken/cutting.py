"""Z2: the stake of the dealer, and the cuts that move the deal."""

from collections.abc import Sequence
from typing import Final

from engine.cuts import NO_EFFECT, CutCards, Cuts, no_cuts
from engine.errors import Fault
from engine.zwicken.players import ACE, BELLI, DECK, SEVEN
from engine.zwicken.rules import HouseRules

_BELLI_SYMBOL: Final = "B"
SYMBOLS: Final = (ACE, SEVEN, _BELLI_SYMBOL, NO_EFFECT)

_SHOWN: Final = CutCards(
    DECK,
    {name: _BELLI_SYMBOL if name == BELLI else name[0] if name[0] in (SEVEN, ACE) else NO_EFFECT for name in DECK.bit},
    SYMBOLS,
)


def has_effect(card: str) -> bool:
    """Return True if a card moves the deal when a cut shows it (Z2.3)."""
    return _SHOWN.symbol_of[card] != NO_EFFECT


def antes(rules: HouseRules, *, seats: int, dealer: int) -> tuple[int, ...]:
    """Return the payments for the deal by seat, in Rappen: the first dealer's stake (Z2.2, Z2.5)."""
    return tuple(rules.stake if seat == dealer else 0 for seat in range(seats))


def cut(
    rules: HouseRules, *, seats: int, dealer: int, cuts: Sequence[str], with_symbols: bool, is_over: bool = True
) -> Cuts:
    """Check the cuts and return the dealer and the payments (Z2.3, Z2.4).

    ``with_symbols`` allows a symbol of the effect in place of a card. If ``is_over`` is false, further cuts may follow.
    """
    if not rules.cut_moves:
        if cuts:
            raise Fault("Z2.3", "cuts", "By the house rules no cut moves the deal, so the field cuts must be empty.")
        return Cuts(dealer, (0,) * seats)
    if is_over and not cuts:
        raise no_cuts("Z2.4")
    payments = [0] * seats
    for number, name in enumerate(cuts):
        path, is_last = f"cuts[{number}]", number == len(cuts) - 1
        symbol = _SHOWN.symbol(name, path, with_symbols)
        if symbol == NO_EFFECT and not is_last:
            raise Fault("Z2.4", path, "This card has no effect, so it is the last card that is shown.")
        if symbol != NO_EFFECT and is_last and is_over:
            raise Fault("Z2.4", path, "The last cut shows a card without effect: no ace and no seven.")
        for _ in range(_steps(symbol, rules)):
            dealer = (dealer + 1) % seats
            payments[dealer] += rules.stake
    return Cuts(dealer, tuple(payments))


def _steps(symbol: str, rules: HouseRules) -> int:
    """Return how many seats the deal moves to the left: a hop, or a jump; each of these seats pays (Z2.3)."""
    if symbol == NO_EFFECT:
        return 0
    return 2 if symbol == _BELLI_SYMBOL and rules.seven else 1
