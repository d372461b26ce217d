"""Tricks: the legal cards and the winner of each trick; shared by all games, which pass in their own clauses."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from engine.cards import DECK, Deck, highest, names, unknown_card
from engine.errors import Fault, printable, seat_list
from engine.seats import no_such_seat


class Duties(NamedTuple):
    """The number of tricks of a hand, and the clause of each duty that a played card can break."""

    tricks: int
    """Each active seat plays so many cards."""

    play: str
    """Play in turn, from one's own hand, all tricks."""
    follow: str
    """Follow the suit led."""
    trump: str
    """Play a trump without a card of the suit led."""
    beat: str = ""
    """Beat the highest card on the table; empty in a game without this duty."""


class Goals(NamedTuple):
    """The tricks that the declarer needs, and each other seat that plays."""

    declarer: int
    joiner: int


NEVER, TRUMPS, ALWAYS = "never", "trumps", "always"
"""When a player must beat the cards on the table: never in Chratze (C5.4); the values of ``must_beat`` (K7.4, Z6.4)."""


def legal_cards(
    hand: int, led: int, trump: int, on_table: int = 0, must_beat: str = NEVER, must_trump: bool = True
) -> int:
    """Return the cards of a hand that may be played to a trick (C5.2 to C5.4, K7.2 to K7.5, Z6.2 to Z6.5).

    These are the cards of the suit led; without one the trumps; without a trump any card. ``led`` are the bits of the
    suit led (for the leader: the whole hand), ``on_table`` the cards of the trick so far. A player who must beat (K7.4)
    plays a card of that suit above the highest one on the table, if the hand has one. Without ``must_trump`` a player
    without a card of the suit led plays any card (Z6.3).
    """
    suit = hand & led or (hand & trump if must_trump else 0)
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
    must_trump: bool = True,
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
    forced = trump if must_trump else 0
    count = duties.tricks
    for number, trick in enumerate(play[:count]):
        if len(trick) != active:
            raise _wrong_count(f"play[{number}]", trick, order, duties)
        cards = [bit.get(name, 0) for name in trick]
        led = suit_of.get(cards[0], 0)
        on_table = 0
        for seat, card in zip(order, cards, strict=True):
            hand = hands[seat]
            # For speed `legal_cards` is written out here; it is called only where the duty to beat leaves fewer cards.
            if not card & (hand & led or hand & forced or hand) or (
                duty_to_beat and not card & legal_cards(hand, led, trump, on_table, must_beat, must_trump)
            ):
                place = order.index(seat)
                turn = _Turn(seat, hand, led, trump, on_table, must_beat, must_trump)
                raise _illegal_card(f"play[{number}][{place}]", turn, trick[place], duties, deck)
            hands[seat] = hand ^ card
            on_table |= card
        place = cards.index(highest(on_table & trump or on_table & led))
        taken[order[place]] += 1
        order = rotated(order, place)
    if len(play) != count:
        raise Fault(duties.play, "play", f"A hand has {count} tricks, not {len(play)}.")
    return taken


def rotated(order: Sequence[int], place: int) -> Sequence[int]:
    """Return the seats in the same cyclic order, starting with the seat at ``place``."""
    return [*order[place:], *order[:place]] if place else order


def _wrong_count(path: str, trick: Sequence[str], order: Sequence[int], duties: Duties) -> Fault:
    return Fault(
        duties.play,
        path,
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
    must_trump: bool


def _illegal_card(path: str, turn: _Turn, name: str, duties: Duties, deck: Deck) -> Fault:
    seat, hand, led, trump, _, _, must_trump = turn
    if name not in deck.bit:
        return unknown_card(name, path, deck)
    if not deck.bit[name] & hand:
        return Fault(duties.play, path, f"Seat {seat} plays {name} but holds {names(hand, deck)}.")
    suit = legal_cards(hand, led, trump, must_trump=must_trump)
    if deck.bit[name] & suit:
        higher = names(legal_cards(*turn[1:]), deck)
        return Fault(duties.beat, path, f"Seat {seat} plays {name} but must beat the cards on the table: {higher}.")
    if hand & led:
        return Fault(duties.follow, path, f"Seat {seat} plays {name} but must follow suit: {names(suit, deck)}.")
    return Fault(duties.trump, path, f"Seat {seat} plays {name} but must trump: {names(suit, deck)}.")


def count_tricks(tricks: Mapping[str, int], seats: int, active: Collection[int], in_all: int) -> list[int]:
    """Return the tricks of a tally by seat; raise R5 unless only active seats have tricks, ``in_all`` together."""
    counts = [0] * seats
    for word, count in tricks.items():
        seat = int(word)
        if seat not in active or count < 0:
            raise _wrong_tricks(seat, seats, count, f"tricks.{word}")
        counts[seat] = count
    if sum(counts) != in_all:
        raise Fault("R5", "tricks", f"There are {in_all} tricks in a hand, not {printable(sum(counts))}.")
    return counts


def _wrong_tricks(seat: int, seats: int, count: int, path: str) -> Fault:
    """Return R3 or R5: the seat does not exist or does not play, or its number of tricks is negative."""
    if not 0 <= seat < seats:
        return no_such_seat(seat, seats, path)
    if count < 0:
        return Fault("R5", path, f"Seat {seat} cannot have taken {printable(count)} tricks.")
    return Fault("R5", path, f"Seat {seat} is out and can take no trick.")
