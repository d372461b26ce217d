"""Tricks: who must play what, and who takes the trick. Shared by the games, which differ in their clauses."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.cards import BIT, SUIT_OF, highest, names, unknown_card
from engine.errors import Fault, listed

TRICKS: Final = 4
"""Each seat plays its four cards."""


class Duties(NamedTuple):
    """The clauses that a card played can break."""

    play: str
    """Who leads, who plays, how many tricks, from which hand."""
    follow: str
    """Play the suit led."""
    trump: str
    """Trump where the suit led is not held."""


def legal_cards(hand: int, led: int, trump: int) -> int:
    """C5.2, C5.3, C5.4: the cards of a hand that may be played to a suit; without one of it a trump, else any."""
    return hand & led or hand & trump or hand


def play_out(
    play: Sequence[Sequence[str]], hands: list[int], order: Sequence[int], trump: int, duties: Duties
) -> list[int]:
    """Play the tricks out; each seat's number of tricks, by seat.

    ``hands`` are card bits by seat and are played empty, ``order`` the active seats from the first leader on,
    ``trump`` the bits of the trump suit.
    """
    taken = [0] * len(hands)
    active = len(order)
    for number, trick in enumerate(play[:TRICKS]):
        if len(trick) != active:
            raise _wrong_count(f"play[{number}]", trick, order, duties)
        cards = [BIT.get(name, 0) for name in trick]
        led = SUIT_OF.get(cards[0], 0)
        lying = 0
        for seat, card in zip(order, cards, strict=True):
            hand = hands[seat]
            if not card & (hand & led or hand & trump or hand):
                place = order.index(seat)
                raise _not_allowed(f"play[{number}][{place}]", seat, trick[place], hand, led, trump, duties)
            hands[seat] = hand ^ card
            lying |= card
        place = cards.index(highest(lying & trump or lying & led))
        taken[order[place]] += 1
        order = turned_to(order, place)
    if len(play) != TRICKS:
        raise Fault(duties.play, "play", f"A hand has {TRICKS} tricks, not {len(play)}.")
    return taken


def turned_to(order: Sequence[int], place: int) -> Sequence[int]:
    """The same seats in the same order, beginning with the one at ``place``."""
    return [*order[place:], *order[:place]] if place else order


def _wrong_count(at: str, trick: Sequence[str], order: Sequence[int], duties: Duties) -> Fault:
    return Fault(
        duties.play,
        at,
        f"Each of {listed(order)} plays one card to the trick: {len(order)} cards, not {len(trick)}.",
    )


def _not_allowed(at: str, seat: int, name: str, hand: int, led: int, trump: int, duties: Duties) -> Fault:
    if name not in BIT:
        return unknown_card(name, at)
    if not BIT[name] & hand:
        return Fault(duties.play, at, f"Seat {seat} plays {name} but holds {names(hand)}.")
    allowed = names(legal_cards(hand, led, trump))
    if hand & led:
        return Fault(duties.follow, at, f"Seat {seat} plays {name} but must follow suit: {allowed}.")
    return Fault(duties.trump, at, f"Seat {seat} plays {name} but must trump: {allowed}.")
