"""C2: the ante, the deal and the dealer's office."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.cards import BIT, PACK, mask_of, unknown_card
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
    """C2.2: four cards each and the turned ones; R2 for a card that does not exist or lies there twice.

    A double blind dealer is dealt a fifth card (C3.5), and a blind one takes the turned card (C3.4, C3.5).
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
        raise _wrong_card(hand) from None
    dealt = sum(hands) + sum(turned)
    if dealt.bit_count() != sum(sizes) + len(turned):
        raise _wrong_card(hand)
    if table.blind is not None:
        hands[table.dealer] |= turned[0]
    return Dealt(hands, turned, PACK ^ dealt)


def _wrong_hands(hand: Full, sizes: Sequence[int]) -> Fault:
    """C2.2, C3.5: not as many hands or cards as are dealt."""
    if len(hand.hands) != len(sizes):
        return Fault("C2.2", "deal.hands", f"Each of the {len(sizes)} seats has a hand; there are {len(hand.hands)}.")
    seat = next(seat for seat, cards in enumerate(hand.hands) if len(cards) != sizes[seat])
    count, clause = len(hand.hands[seat]), "C2.2" if sizes[seat] == HAND else "C3.5"
    return Fault(clause, f"deal.hands[{seat}]", f"Seat {seat} is dealt {sizes[seat]} cards, not {count}.")


def _wrong_card(hand: Full) -> Fault:
    """R2: the first card of the deal that does not exist or was dealt before."""
    places = [
        (name, f"deal.hands[{seat}][{n}]") for seat, cards in enumerate(hand.hands) for n, name in enumerate(cards)
    ]
    places += [(name, f"deal.turned[{n}]") for n, name in enumerate(hand.turned)]
    names = [name for name, _ in places]
    name, at = next(card for number, card in enumerate(places) if card[0] not in BIT or card[0] in names[:number])
    if name not in BIT:
        return unknown_card(name, at)
    return Fault("R2", at, f"The card {name} was dealt twice.")


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
