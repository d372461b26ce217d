"""C5: the four tricks, and the seats that made their goal."""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from engine.cards import SUIT_OF
from engine.chratze.dealing import Dealt, passed_out_clause
from engine.chratze.exchange import exchange
from engine.chratze.players import GOALS, TRICKS
from engine.chratze.record import Full, Tally
from engine.chratze.speaking import Spoken
from engine.errors import Fault
from engine.seats import check_seat
from engine.tricks import Duties, count_tricks, play_out

DUTIES: Final = Duties(tricks=TRICKS, play="C5.1", follow="C5.2", trump="C5.3")


class Played(NamedTuple):
    """The result of play (C5): the tricks by seat, or None if a tally has none; True if the declarer made his goal; and
    the joiners who made theirs."""

    tricks: list[int] | None
    declarer_made: bool
    winners: list[int]


def play(hand: Full, dealt: Dealt, spoken: Spoken) -> Played:
    """Check and play a full record (C4, C5). Nothing follows a walkover (C6.3) or a passed-out hand (C2.4, C2.5)."""
    table = hand.table
    if spoken.declarer is None or not spoken.joiners:
        _check_nothing_follows(hand, spoken)
        return Played([0] * table.seats, False, [])
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
    """Return the seats that made the goal (C6.1)."""
    of_declarer, of_joiner = GOALS
    return Played(tricks, tricks[declarer] >= of_declarer, [seat for seat in joiners if tricks[seat] >= of_joiner])


def tally_tricks(hand: Tally, spoken: Spoken) -> Played:
    """Check a tally (R5) and return the seats that made the goal (C6.1), from the tricks or from the field ``made``."""
    table, _, _, tricks, made = hand
    declarer, joiners = spoken
    if declarer is None or not joiners:
        for name, value in (("tricks", tricks), ("made", made)):
            if value:
                why = "passed out" if declarer is None else "a walkover"
                raise Fault("R5", name, f"The hand is {why}, so nobody took a trick.")
        return Played([0] * table.seats, False, [])
    active = [declarer, *joiners]
    if made:
        _check_made(made, table.seats, declarer, active)
        return Played(None, declarer in made, [seat for seat in joiners if seat in made])
    return _reached(declarer, joiners, count_tricks(tricks, table.seats, active, TRICKS))


def _check_made(made: Sequence[int], seats: int, declarer: int, active: Collection[int]) -> None:
    for place, seat in enumerate(made):
        path = f"made[{place}]"
        check_seat(seat, seats, path)
        if seat in made[:place]:
            raise Fault("R3", path, f"Seat {seat} is named twice among those who made it.")
        if seat not in active:
            raise Fault("R5", path, f"Seat {seat} is out and has no goal to reach.")
    joiners = len(made) - (declarer in made)
    if declarer in made and joiners > TRICKS - GOALS.declarer:
        raise Fault(
            "R5",
            "made",
            f"Beside the declarer's two tricks at most two joiners can have made one, not {joiners}.",
        )
    if joiners > TRICKS:
        raise Fault("R5", "made", f"Four joiners at most can have made a trick, not {joiners}.")
