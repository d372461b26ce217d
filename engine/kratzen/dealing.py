"""K4: the deal, the turned card, and the Siebenermuss."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.cards import mask_of, wrong_deal
from engine.errors import Fault
from engine.kratzen.players import DECK, PACK, SEVEN, WELI
from engine.kratzen.record import Full
from engine.kratzen.rules import HouseRules

HAND: Final = 4
"""The cards dealt to a seat (K4.1), and the cards in its hand when play starts (K6.5)."""

OFF, ANY = "off", "any"
"""Values of ``seven_muss``: never a Siebenermuss; also by a seven turned after oder or weiter-oder."""


class Dealt(NamedTuple):
    """The result of the deal (K4.1): the hands by seat as bits (the dealer's with the turned cards), the name of the
    card that decided the trump, and the stock as bits."""

    hands: list[int]
    turned: str
    stock: int


def deal(hand: Full, dealer: int) -> Dealt:
    """Check the deal: four cards each, one turned card, or the Weli and another (K4.1); each card at most once (R2)."""
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
        raise wrong_deal(hand.hands, hand.turned, DECK) from None
    dealt = sum(hands) + turned
    if dealt.bit_count() != seats * HAND + len(hand.turned):
        raise wrong_deal(hand.hands, hand.turned, DECK)
    _check_turned(hand.turned)
    hands[dealer] |= turned
    return Dealt(hands, hand.turned[-1], PACK ^ dealt)


def _check_turned(turned: Sequence[str]) -> None:
    """Check that another card is turned after the Weli, and only then (K4.1)."""
    if turned[-1] == WELI:
        raise Fault("K4.1", "deal.turned", "The Weli decides no trump: another card is turned after it; it is missing.")
    if len(turned) > 1 and turned[0] != WELI:
        raise Fault("K4.1", "deal.turned", f"The card {turned[0]} decides the trump, so no other card is turned.")


def is_siebenermuss(rules: HouseRules, turned: str) -> bool:
    """Return True if a seven decided the trump and the house rules make that a Siebenermuss (K4.2)."""
    return rules.seven_muss != OFF and turned[0] == SEVEN
