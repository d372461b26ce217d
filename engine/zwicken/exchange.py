"""Z5: discards and draws."""

from collections.abc import Sequence
from typing import Any

from engine.cards import Deck, names, unknown_card
from engine.errors import Fault, seat_list
from engine.seats import check_seat
from engine.zwicken.dealing import Dealt
from engine.zwicken.record import Full

Entry = dict[str, Any]


def exchange(hand: Full, dealt: Dealt, order: Sequence[int]) -> list[int]:
    """Check and apply all exchanges (Z5.1); return the hands. ``order`` are the seats that play, in their turn."""
    if hand.exchanges and not hand.table.rules.exchange:
        raise Fault("Z5.1", "exchanges", "The house rules do not let anybody exchange.")
    deck, hands, stock = dealt.trump.deck, [*dealt.hands], dealt.stock
    waiting = 0
    for number, entry in enumerate(hand.exchanges):
        seat, path = entry["seat"], f"exchanges[{number}]"
        try:
            waiting = order.index(seat, waiting) + 1
        except ValueError:
            raise _not_its_turn(hand.table.seats, seat, order[waiting:], f"{path}.seat") from None
        hands[seat], stock = _exchange_one(entry, path, hands[seat], stock, deck)
    return hands


def _not_its_turn(seats: int, seat: int, waiting: Sequence[int], path: str) -> Fault:
    check_seat(seat, seats, path)
    who = f"Only {seat_list(waiting)}" if waiting else "Nobody"
    return Fault("Z5.1", path, f"{who} can still exchange, not seat {seat}.")


def _exchange_one(entry: Entry, path: str, hand: int, stock: int, deck: Deck) -> tuple[int, int]:
    """Check and apply the exchange of one seat; return its hand and the stock."""
    who, away, drawn = f"Seat {entry['seat']}", entry.get("discard", ()), entry.get("draw", ())
    for place, name in enumerate(away):
        card = _bit_of(name, f"{path}.discard[{place}]", deck)
        if not card & hand:
            holds = names(hand, deck) or "no card"
            raise Fault("Z5.1", f"{path}.discard[{place}]", f"{who} lays {name} away but holds {holds}.")
        hand ^= card
    due, in_stock = len(away), stock.bit_count()
    if due > in_stock:
        raise Fault(
            "Z5.1", f"{path}.discard", f"{who} needs {due} cards for those it lays away; the stock has {in_stock}."
        )
    if len(drawn) != due:
        raise Fault("Z5.1", f"{path}.draw", f"{who} lays {due} cards away and draws as many, not {len(drawn)}.")
    for place, name in enumerate(drawn):
        card = _bit_of(name, f"{path}.draw[{place}]", deck)
        if not card & stock:
            raise Fault("Z5.1", f"{path}.draw[{place}]", f"{who} draws {name}, which is not in the stock any more.")
        stock ^= card
        hand |= card
    return hand, stock


def _bit_of(name: str, path: str, deck: Deck) -> int:
    if name not in deck.bit:
        raise unknown_card(name, path, deck)
    return deck.bit[name]
