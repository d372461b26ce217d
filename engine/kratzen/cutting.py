"""K2 and K3: Muss or free hand, the antes, and the cuts that decide the dealer."""

from collections.abc import Sequence
from typing import Final

from engine.cuts import NO_EFFECT, CutCards, Cuts, no_cuts
from engine.errors import Fault, printable
from engine.kratzen.players import ACE, DECK, SEVEN, WELI
from engine.kratzen.rules import HouseRules

FEWEST_COINS: Final = 4
"""A pot of fewer coins is a remainder and cannot be played for (K2.1)."""

_WELI_SYMBOL: Final = "W"
_SHOWN: Final = CutCards(
    DECK,
    {name: _WELI_SYMBOL if name == WELI else name[0] if name[0] in (SEVEN, ACE) else NO_EFFECT for name in DECK.bit},
    (ACE, SEVEN, _WELI_SYMBOL, NO_EFFECT),
)
"""The symbol of each card's effect when a cut shows it (K3.1)."""

_STEP: Final = {SEVEN: -1, ACE: 1}
"""A seven passes the pack to the right, an ace to the left (K3.2)."""

CARDS_SHOWN: Final = 2
"""A cut shows the bottom card of the upper packet and, if that has an effect, the bottom card of the pack (K3.1)."""


def has_effect(card: str) -> bool:
    """Return True if a card has an effect when a cut shows it (K3.1)."""
    return _SHOWN.symbol_of[card] != NO_EFFECT


def is_muss(rules: HouseRules, pot_before: int) -> bool:
    """Return True if the pot is empty or only an indivisible remainder, so that the hand is a Muss (K2.1)."""
    return pot_before < FEWEST_COINS * rules.coin


def antes(rules: HouseRules, *, seats: int, dealer: int, muss: bool) -> tuple[int, ...]:
    """Return the antes by seat, in Rappen; ``dealer`` is the seat that has the pack before the cuts (K2.2, K2.3)."""
    ante = rules.unit if muss else 0
    return tuple(ante + (rules.unit if seat == dealer else 0) for seat in range(seats))


def cut(
    rules: HouseRules,
    *,
    seats: int,
    dealer: int,
    cuts: Sequence[Sequence[str]],
    with_symbols: bool,
    is_over: bool = True,
) -> Cuts:
    """Check the cuts and return the dealer and the payments (K3.1 to K3.4).

    ``with_symbols`` allows a symbol of the effect in place of a card. If ``is_over`` is false, the last cut or its
    second card may still be missing.
    """
    if is_over and not cuts:
        raise no_cuts("K3.4")
    payments = [0] * seats
    for number, cards in enumerate(cuts):
        path = f"cuts[{number}]"
        symbols = _symbols_of(cards, path, with_symbols)
        _check_length(symbols, path, is_last=number == len(cuts) - 1, is_over=is_over)
        for symbol in symbols:
            if symbol in _STEP:
                dealer = (dealer + _STEP[symbol]) % seats
                payments[dealer] += rules.unit
            elif symbol == _WELI_SYMBOL:
                payments = [paid + rules.unit for paid in payments]
    return Cuts(dealer, tuple(payments))


def _symbols_of(cards: Sequence[str], path: str, with_symbols: bool) -> list[str]:
    """Return the symbols of the cards of a cut; raise R2 for an unknown or repeated card."""
    symbols = []
    for place, name in enumerate(cards):
        symbol = _SHOWN.symbol(name, f"{path}[{place}]", with_symbols)
        if (name in _SHOWN.symbol_of and name in cards[:place]) or (symbol == _WELI_SYMBOL and symbol in symbols):
            raise Fault("R2", f"{path}[{place}]", f"The card {name} is shown twice in one cut.")
        symbols.append(symbol)
    return symbols


def _check_length(symbols: Sequence[str], path: str, *, is_last: bool, is_over: bool) -> None:
    """Check the number of cards of a cut (K3.1); only the last cut starts with a card without effect (K3.4)."""
    if is_last and is_over:
        if symbols != [NO_EFFECT]:
            raise Fault("K3.4", path, "The last cut shows one card, and that has no effect: no ace, no seven, no Weli.")
    elif symbols[:1] == [NO_EFFECT] and not (is_last and len(symbols) == 1):
        raise Fault("K3.4", path, "The first card of this cut has no effect, so it is the last card that is shown.")
    elif len(symbols) > CARDS_SHOWN or (len(symbols) < CARDS_SHOWN and not is_last):
        raise Fault(
            "K3.1",
            path,
            f"A cut that shows an ace, a seven or the Weli shows {CARDS_SHOWN} cards, not {printable(len(symbols))}.",
        )
