"""Z3: the deal and the turned card."""

from typing import Final, NamedTuple

from engine.cards import mask_of, wrong_deal
from engine.errors import Fault
from engine.zwicken.players import DECK, PACK, Trump, in_deck, trump_of
from engine.zwicken.record import Full

HAND: Final = 3
"""The cards dealt to a seat (Z3.1), and the cards in its hand when play starts (Z5.1)."""


class Dealt(NamedTuple):
    """The result of the deal (Z3): the turned card, its trump, and hands by seat and stock as bits of its deck."""

    turned: str
    trump: Trump
    hands: list[int]
    stock: int


def deal(hand: Full) -> Dealt:
    """Check the deal: three cards each and the turned card (Z3.1), each card at most once (R2)."""
    seats, turned = hand.table.seats, hand.turned
    if len(hand.hands) != seats:
        raise Fault("Z3.1", "deal.hands", f"Each of the {seats} seats has a hand; there are {len(hand.hands)}.")
    for seat, cards in enumerate(hand.hands):
        if len(cards) != HAND:
            raise Fault("Z3.1", f"deal.hands[{seat}]", f"Seat {seat} is dealt {HAND} cards, not {len(cards)}.")
    if turned is None:
        raise Fault("Z3.1", "deal.turned", "One card is turned and decides the trump; it is missing.")
    try:
        hands = [mask_of(cards, DECK.bit) for cards in hand.hands]
        dealt = sum(hands) + DECK.bit[turned]
    except KeyError:
        raise wrong_deal(hand.hands, turned, DECK) from None
    if dealt.bit_count() != seats * HAND + 1:
        raise wrong_deal(hand.hands, turned, DECK)
    trump = trump_of(turned, seven=hand.table.rules.seven)
    return Dealt(turned, trump, [in_deck(trump.deck, cards) for cards in hands], in_deck(trump.deck, PACK ^ dealt))
