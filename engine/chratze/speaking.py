"""C3: who declares, who joins, blind hands and Susi."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.chratze.dealing import BLIND_CLAUSE
from engine.errors import Fault, shown
from engine.record import Full, Table, Tally
from engine.seats import check_seat, no_such_seat, order_from


class Spoken(NamedTuple):
    """C3: who plays. No declarer: passed out; no joiner: a walkover. Joiners of a full hand as they spoke."""

    declarer: int | None
    joiners: list[int]


def speak(hand: Full) -> Spoken:
    """C3.1 to C3.6: who declares and who joins, from the calls."""
    table = hand.table
    check_blind(table)
    if table.blind is not None:
        declarer, spoken = table.dealer, 0
    else:
        found, spoken = _find_declarer(hand)
        if found is None:
            if len(hand.calls) > spoken:
                raise Fault(
                    "C3.1",
                    f"calls[{spoken}]",
                    "Everybody has said weg to the last turned card: nobody speaks any more.",
                )
            return Spoken(None, [])
        declarer = found
    joiners = []
    for seat in order_from(declarer, table.seats)[1:]:
        word = _said(hand, spoken, seat, "C3.3")
        if word == "metcho":
            joiners.append(seat)
        elif word != "weg":
            raise _not_an_answer(f"calls[{spoken}][1]", seat, word)
        spoken += 1
    if len(hand.calls) > spoken:
        raise Fault(
            "C3.3",
            f"calls[{spoken}]",
            f"Every seat but the declarer (seat {declarer}) has given its one answer already.",
        )
    check_susi(table, declarer, joiners, f"calls[{spoken - 1}][1]")
    return Spoken(declarer, joiners)


def _find_declarer(hand: Full) -> tuple[int | None, int]:
    """C3.1, C3.2 and, from card to card, C2.4: the declarer, if any, and the number of calls so far."""
    table = hand.table
    rules = table.rules
    order = order_from((table.dealer + 1) % table.seats, table.seats)
    spoken = 0
    for turn in range(1, 1 + (rules.max_turns if rules.no_taker == "turn" else 1)):
        if turn > len(hand.turned):
            raise Fault(
                "C2.4",
                "deal.turned",
                f"Nobody declared, so card {turn} of {rules.max_turns} is turned; it is missing.",
            )
        for seat in order:
            word = _said(hand, spoken, seat, "C3.1")
            if word == "chratze":
                if turn < len(hand.turned):
                    raise Fault(
                        "C2.4",
                        "deal.turned",
                        f"Seat {seat} declared after card {turn}, so no other card is turned.",
                    )
                return seat, spoken + 1
            if word != "weg":
                raise Fault("C3.1", f"calls[{spoken}][1]", f"Seat {seat} says chratze or weg, not {shown(word)}.")
            spoken += 1
    return None, spoken


def _said(hand: Full, number: int, seat: int, clause: str) -> str:
    """The word of the call that is ``seat``'s."""
    if number >= len(hand.calls):
        raise Fault(clause, "calls", f"Seat {seat} has not spoken.")
    speaker, word = hand.calls[number]
    if speaker != seat:
        at = f"calls[{number}][0]"
        check_seat(speaker, hand.table.seats, at)
        raise Fault(clause, at, f"It is seat {seat}'s turn to speak, not seat {speaker}'s.")
    return str(word)


def _not_an_answer(at: str, seat: int, word: str) -> Fault:
    if word == "chratze":
        return Fault("C3.2", at, f"Seat {seat} says chratze, but the hand has its declarer.")
    return Fault("C3.3", at, f"Seat {seat} answers metcho or weg, not {shown(word)}.")


def check_blind(table: Table) -> None:
    """C3.4, C3.5: the house rules allow the hand to be declared blind."""
    if table.blind is None or table.rules.blind == "both" or table.rules.blind == table.blind:
        return
    what = "double blind" if table.blind == "double" else "blind"
    raise Fault(
        BLIND_CLAUSE[table.blind],
        "blind",
        f"The house rules do not let the dealer, seat {table.dealer}, declare {what}.",
    )


def check_susi(table: Table, declarer: int, joiners: Sequence[int], at: str) -> None:
    """C3.6: under ``susi = forced`` the last seat asked joins where nobody else has."""
    if not joiners and table.rules.susi == "forced":
        raise Fault("C3.6", at, f"Susi is forced: nobody has joined, so seat {last_asked(table, declarer)} must.")


def last_asked(table: Table, declarer: int) -> int:
    """C3.6: the seat before the declarer."""
    return (declarer - 1) % table.seats


def tally_speaking(hand: Tally) -> Spoken:
    """C3 for a tally: the declarer and the joiners, ascending, that can have these roles."""
    table, declarer, named, _, _ = hand
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
        if named:
            raise Fault("C3.3", "joiners", "Nobody declared, so nobody can join.")
        return Spoken(None, [])
    joiners = sorted(named)
    if not joiners:
        check_susi(table, declarer, joiners, "joiners")
    elif not (0 <= joiners[0] <= joiners[-1] < seats and len({declarer, *joiners}) == 1 + len(joiners)):
        raise _wrong_joiner(hand)
    return Spoken(declarer, joiners)


def _wrong_joiner(hand: Tally) -> Fault:
    """R3: the first joiner that is no seat, or named before."""
    seats, named = hand.table.seats, [hand.declarer, *hand.joiners]
    place, seat = next(
        (place, seat) for place, seat in enumerate(hand.joiners) if not 0 <= seat < seats or seat in named[: place + 1]
    )
    at = f"joiners[{place}]"
    if not 0 <= seat < seats:
        return no_such_seat(seat, seats, at)
    if seat == hand.declarer:
        return Fault("R3", at, f"Seat {seat} is the declarer and cannot join as well.")
    return Fault("R3", at, f"Seat {seat} is named twice among the joiners.")
