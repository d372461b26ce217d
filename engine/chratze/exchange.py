"""C4: discards, draws, and the six of trumps that takes the turned card."""

from collections.abc import Sequence
from typing import Any

from engine.cards import BIT, NAME, SUIT_OF, names, six_of, unknown_card
from engine.chratze.dealing import HAND, Dealt
from engine.chratze.players import check_seat
from engine.errors import Fault, listed, shown
from engine.record import Full, Table

Entry = dict[str, Any]


def exchange(hand: Full, dealt: Dealt, active: Sequence[int]) -> None:
    """C4.1 to C4.6: the active seats exchange in order, the declarer first; the hands in ``dealt`` change."""
    table = hand.table
    stock = dealt.stock
    waiting = 0
    robbing = hand.rob
    early = robbing.get("when") == "before"
    for number, entry in enumerate(hand.exchanges):
        at = f"exchanges[{number}]"
        seat = entry["seat"]
        if seat not in active[waiting:]:
            check_seat(seat, table.seats, f"{at}.seat")
            raise Fault("C4.1", f"{at}.seat", f"Only {listed(active[waiting:])} can still exchange, not seat {seat}.")
        waiting = active.index(seat) + 1
        if early and robbing["seat"] in active[:waiting]:
            rob(hand, dealt, active)
            early, robbing = False, {}
        if number == 0:
            _check_blind_dealer(table, seat)
        dealt.hands[seat], stock = _exchange_one(entry, at, dealt.hands[seat], stock)
    if not hand.exchanges:
        _check_blind_dealer(table, None)
    if robbing:
        rob(hand, dealt, active)


def _check_blind_dealer(table: Table, first: int | None) -> None:
    """C4.3: a blind dealer, who exchanges first, puts away what he holds above four cards."""
    if table.blind is not None and first != table.dealer:
        raise Fault(
            "C4.3",
            "exchanges",
            f"Seat {table.dealer} declared blind and puts cards away down to four; its entry is missing.",
        )


def _exchange_one(entry: Entry, at: str, hand: int, stock: int) -> tuple[int, int]:
    """One seat's exchange: its hand and the stock afterwards."""
    seat = entry["seat"]
    held = hand.bit_count()
    discard = entry.get("discard", ())
    for place, name in enumerate(discard):
        card = BIT.get(name, 0)
        if not card & hand:
            here = f"{at}.discard[{place}]"
            if not card:
                raise unknown_card(name, here)
            raise Fault("C4.1", here, f"Seat {seat} discards {name} but holds {names(hand) or 'no card'}.")
        hand ^= card
    draw = entry.get("draw", ())
    _check_discards(seat, held, len(discard), stock.bit_count(), f"{at}.discard")
    due = draws_due(held, len(discard), stock.bit_count())
    if len(draw) != due:
        raise Fault(
            _count_clause(held),
            f"{at}.draw",
            f"Seat {seat} discards {len(discard)} of {held} cards and draws {due}, not {len(draw)}.",
        )
    for place, name in enumerate(draw):
        card = BIT.get(name, 0)
        if not card & stock:
            here = f"{at}.draw[{place}]"
            if not card:
                raise unknown_card(name, here)
            raise Fault("C4.4", here, f"Seat {seat} draws {name}, which is not in the stock any more.")
        stock ^= card
        hand |= card
    return _drop(entry, at, hand, held), stock


def _count_clause(held: int) -> str:
    return "C4.2" if held == HAND else "C4.3"


def draws_due(held: int, discarded: int, stock: int) -> int:
    """C4.2, C4.3, C4.4: how many cards are drawn for some put away; more than ``stock`` where it cannot be."""
    if discarded == held:
        return min(HAND + 1, max(HAND, stock))
    return max(0, HAND - (held - discarded))


def _check_discards(seat: int, held: int, discarded: int, stock: int, at: str) -> None:
    """C4.3: at least what is held above four cards; C4.4: no more than the stock can replace."""
    if discarded < held - HAND:
        raise Fault(
            "C4.3", at, f"Seat {seat} holds {held} cards and puts away at least {held - HAND}, not {discarded}."
        )
    due = draws_due(held, discarded, stock)
    if due > stock:
        raise Fault("C4.4", at, f"Seat {seat} needs {due} cards for those it puts away, but the stock has {stock}.")


def _drop(entry: Entry, at: str, hand: int, held: int) -> int:
    """C4.2, C4.3: one of five cards drawn is dropped, and none otherwise; four are left (C4.6)."""
    seat = entry["seat"]
    name = entry.get("drop")
    if hand.bit_count() == HAND:
        if name is not None:
            raise Fault(_count_clause(held), f"{at}.drop", f"Seat {seat} has not drawn five cards and drops none.")
        return hand
    if name is None:
        raise Fault(_count_clause(held), f"{at}.drop", f"Seat {seat} has drawn five cards and drops one of them.")
    card = BIT.get(name, 0)
    if not card:
        raise unknown_card(name, f"{at}.drop")
    if not card & hand:
        raise Fault("C4.2", f"{at}.drop", f"Seat {seat} drops {shown(name)} but has drawn {names(hand)}.")
    return hand ^ card


def rob(hand: Full, dealt: Dealt, active: Sequence[int]) -> None:
    """C4.5: the six of trumps for the turned card that made the trump."""
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
