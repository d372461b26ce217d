"""C2: the ante, the deal and the next dealer."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.cards import BIT, PACK, mask_of, wrong_deal
from engine.chratze.record import Full, Table
from engine.chratze.rules import HouseRules
from engine.errors import Fault

HAND: Final = 4
"""The cards dealt to a seat (C2.2), and the cards in its hand when play starts (C4.6)."""

BLIND_CLAUSE: Final = {"blind": "C3.4", "double": "C3.5"}
"""The clause of each blind declaration, by its value in the record."""


class Dealt(NamedTuple):
    """The result of the deal (C2): the hands by seat, the turned cards in order, and the stock, as bits."""

    hands: list[int]
    turned: list[int]
    stock: int


def ante_of_deal(rules: HouseRules, deal_number: int) -> int:
    """Return the ante of each seat for a deal, in Rappen (C2.1, C2.4, C2.5)."""
    return rules.stake if deal_number == 1 or rules.ante_on_redeal else 0


def deal(hand: Full) -> Dealt:
    """Check the deal: four cards each and the turned cards (C2.2), each card at most once (R2).

    A double blind dealer is dealt a fifth card (C3.5); a blind dealer takes the turned card (C3.4, C3.5).
    """
    table = hand.table
    sizes = [HAND] * table.seats
    if table.blind == "double":
        sizes[table.dealer] += 1
    if [*map(len, hand.hands)] != sizes:
        raise _wrong_hands(hand, sizes)
    _check_turned(table, len(hand.turned))
    try:
        hands = [mask_of(cards) for cards in hand.hands]
        turned = [BIT[name] for name in hand.turned]
    except KeyError:
        raise wrong_deal(hand.hands, hand.turned) from None
    dealt = sum(hands) + sum(turned)
    if dealt.bit_count() != sum(sizes) + len(turned):
        raise wrong_deal(hand.hands, hand.turned)
    if table.blind is not None:
        hands[table.dealer] |= turned[0]
    return Dealt(hands, turned, PACK ^ dealt)


def _wrong_hands(hand: Full, sizes: Sequence[int]) -> Fault:
    """Return C2.2 or C3.5: the number of hands, or the number of cards in a hand, is wrong."""
    if len(hand.hands) != len(sizes):
        return Fault("C2.2", "deal.hands", f"Each of the {len(sizes)} seats has a hand; there are {len(hand.hands)}.")
    seat = next(seat for seat, cards in enumerate(hand.hands) if len(cards) != sizes[seat])
    count, clause = len(hand.hands[seat]), "C2.2" if sizes[seat] == HAND else "C3.5"
    return Fault(clause, f"deal.hands[{seat}]", f"Seat {seat} is dealt {sizes[seat]} cards, not {count}.")


def _check_turned(table: Table, count: int) -> None:
    """Check the number of turned cards: C2.4, C2.5; one card in a blind hand (C3.4, C3.5)."""
    if table.blind is not None:
        if count != 1:
            raise Fault(BLIND_CLAUSE[table.blind], "deal.turned", f"In a blind hand one card is turned, not {count}.")
    elif table.rules.no_taker == "redeal":
        if count != 1:
            raise Fault("C2.5", "deal.turned", f"One card is turned in a deal, not {count}.")
    elif not 1 <= count <= table.rules.max_turns:
        raise Fault("C2.4", "deal.turned", f"One to {table.rules.max_turns} cards are turned, not {count}.")


def passed_out_clause(rules: HouseRules) -> str:
    """Return the clause under which a hand without a declarer is passed out."""
    return "C2.5" if rules.no_taker == "redeal" else "C2.4"


def next_deal(table: Table, declarer: int | None) -> tuple[int, int]:
    """Return the next dealer and the next deal number (C2.3 to C2.5)."""
    rules = table.rules
    same_again = declarer is None and not (rules.no_taker == "redeal" and table.deal_number == rules.max_turns)
    if same_again:
        return table.dealer, table.deal_number + 1
    return (table.dealer + 1) % table.seats, 1
