"""C1: who sits at the table, and in which order."""

from typing import Final

from engine.errors import Fault, shown
from engine.record import Table

FEWEST_SEATS: Final = 2
MOST_SEATS: Final = 7


def check_players(table: Table) -> None:
    """C1.1, the dealer's seat (R3), and C2.5 for the deal's number."""
    if not FEWEST_SEATS <= table.seats <= MOST_SEATS:
        raise Fault(
            "C1.1",
            "seats",
            f"Chratze is played by {FEWEST_SEATS} to {MOST_SEATS} seats, not {shown(table.seats)}.",
        )
    check_seat(table.dealer, table.seats, "dealer")
    rules = table.rules
    if rules.no_taker == "redeal" and table.deal_number > rules.max_turns:
        raise Fault(
            "C2.5",
            "deal_number",
            f"A dealer deals {rules.max_turns} times in a row at most; this would be deal {table.deal_number}.",
        )


def check_seat(seat: int, seats: int, at: str) -> None:
    """R3: the table has that seat."""
    if not 0 <= seat < seats:
        raise no_such_seat(seat, seats, at)


def no_such_seat(seat: int, seats: int, at: str) -> Fault:
    """R3 for a number that is no seat of this table."""
    return Fault("R3", at, f"There is no seat {shown(seat)} at this table: seats are 0 to {seats - 1}.")


def order_from(first: int, seats: int) -> list[int]:
    """C1.4: all seats in the order of play, from ``first`` on."""
    return [*range(first, seats), *range(first)]
