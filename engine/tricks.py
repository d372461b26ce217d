"""Tricks: the legal cards and the winner of each trick; shared by both games, which pass in their own clauses."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from engine.cards import DECK, Deck, highest, names, unknown_card
from engine.errors import Fault, printable, seat_list
from engine.seats import no_such_seat

TRICKS: Final = 4
"""The tricks of a hand: each active seat plays four cards."""


class Duties(NamedTuple):
    """The clause of each duty that a played card can break."""

    play: str
    """Play in turn, from one's own hand, four tricks."""
    follow: str
    """Follow the suit led."""
    trump: str
    """Play a trump without a card of the suit led."""
    beat: str = ""
    """Beat the highest card on the table; empty in a game without this duty."""


NEVER, TRUMPS, ALWAYS = "never", "trumps", "always"
"""When a player must beat the cards on the table: never in Chratze (C5.4); Kratzen's two values of ``must_beat``."""


def legal_cards(hand: int, led: int, trump: int, on_table: int = 0, must_beat: str = NEVER) -> int:
    """Return the cards of a hand that may be played to a trick (C5.2 to C5.4, K7.2 to K7.5).

    These are the cards of the suit led; without one the trumps; without a trump any card. ``led`` are the bits of the
    suit led (for the leader: the whole hand), ``on_table`` the cards of the trick so far. A player who must beat (K7.4)
    plays a card of that suit above the highest one on the table, if the hand has one.
    """
    suit = hand & led or hand & trump
    if not suit:
        return hand
    trumps = suit & trump
    if must_beat == NEVER or not (trumps or (must_beat == ALWAYS and not on_table & trump)):
        return suit
    below = (on_table & (trump if trumps else led)).bit_length()
    return suit >> below << below or suit


def play_out(
    play: Sequence[Sequence[str]],
    hands: list[int],
    order: Sequence[int],
    trump: int,
    duties: Duties,
    deck: Deck = DECK,
    must_beat: str = NEVER,
) -> list[int]:
    """Verify and play all tricks; return the number of tricks of each seat.

    ``hands`` are card bits by seat and are empty afterwards. ``order`` are the active seats, the first leader first;
    ``trump`` are the bits of the trump suit.

    Raises:
        Fault: the clause that the first illegal card breaks.
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
        on_table = 0
        for seat, card in zip(order, cards, strict=True):
            hand = hands[seat]
            # For speed `legal_cards` is written out here; it is called only where the duty to beat leaves fewer cards.
            if not card & (hand & led or hand & trump or hand) or (
                duty_to_beat and not card & legal_cards(hand, led, trump, on_table, must_beat)
            ):
                place = order.index(seat)
                turn = _Turn(seat, hand, led, trump, on_table, must_beat)
                raise _illegal_card(f"play[{number}][{place}]", turn, trick[place], duties, deck)
            hands[seat] = hand ^ card
            on_table |= card
        place = cards.index(highest(on_table & trump or on_table & led))
        taken[order[place]] += 1
        order = rotated(order, place)
    if len(play) != TRICKS:
        raise Fault(duties.play, "play", f"A hand has {TRICKS} tricks, not {len(play)}.")
    return taken


def rotated(order: Sequence[int], place: int) -> Sequence[int]:
    """Return the seats in the same cyclic order, starting with the seat at ``place``."""
    return [*order[place:], *order[:place]] if place else order


def _wrong_count(at: str, trick: Sequence[str], order: Sequence[int], duties: Duties) -> Fault:
    return Fault(
        duties.play,
        at,
        f"Each of {seat_list(order)} plays one card to the trick: {len(order)} cards, not {len(trick)}.",
    )


class _Turn(NamedTuple):
    """A seat's turn: its hand, the suit led, the trumps and the cards on the table, as bits."""

    seat: int
    hand: int
    led: int
    trump: int
    on_table: int
    must_beat: str


def _illegal_card(at: str, turn: _Turn, name: str, duties: Duties, deck: Deck) -> Fault:
    seat, hand, led, trump, _, _ = turn
    if name not in deck.bit:
        return unknown_card(name, at, deck)
    if not deck.bit[name] & hand:
        return Fault(duties.play, at, f"Seat {seat} plays {name} but holds {names(hand, deck)}.")
    suit = legal_cards(hand, led, trump)
    if deck.bit[name] & suit:
        higher = names(legal_cards(*turn[1:]), deck)
        return Fault(duties.beat, at, f"Seat {seat} plays {name} but must beat the cards on the table: {higher}.")
    if hand & led:
        return Fault(duties.follow, at, f"Seat {seat} plays {name} but must follow suit: {names(suit, deck)}.")
    return Fault(duties.trump, at, f"Seat {seat} plays {name} but must trump: {names(suit, deck)}.")


def count_tricks(tricks: Mapping[str, int], seats: int, active: Collection[int]) -> list[int]:
    """Return the tricks of a tally by seat; raise R5 unless only active seats have tricks, four in all."""
    counts = [0] * seats
    for word, count in tricks.items():
        seat = int(word)
        if seat not in active or count < 0:
            raise _wrong_tricks(seat, seats, count, f"tricks.{word}")
        counts[seat] = count
    if sum(counts) != TRICKS:
        raise Fault("R5", "tricks", f"There are {TRICKS} tricks in a hand, not {printable(sum(counts))}.")
    return counts


def _wrong_tricks(seat: int, seats: int, count: int, at: str) -> Fault:
    """Return R3 or R5: the seat does not exist or does not play, or its number of tricks is negative."""
    if not 0 <= seat < seats:
        return no_such_seat(seat, seats, at)
    if count < 0:
        return Fault("R5", at, f"Seat {seat} cannot have taken {printable(count)} tricks.")
    return Fault("R5", at, f"Seat {seat} is out and can take no trick.")
