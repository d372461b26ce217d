"""K4: the deal, the turned card, and the seven that makes a Muss of any hand."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.cards import mask_of, unknown_card
from engine.errors import Fault
from engine.kratzen.players import DECK, PACK, SEVEN, WELI
from engine.record import KratzenFull
from engine.rules import KratzenRules

HAND: Final = 4
"""Cards dealt to a seat (K4.1), and cards in its hand when play starts (K6.5)."""

OFF, ANY = "off", "any"
"""``seven_muss``: no Siebenermuss at all, and one by a card turned later as well."""


class Dealt(NamedTuple):
    """K4.1: card bits by seat (the dealer's with the turned cards), the card that decided the trump, the stock."""

    hands: list[int]
    turned: str
    stock: int


def deal(hand: KratzenFull, dealer: int) -> Dealt:
    """K4.1: four cards each and one turned, or the Weli and another; R2 for a card that is not there or lies twice."""
    seats = hand.table.seats
    if len(hand.hands) != seats:
        raise Fault("K4.1", "deal.hands", f"Each of the {seats} seats has a hand; there are {len(hand.hands)}.")
    for seat, cards in enumerate(hand.hands):
        if len(cards) != HAND:
            raise Fault("K4.1", f"deal.hands[{seat}]", f"Seat {seat} is dealt {HAND} cards, not {len(cards)}.")
    if not 1 <= len(hand.turned) <= 2:
        raise Fault(
            "K4.1", "deal.turned", f"One card is turned, after the Weli another one: not {len(hand.turned)} cards."
        )
    try:
        hands = [mask_of(cards, DECK.bit) for cards in hand.hands]
        turned = mask_of(hand.turned, DECK.bit)
    except KeyError:
        raise _wrong_card(hand) from None
    dealt = sum(hands) + turned
    if dealt.bit_count() != seats * HAND + len(hand.turned):
        raise _wrong_card(hand)
    _check_turned(hand.turned)
    hands[dealer] |= turned
    return Dealt(hands, hand.turned[-1], PACK ^ dealt)


def _wrong_card(hand: KratzenFull) -> Fault:
    """R2: the first card of the deal that does not exist or was dealt before."""
    places = [
        (name, f"deal.hands[{seat}][{n}]") for seat, cards in enumerate(hand.hands) for n, name in enumerate(cards)
    ]
    places += [(name, f"deal.turned[{n}]") for n, name in enumerate(hand.turned)]
    names = [name for name, _ in places]
    name, at = next(card for number, card in enumerate(places) if card[0] not in DECK.bit or card[0] in names[:number])
    if name not in DECK.bit:
        return unknown_card(name, at, DECK)
    return Fault("R2", at, f"The card {name} was dealt twice.")


def _check_turned(turned: Sequence[str]) -> None:
    """K4.1: another card is turned after the Weli, and only then."""
    if turned[-1] == WELI:
        raise Fault("K4.1", "deal.turned", "The Weli decides no trump: another card is turned after it; it is missing.")
    if len(turned) > 1 and turned[0] != WELI:
        raise Fault("K4.1", "deal.turned", f"The card {turned[0]} decides the trump, so no other card is turned.")


def is_siebenermuss(rules: KratzenRules, turned: str) -> bool:
    """K4.2: a seven decided the trump."""
    return rules.seven_muss != OFF and turned[0] == SEVEN
