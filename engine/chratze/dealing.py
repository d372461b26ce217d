"""C2: the ante, the deal and the dealer's office."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.cards import BIT, PACK, unknown_card
from engine.errors import Fault
from engine.record import Full, Table
from engine.rules import HouseRules

HAND: Final = 4
"""Cards dealt to a seat (C2.2), and cards in its hand when play starts (C4.6)."""

BLIND_CLAUSE: Final = {"blind": "C3.4", "double": "C3.5"}
"""The clause that each blind declaration can break, by the record's word for it."""


class Dealt(NamedTuple):
    """C2: card bits by seat, the turned cards in order, and what is left as stock."""

    hands: list[int]
    turned: list[int]
    stock: int


def ante_of_deal(rules: HouseRules, deal_number: int) -> int:
    """C2.1, C2.4, C2.5: what each seat pays for this deal, in Rappen."""
    return rules.stake if deal_number == 1 or rules.ante_on_redeal else 0


def deal(hand: Full) -> Dealt:
    """C2.2: four cards each and the turned ones.

    A double blind dealer is dealt a fifth card (C3.5), and a blind one takes the turned card (C3.4, C3.5).
    R2 for a card that does not exist or lies there twice.
    """
    table = hand.table
    if len(hand.hands) != table.seats:
        raise Fault("C2.2", "deal.hands", f"Each of the {table.seats} seats has a hand; there are {len(hand.hands)}.")
    stock = PACK
    hands = []
    for seat, cards in enumerate(hand.hands):
        double = table.blind == "double" and seat == table.dealer
        if len(cards) != HAND + double:
            raise _wrong_hand(seat, len(cards), double)
        held = _take(cards, stock, "deal.hands", seat)
        stock ^= held
        hands.append(held)
    _check_turned(table, len(hand.turned))
    turned_up = _take(hand.turned, stock, "deal.turned", None)
    turned = [BIT[name] for name in hand.turned]
    if table.blind is not None:
        hands[table.dealer] |= turned_up
    return Dealt(hands, turned, stock ^ turned_up)


def _take(cards: Sequence[str], stock: int, at: str, seat: int | None) -> int:
    """The bits of cards dealt from the stock; R2."""
    taken = 0
    for place, name in enumerate(cards):
        card = BIT.get(name, 0)
        if not card & stock:
            here = f"{at}[{place}]" if seat is None else f"{at}[{seat}][{place}]"
            if not card:
                raise unknown_card(name, here)
            raise Fault("R2", here, f"The card {name} was dealt twice.")
        stock ^= card
        taken |= card
    return taken


def _wrong_hand(seat: int, count: int, double: bool) -> Fault:
    at = f"deal.hands[{seat}]"
    if double:
        return Fault("C3.5", at, f"Seat {seat} deals double blind and is dealt {HAND + 1} cards, not {count}.")
    return Fault("C2.2", at, f"Seat {seat} is dealt {HAND} cards, not {count}.")


def _check_turned(table: Table, count: int) -> None:
    """How many cards can have been turned: C2.4, C2.5, and one in a blind hand (C3.4, C3.5)."""
    if table.blind is not None:
        if count != 1:
            raise Fault(BLIND_CLAUSE[table.blind], "deal.turned", f"In a blind hand one card is turned, not {count}.")
    elif table.rules.no_taker == "redeal":
        if count != 1:
            raise Fault("C2.5", "deal.turned", f"One card is turned in a deal, not {count}.")
    elif not 1 <= count <= table.rules.max_turns:
        raise Fault("C2.4", "deal.turned", f"One to {table.rules.max_turns} cards are turned, not {count}.")


def passed_out_clause(rules: HouseRules) -> str:
    """The clause under which a hand without a declarer is passed out."""
    return "C2.5" if rules.no_taker == "redeal" else "C2.4"


def next_office(table: Table, declarer: int | None) -> tuple[int, int]:
    """C2.3 to C2.5: who deals next, and which deal in a row it is for that dealer."""
    rules = table.rules
    same_again = declarer is None and not (rules.no_taker == "redeal" and table.deal_number == rules.max_turns)
    if same_again:
        return table.dealer, table.deal_number + 1
    return (table.dealer + 1) % table.seats, 1
