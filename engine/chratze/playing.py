"""C5: the four tricks, and who reached a goal by them."""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from engine.cards import SUIT_OF
from engine.chratze.dealing import Dealt, passed_out_clause
from engine.chratze.exchange import exchange
from engine.chratze.players import check_seat, no_such_seat
from engine.chratze.speaking import Spoken
from engine.errors import Fault, shown
from engine.record import Full, Tally
from engine.tricks import TRICKS, Duties, play_out

DUTIES: Final = Duties(play="C5.1", follow="C5.2", trump="C5.3")


class Played(NamedTuple):
    """C5: what play brought: each seat's tricks where they were counted, and who reached the goal."""

    tricks: list[int] | None
    made: Collection[int]


def play(hand: Full, dealt: Dealt, spoken: Spoken) -> Played:
    """C4 and C5 for a full record; neither follows a walkover (C6.3) or a passed-out hand (C2.4, C2.5)."""
    table = hand.table
    if spoken.declarer is None or not spoken.joiners:
        _check_nothing_follows(hand, spoken)
        return Played([0] * table.seats, ())
    active = [spoken.declarer, *spoken.joiners]
    exchange(hand, dealt, active)
    tricks = play_out(hand.play, dealt.hands, active, SUIT_OF[dealt.turned[-1]], DUTIES)
    return _reached(spoken.declarer, spoken.joiners, tricks)


def _check_nothing_follows(hand: Full, spoken: Spoken) -> None:
    clause = "C6.3" if spoken.declarer is not None else passed_out_clause(hand.table.rules)
    why = "Nobody joined" if spoken.declarer is not None else "The hand is passed out"
    for name, value in (("exchanges", hand.exchanges), ("rob", hand.rob), ("play", hand.play)):
        if value:
            raise Fault(clause, name, f"{why}, so the field {name} must be empty.")


def _reached(declarer: int, joiners: Sequence[int], tricks: list[int]) -> Played:
    """C6.1: two tricks for the declarer, one for a joiner."""
    made = [seat for seat in joiners if tricks[seat]]
    if tricks[declarer] >= 2:
        made.append(declarer)
    return Played(tricks, made)


def tally_tricks(hand: Tally, spoken: Spoken) -> Played:
    """R5 and C6.1 for a tally: the tricks, or who reached the goal where nobody counted them."""
    seats = hand.table.seats
    if spoken.declarer is None or not spoken.joiners:
        for name, value in (("tricks", hand.tricks), ("made", hand.made)):
            if value:
                why = "passed out" if spoken.declarer is None else "a walkover"
                raise Fault("R5", name, f"The hand is {why}, so nobody took a trick.")
        return Played([0] * seats, ())
    active = [spoken.declarer, *spoken.joiners]
    if hand.made:
        return Played(None, _check_made(hand.made, seats, spoken.declarer, active))
    counts = [0] * seats
    for word, count in hand.tricks.items():
        seat = int(word)
        if seat not in active or count < 0:
            raise _wrong_tricks(seat, seats, count, f"tricks.{word}")
        counts[seat] = count
    if sum(counts) != TRICKS:
        raise Fault("R5", "tricks", f"There are {TRICKS} tricks in a hand, not {shown(sum(counts))}.")
    return _reached(spoken.declarer, spoken.joiners, counts)


def _wrong_tricks(seat: int, seats: int, count: int, at: str) -> Fault:
    """R3, R5: tricks of a seat that is not there or out, or fewer than none."""
    if not 0 <= seat < seats:
        return no_such_seat(seat, seats, at)
    if count < 0:
        return Fault("R5", at, f"Seat {seat} cannot have taken {shown(count)} tricks.")
    return Fault("R5", at, f"Seat {seat} is out and can take no trick.")


def _check_made(made: Sequence[int], seats: int, declarer: int, active: Collection[int]) -> Collection[int]:
    for place, seat in enumerate(made):
        at = f"made[{place}]"
        check_seat(seat, seats, at)
        if seat in made[:place]:
            raise Fault("R3", at, f"Seat {seat} is named twice among those who made it.")
        if seat not in active:
            raise Fault("R5", at, f"Seat {seat} is out and has no goal to reach.")
    joiners = len(made) - (declarer in made)
    if declarer in made and joiners > TRICKS - 2:
        raise Fault(
            "R5",
            "made",
            f"Beside the declarer's two tricks at most two joiners can have made one, not {joiners}.",
        )
    if joiners > TRICKS:
        raise Fault("R5", "made", f"Four joiners at most can have made a trick, not {joiners}.")
    return made
