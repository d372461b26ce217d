"""C3: the declarer, the joiners, blind hands and Susi."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.chratze.dealing import BLIND_CLAUSE
from engine.chratze.record import Full, Table, Tally
from engine.errors import Fault, printable
from engine.seats import check_joiners, check_seat, no_such_seat, order_from


class Spoken(NamedTuple):
    """The roles after speaking (C3). Without a declarer the hand is passed out, without a joiner it is a walkover.

    The joiners are in the order of their calls in a full record, ascending in a tally.
    """

    declarer: int | None
    joiners: list[int]


def speak(hand: Full) -> Spoken:
    """Check the calls of a full record and return the roles (C3.1 to C3.6)."""
    table = hand.table
    check_blind(table)
    if table.blind is not None:
        declarer, call_count = table.dealer, 0
    else:
        caller, call_count = _find_declarer(hand)
        if caller is None:
            if len(hand.calls) > call_count:
                raise Fault(
                    "C3.1",
                    f"calls[{call_count}]",
                    "Everybody has said weg to the last turned card: nobody speaks any more.",
                )
            return Spoken(None, [])
        declarer = caller
    joiners = []
    for seat in order_from(declarer, table.seats)[1:]:
        word = _word_of(hand, call_count, seat, "C3.3")
        if word == "metcho":
            joiners.append(seat)
        elif word != "weg":
            raise _not_an_answer(f"calls[{call_count}][1]", seat, word)
        call_count += 1
    if len(hand.calls) > call_count:
        raise Fault(
            "C3.3",
            f"calls[{call_count}]",
            f"Every seat but the declarer (seat {declarer}) has given its one answer already.",
        )
    check_susi(table, declarer, joiners, f"calls[{call_count - 1}][1]")
    return Spoken(declarer, joiners)


def _find_declarer(hand: Full) -> tuple[int | None, int]:
    """Return the declarer, if any, and the number of calls used, over all turned cards (C3.1, C3.2, C2.4)."""
    table = hand.table
    rules = table.rules
    order = order_from((table.dealer + 1) % table.seats, table.seats)
    call_count = 0
    for turn in range(1, 1 + (rules.max_turns if rules.no_taker == "turn" else 1)):
        if turn > len(hand.turned):
            raise Fault(
                "C2.4",
                "deal.turned",
                f"Nobody declared, so card {turn} of {rules.max_turns} is turned; it is missing.",
            )
        for seat in order:
            word = _word_of(hand, call_count, seat, "C3.1")
            if word == "chratze":
                if turn < len(hand.turned):
                    raise Fault(
                        "C2.4",
                        "deal.turned",
                        f"Seat {seat} declared after card {turn}, so no other card is turned.",
                    )
                return seat, call_count + 1
            if word != "weg":
                raise Fault(
                    "C3.1", f"calls[{call_count}][1]", f"Seat {seat} says chratze or weg, not {printable(word)}."
                )
            call_count += 1
    return None, call_count


def _word_of(hand: Full, number: int, seat: int, clause: str) -> str:
    """Return the word of a call; raise ``clause`` unless it is the call of ``seat``."""
    if number >= len(hand.calls):
        raise Fault(clause, "calls", f"Seat {seat} has not spoken.")
    speaker, word = hand.calls[number]
    if speaker != seat:
        path = f"calls[{number}][0]"
        check_seat(speaker, hand.table.seats, path)
        raise Fault(clause, path, f"It is seat {seat}'s turn to speak, not seat {speaker}'s.")
    return str(word)


def _not_an_answer(path: str, seat: int, word: str) -> Fault:
    if word == "chratze":
        return Fault("C3.2", path, f"Seat {seat} says chratze, but the hand has its declarer.")
    return Fault("C3.3", path, f"Seat {seat} answers metcho or weg, not {printable(word)}.")


def check_blind(table: Table) -> None:
    """Raise C3.4 or C3.5 unless the house rules allow the blind declaration."""
    if table.blind is None or table.rules.blind == "both" or table.rules.blind == table.blind:
        return
    what = "double blind" if table.blind == "double" else "blind"
    raise Fault(
        BLIND_CLAUSE[table.blind],
        "blind",
        f"The house rules do not let the dealer, seat {table.dealer}, declare {what}.",
    )


def check_susi(table: Table, declarer: int, joiners: Sequence[int], path: str) -> None:
    """Raise C3.6 if Susi is forced and nobody joins: the last seat to answer must."""
    if not joiners and table.rules.susi == "forced":
        raise Fault("C3.6", path, f"Susi is forced: nobody has joined, so seat {last_to_answer(table, declarer)} must.")


def last_to_answer(table: Table, declarer: int) -> int:
    """Return the last seat to answer, the one before the declarer (C3.6)."""
    return (declarer - 1) % table.seats


def tally_speaking(hand: Tally) -> Spoken:
    """Check the roles of a tally and return them, joiners ascending (C3)."""
    table, declarer, joiners_named, _, _ = hand
    _, seats, dealer, _, _, blind = table
    if declarer is not None and not 0 <= declarer < seats:
        raise no_such_seat(declarer, seats, "declarer")
    if blind is not None:
        check_blind(table)
        if declarer != dealer:
            raise Fault(
                BLIND_CLAUSE[blind],
                "declarer",
                f"Only the dealer, seat {dealer}, can declare blind; he is the declarer then.",
            )
    if declarer is None:
        if joiners_named:
            raise Fault("C3.3", "joiners", "Nobody declared, so nobody can join.")
        return Spoken(None, [])
    joiners = sorted(joiners_named)
    if not joiners:
        check_susi(table, declarer, joiners, "joiners")
    elif not (0 <= joiners[0] <= joiners[-1] < seats and len({declarer, *joiners}) == 1 + len(joiners)):
        check_joiners(declarer, hand.joiners, seats)
    return Spoken(declarer, joiners)
