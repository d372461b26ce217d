"""K7: the four tricks, and the seats that made their goal."""

from collections.abc import Collection
from typing import Final, NamedTuple

from engine.errors import Fault
from engine.kratzen.choosing import Chosen, Trump
from engine.kratzen.dealing import Dealt
from engine.kratzen.exchange import exchange
from engine.kratzen.players import TRICKS, trumps
from engine.kratzen.record import Full, Tally
from engine.seats import order_from
from engine.tricks import Duties, count_tricks, play_out

DUTIES: Final = Duties(tricks=TRICKS, play="K7.1", follow="K7.2", trump="K7.3", beat="K7.4")


class Played(NamedTuple):
    """The result of play (K7): the tricks by seat, and the seats that made their goal."""

    tricks: list[int]
    made: Collection[int]


def play(hand: Full, dealt: Dealt, chosen: Chosen, trump: Trump, dealer: int) -> Played:
    """Check and play a full record (K6, K7). Nothing follows a walkover (K8.2) or a passed-out hand (K5.4)."""
    seats = hand.table.seats
    if chosen.declarer is None or not chosen.joiners:
        _check_nothing_follows(hand, chosen)
        return Played([0] * seats, ())
    exchange(hand, dealt.hands, trump, chosen, dealer)
    order = [seat for seat in order_from(chosen.declarer, seats) if seat in chosen.active]
    must_beat = hand.table.rules.must_beat
    tricks = play_out(hand.play, dealt.hands, order, trumps(trump.deck), DUTIES, trump.deck, must_beat)
    return _reached(chosen, tricks)


def _check_nothing_follows(hand: Full, chosen: Chosen) -> None:
    clause, why = ("K5.4", "The hand is passed out") if chosen.declarer is None else ("K8.2", "Nobody joined")
    for name, value in (("exchanges", hand.exchanges), ("play", hand.play)):
        if value:
            raise Fault(clause, name, f"{why}, so the field {name} must be empty.")


def _reached(chosen: Chosen, tricks: list[int]) -> Played:
    """Return the seats that made the goal: two tricks for the declarer, one for a joiner; in a Siebenermuss one for all
    (K8.1)."""
    of_declarer, of_joiner = chosen.goals
    made = {seat for seat in chosen.active if tricks[seat] >= (of_declarer if seat == chosen.declarer else of_joiner)}
    return Played(tricks, made)


def tally_tricks(hand: Tally, chosen: Chosen) -> Played:
    """Check the tricks of a tally (R5) and return the seats that made the goal (K8.1)."""
    if chosen.declarer is None or not chosen.joiners:
        if hand.tricks:
            why = "passed out" if chosen.declarer is None else "a walkover"
            raise Fault("R5", "tricks", f"The hand is {why}, so nobody took a trick.")
        return Played([0] * hand.table.seats, ())
    return _reached(chosen, count_tricks(hand.tricks, hand.table.seats, chosen.active, TRICKS))
