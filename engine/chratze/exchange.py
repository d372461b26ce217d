"""C4: discards and draws, and the exchange of the six of trumps for the turned card (rob)."""

from collections.abc import Sequence
from typing import Any

from engine.cards import BIT, NAME, SUIT_OF, names, six_of, unknown_card
from engine.chratze.dealing import HAND, Dealt
from engine.chratze.record import Full, Table
from engine.errors import Fault, seat_list
from engine.seats import check_seat

Entry = dict[str, Any]


def exchange(hand: Full, dealt: Dealt, active: Sequence[int]) -> None:
    """Check and apply all exchanges, the declarer's first (C4.1 to C4.6); this changes the hands in ``dealt``."""
    table = hand.table
    hands, _, stock = dealt
    waiting = 0
    robber: int | None = hand.rob["seat"] if hand.rob else None
    early = robber is not None and hand.rob.get("when") == "before"
    for number, entry in enumerate(hand.exchanges):
        seat = entry["seat"]
        try:
            waiting = active.index(seat, waiting) + 1
        except ValueError:
            raise _not_its_turn(table, seat, active[waiting:], f"exchanges[{number}].seat") from None
        if early and robber in active[:waiting]:
            rob(hand, dealt, active)
            early, robber = False, None
        if number == 0:
            _check_blind_dealer(table, seat)
        hands[seat], stock = _exchange_one(entry, number, hands[seat], stock)
    if not hand.exchanges:
        _check_blind_dealer(table, None)
    if robber is not None:
        rob(hand, dealt, active)


def _not_its_turn(table: Table, seat: int, waiting: Sequence[int], path: str) -> Fault:
    check_seat(seat, table.seats, path)
    who = f"Only {seat_list(waiting)}" if waiting else "Nobody"
    return Fault("C4.1", path, f"{who} can still exchange, not seat {seat}.")


def _check_blind_dealer(table: Table, first: int | None) -> None:
    """Check that a blind dealer, who exchanges first, has an entry, because he must discard down to four (C4.3)."""
    if table.blind is not None and first != table.dealer:
        raise Fault(
            "C4.3", "exchanges", f"Seat {table.dealer} declared blind and puts away down to four; its entry is missing."
        )


def _exchange_one(entry: Entry, number: int, hand: int, stock: int) -> tuple[int, int]:
    """Check and apply the exchange of one seat; return its hand and the stock."""
    held = hand.bit_count()
    discard = entry.get("discard", ())
    for place, name in enumerate(discard):
        card = BIT.get(name, 0)
        if not card & hand:
            raise _not_held(entry["seat"], f"exchanges[{number}].discard[{place}]", name, hand)
        hand ^= card
    in_stock = stock.bit_count()
    due = draw_count(held, len(discard), in_stock)
    if due > in_stock or len(discard) < held - HAND:
        raise _wrong_discards(entry, number, held, in_stock, due)
    draw = entry.get("draw", ())
    if len(draw) != due:
        raise _wrong_draws(entry, number, held, due)
    for place, name in enumerate(draw):
        card = BIT.get(name, 0)
        if not card & stock:
            raise _not_in_stock(entry["seat"], f"exchanges[{number}].draw[{place}]", name)
        stock ^= card
        hand |= card
    if due > HAND or "drop" in entry:
        hand = _drop(entry, number, hand, held)
    return hand, stock


def draw_count(held: int, discarded: int, stock: int) -> int:
    """Return the number of cards drawn for some discards; it exceeds ``stock`` if these are too many (C4.2 to C4.4)."""
    if discarded == held:
        return min(HAND + 1, max(HAND, stock))
    return max(0, HAND - (held - discarded))


def _not_held(seat: int, path: str, name: str, hand: int) -> Fault:
    if name not in BIT:
        return unknown_card(name, path)
    return Fault("C4.1", path, f"Seat {seat} discards {name} but holds {names(hand) or 'no card'}.")


def _wrong_discards(entry: Entry, number: int, held: int, in_stock: int, due: int) -> Fault:
    """Return C4.3 (too few discards to get down to four cards) or C4.4 (more discards than the stock can replace)."""
    path = f"exchanges[{number}].discard"
    who, count, least = f"Seat {entry['seat']}", len(entry.get("discard", ())), held - HAND
    if count < least:
        return Fault("C4.3", path, f"{who} holds {held} cards and puts away {least} or more, not {count}.")
    return Fault("C4.4", path, f"{who} needs {due} cards for those it puts away, but the stock has {in_stock}.")


def _wrong_draws(entry: Entry, number: int, held: int, due: int) -> Fault:
    path = f"exchanges[{number}].draw"
    who, away, drawn = f"Seat {entry['seat']}", len(entry.get("discard", ())), len(entry.get("draw", ()))
    return Fault(_count_clause(held), path, f"{who} discards {away} of {held} cards and draws {due}, not {drawn}.")


def _not_in_stock(seat: int, path: str, name: str) -> Fault:
    if name not in BIT:
        return unknown_card(name, path)
    return Fault("C4.4", path, f"Seat {seat} draws {name}, which is not in the stock any more.")


def _count_clause(held: int) -> str:
    return "C4.2" if held == HAND else "C4.3"


def _drop(entry: Entry, number: int, hand: int, held: int) -> int:
    """Drop one of five cards drawn; without five cards drawn nothing is dropped (C4.2, C4.3, C4.6)."""
    path = f"exchanges[{number}].drop"
    who, name = f"Seat {entry['seat']}", entry.get("drop")
    if hand.bit_count() == HAND:
        raise Fault(_count_clause(held), path, f"{who} has not drawn five cards and drops none.")
    if name is None:
        raise Fault(_count_clause(held), path, f"{who} has drawn five cards and drops one of them.")
    card = BIT.get(name, 0)
    if not card:
        raise unknown_card(name, path)
    if not card & hand:
        raise Fault("C4.2", path, f"{who} drops {name} but has drawn {names(hand)}.")
    return hand ^ card


def rob(hand: Full, dealt: Dealt, active: Sequence[int]) -> None:
    """Check and apply the exchange of the six of trumps for the turned card that decided the trump (C4.5)."""
    table = hand.table
    seat = hand.rob["seat"]
    if not table.rules.rob:
        raise Fault("C4.5", "rob", "The house rules do not let the six of trumps take the turned card.")
    if table.blind is not None:
        raise Fault("C4.5", "rob", f"The turned card belongs to seat {table.dealer}, who declared blind.")
    check_seat(seat, table.seats, "rob.seat")
    if seat not in active:
        raise Fault("C4.5", "rob.seat", f"Seat {seat} is out and cannot take the turned card.")
    turned = dealt.turned[-1]
    six = six_of(SUIT_OF[turned])
    if not dealt.hands[seat] & six:
        raise Fault(
            "C4.5",
            "rob.seat",
            f"Seat {seat} does not hold {NAME[six]} and cannot take {NAME[turned]} for it.",
        )
    dealt.hands[seat] ^= six | turned
