"""K2 and K3: Muss or free hand, the antes, and the cut that hops and jumps with the pack."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.cards import unknown_card
from engine.errors import Fault, shown
from engine.kratzen.players import ACE, DECK, SEVEN, WELI
from engine.rules import KratzenRules

FEWEST_COINS: Final = 4
"""K2.1: a pot of fewer coins is a remainder and cannot be played for."""

_WELI_SHOWN, _NO_EFFECT = "W", "x"
_KINDS: Final = {
    name: _WELI_SHOWN if name == WELI else name[0] if name[0] in (SEVEN, ACE) else _NO_EFFECT for name in DECK.bit
}
"""What each card does when it is shown by the cut, by name (K3.1)."""

_SYMBOLS: Final = (ACE, SEVEN, _WELI_SHOWN, _NO_EFFECT)
_STEP: Final = {SEVEN: -1, ACE: 1}
"""K3.2: a seven passes the pack to the right, an ace to the left."""

CARDS_SHOWN: Final = 2
"""K3.1: the bottom card of the upper packet, and after one with effect the bottom card of the pack."""


class Cuts(NamedTuple):
    """K3: the seat that deals, and what each seat has paid for the cuts, in Rappen."""

    dealer: int
    payments: tuple[int, ...]


def effect_of(card: str) -> bool:
    """K3.1: whether another card is shown after this one."""
    return _KINDS[card] != _NO_EFFECT


def is_muss(rules: KratzenRules, pot_before: int) -> bool:
    """K2.1: nothing lies there, or only an indivisible remainder."""
    return pot_before < FEWEST_COINS * rules.coin


def antes(rules: KratzenRules, *, seats: int, dealer: int, muss: bool) -> tuple[int, ...]:
    """K2.2, K2.3: what each seat pays before the cut, in Rappen; ``dealer`` is who has the pack."""
    everybody = rules.unit if muss else 0
    return tuple(everybody + (rules.unit if seat == dealer else 0) for seat in range(seats))


def cut(
    rules: KratzenRules,
    *,
    seats: int,
    dealer: int,
    cuts: Sequence[Sequence[str]],
    with_symbols: bool,
    is_over: bool = True,
) -> Cuts:
    """K3.1 to K3.4: who deals after the cuts, and who has paid.

    ``with_symbols`` allows a card to be told by its effect alone; without ``is_over`` the last cut may still be
    missing, or the second card of it.
    """
    if is_over and not cuts:
        raise Fault("K3.4", "cuts", "Rearhand cuts until a card without effect is shown; no cut is there.")
    payments = [0] * seats
    for number, cards in enumerate(cuts):
        at = f"cuts[{number}]"
        kinds = _kinds_of(cards, at, with_symbols)
        _check_length(kinds, at, is_last=number == len(cuts) - 1, is_over=is_over)
        for kind in kinds:
            if kind in _STEP:
                dealer = (dealer + _STEP[kind]) % seats
                payments[dealer] += rules.unit
            elif kind == _WELI_SHOWN:
                payments = [paid + rules.unit for paid in payments]
    return Cuts(dealer, tuple(payments))


def _kinds_of(cards: Sequence[str], at: str, with_symbols: bool) -> list[str]:
    """R2, then what each card of a cut does."""
    kinds = []
    for place, name in enumerate(cards):
        kind = name if with_symbols and name in _SYMBOLS else _KINDS.get(name)
        if kind is None:
            raise unknown_card(name, f"{at}[{place}]", DECK)
        if (name in _KINDS and name in cards[:place]) or (kind == _WELI_SHOWN and kind in kinds):
            raise Fault("R2", f"{at}[{place}]", f"The card {name} is shown twice in one cut.")
        kinds.append(kind)
    return kinds


def _check_length(kinds: Sequence[str], at: str, *, is_last: bool, is_over: bool) -> None:
    """K3.1, K3.4: how many cards a cut shows, and which cut is the last."""
    if is_last and is_over:
        if kinds != [_NO_EFFECT]:
            raise Fault("K3.4", at, "The last cut shows one card, and that has no effect: no ace, no seven, no Weli.")
    elif kinds[:1] == [_NO_EFFECT] and not (is_last and len(kinds) == 1):
        raise Fault("K3.4", at, "The first card of this cut has no effect, so it is the last card that is shown.")
    elif len(kinds) > CARDS_SHOWN or (len(kinds) < CARDS_SHOWN and not is_last):
        raise Fault(
            "K3.1",
            at,
            f"A cut that shows an ace, a seven or the Weli shows {CARDS_SHOWN} cards, not {shown(len(kinds))}.",
        )
