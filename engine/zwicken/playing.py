"""Z6: the three tricks; and who lost the seven of Schellen to the trump ace (Z7.3)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.errors import Fault
from engine.seats import check_seat
from engine.tricks import NEVER, Duties, count_tricks, play_out
from engine.zwicken.dealing import Dealt
from engine.zwicken.exchange import exchange
from engine.zwicken.players import ACE, BELLI, TRICKS
from engine.zwicken.record import Full, Tally
from engine.zwicken.rules import OFF, STAKE, HouseRules
from engine.zwicken.speaking import Spoken

DUTIES: Final = Duties(tricks=TRICKS, play="Z6.1", follow="Z6.2", trump="Z6.3", beat="Z6.4")


class Played(NamedTuple):
    """The result of play (Z6): the tricks by seat, and the seat that pays for the seven of Schellen (Z7.3)."""

    tricks: list[int]
    seven_lost: int | None


def duty_to_beat(rules: HouseRules) -> str:
    """Return the house rule ``must_beat`` as `engine.tricks.legal_cards` takes it (Z6.4)."""
    return NEVER if rules.must_beat == OFF else rules.must_beat


def play(hand: Full, dealt: Dealt, spoken: Spoken, dealer: int) -> Played:
    """Check and play a full record (Z5, Z6). Nothing follows if nobody plays, or one seat alone (Z4.3)."""
    table = hand.table
    if len(spoken.players) < 2:
        why = "One seat alone plays" if spoken.players else "Nobody plays"
        for name, value in (("exchanges", hand.exchanges), ("play", hand.play)):
            if value:
                raise Fault("Z4.3", name, f"{why}, so the field {name} must be empty.")
        return Played([0] * table.seats, None)
    order = spoken.in_order(dealer, table.seats)
    hands = exchange(hand, dealt, order)
    (deck, trump), rules = dealt.trump, table.rules
    holder = next((seat for seat in order if hands[seat] & deck.bit[BELLI]), None)
    tricks = play_out(hand.play, hands, order, trump, DUTIES, deck, duty_to_beat(rules), rules.must_trump)
    return Played(tricks, holder if _pays_for_seven(rules) and _is_lost(hand.play, dealt.turned) else None)


def _pays_for_seven(rules: HouseRules) -> bool:
    """Return True if the house rules make the seat pay that loses the seven of Schellen (Z7.3)."""
    return rules.seven and rules.seven_lost == STAKE


def _is_lost(tricks: Sequence[Sequence[str]], turned: str) -> bool:
    """Return True if the trump ace and the seven of Schellen fell to the same trick, which the ace takes (Z6.6)."""
    return any(BELLI in trick and ACE + turned[1] in trick for trick in tricks)


def tally_tricks(hand: Tally, spoken: Spoken) -> Played:
    """Check the tricks of a tally (R5) and the seat that lost the seven of Schellen (Z7.3)."""
    seats = hand.table.seats
    if len(spoken.players) < 2:
        if hand.tricks:
            why = "a walkover" if spoken.players else "passed out"
            raise Fault("R5", "tricks", f"The hand is {why}, so nobody took a trick.")
        tricks = [0] * seats
    else:
        tricks = count_tricks(hand.tricks, seats, spoken.players, TRICKS)
    if hand.seven_lost is not None:
        _check_seven_lost(hand, spoken, tricks, hand.seven_lost)
    return Played(tricks, hand.seven_lost)


def _check_seven_lost(hand: Tally, spoken: Spoken, tricks: Sequence[int], seat: int) -> None:
    """Check that a seat can have lost the seven of Schellen (Z7.3)."""
    path = "seven_lost"
    check_seat(seat, hand.table.seats, path)
    if not _pays_for_seven(hand.table.rules):
        raise Fault("Z7.3", path, "By the house rules nobody pays for the seven of Schellen.")
    if seat not in spoken.players or len(spoken.players) < 2:
        raise Fault("Z7.3", path, f"Seat {seat} has not played and cannot have lost the seven of Schellen.")
    if tricks[seat] == TRICKS:
        raise Fault("Z7.3", path, f"Seat {seat} took every trick and cannot have lost the seven of Schellen.")
