"""Tricks: who must play what, and who takes the trick. Shared by the games, which differ in their clauses."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from engine.cards import DECK, Deck, highest, names, unknown_card
from engine.errors import Fault, listed, shown
from engine.seats import no_such_seat

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
    beat: str = ""
    """Beat what lies there; empty where nobody is obliged to."""


NEVER, TRUMPS, ALWAYS = "never", "trumps", "always"
"""When the highest card that lies there must be beaten: C5.4, and the two values of Kratzen's ``must_beat``."""


def legal_cards(hand: int, led: int, trump: int, lying: int = 0, must_beat: str = NEVER) -> int:
    """The cards of a hand that may be played to a trick: of the suit led, without one a trump, else any (C5.2 to
    C5.4, K7.2 to K7.5).

    ``led`` are the bits of the suit led (for the leader: of all it holds), ``lying`` the cards of the trick so far.
    Who must beat (K7.4) plays a higher card than lies there of the suit it has to play, if it holds one.
    """
    due = hand & led or hand & trump
    if not due:
        return hand
    trumps = due & trump
    if must_beat == NEVER or not (trumps or (must_beat == ALWAYS and not lying & trump)):
        return due
    below = (lying & (trump if trumps else led)).bit_length()
    return due >> below << below or due


def play_out(
    play: Sequence[Sequence[str]],
    hands: list[int],
    order: Sequence[int],
    trump: int,
    duties: Duties,
    deck: Deck = DECK,
    must_beat: str = NEVER,
) -> list[int]:
    """Play the tricks out; each seat's number of tricks, by seat.

    ``hands`` are card bits by seat and are played empty, ``order`` the active seats from the first leader on,
    ``trump`` the bits of the trump suit.
    """
    taken = [0] * len(hands)
    active = len(order)
    bit, suit_of, _ = deck
    duty_to_beat = must_beat != NEVER
    for number, trick in enumerate(play[:TRICKS]):
        if len(trick) != active:
            raise _wrong_count(f"play[{number}]", trick, order, duties)
        cards = [bit.get(name, 0) for name in trick]
        led = suit_of.get(cards[0], 0)
        lying = 0
        for seat, card in zip(order, cards, strict=True):
            hand = hands[seat]
            # Spelt out for speed: the duty to beat only narrows what may be played without it.
            if not card & (hand & led or hand & trump or hand) or (
                duty_to_beat and not card & legal_cards(hand, led, trump, lying, must_beat)
            ):
                place = order.index(seat)
                held = _Held(seat, hand, led, trump, lying, must_beat)
                raise _not_allowed(f"play[{number}][{place}]", held, trick[place], duties, deck)
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


class _Held(NamedTuple):
    """What a seat held when it played, and what lay there."""

    seat: int
    hand: int
    led: int
    trump: int
    lying: int
    must_beat: str


def _not_allowed(at: str, held: _Held, name: str, duties: Duties, deck: Deck) -> Fault:
    seat, hand, led, trump, _, _ = held
    if name not in deck.bit:
        return unknown_card(name, at, deck)
    if not deck.bit[name] & hand:
        return Fault(duties.play, at, f"Seat {seat} plays {name} but holds {names(hand, deck)}.")
    due = legal_cards(hand, led, trump)
    if deck.bit[name] & due:
        allowed = names(legal_cards(*held[1:]), deck)
        return Fault(duties.beat, at, f"Seat {seat} plays {name} but must beat what lies there: {allowed}.")
    if hand & led:
        return Fault(duties.follow, at, f"Seat {seat} plays {name} but must follow suit: {names(due, deck)}.")
    return Fault(duties.trump, at, f"Seat {seat} plays {name} but must trump: {names(due, deck)}.")


def counted(tricks: Mapping[str, int], seats: int, active: Collection[int]) -> list[int]:
    """R5: the tricks that a tally counts, by seat; only the active seats have any, four in all."""
    counts = [0] * seats
    for word, count in tricks.items():
        seat = int(word)
        if seat not in active or count < 0:
            raise _wrong_tricks(seat, seats, count, f"tricks.{word}")
        counts[seat] = count
    if sum(counts) != TRICKS:
        raise Fault("R5", "tricks", f"There are {TRICKS} tricks in a hand, not {shown(sum(counts))}.")
    return counts


def _wrong_tricks(seat: int, seats: int, count: int, at: str) -> Fault:
    """R3, R5: tricks of a seat that is not there or out, or fewer than none."""
    if not 0 <= seat < seats:
        return no_such_seat(seat, seats, at)
    if count < 0:
        return Fault("R5", at, f"Seat {seat} cannot have taken {shown(count)} tricks.")
    return Fault("R5", at, f"Seat {seat} is out and can take no trick.")
