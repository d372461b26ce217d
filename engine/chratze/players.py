"""C1: the number of seats and the dealer."""

from typing import Final

from engine.chratze.record import Table
from engine.errors import Fault, printable
from engine.seats import no_such_seat
from engine.tricks import Goals

NAME_OF_GAME: Final = "chratze"

FEWEST_SEATS: Final = 2
MOST_SEATS: Final = 7

TRICKS: Final = 4
"""The tricks of a hand (C5.1)."""

GOALS: Final = Goals(declarer=2, joiner=1)
"""The tricks that a seat needs (C6.1)."""


def check_seats(seats: int, dealer: int) -> None:
    """Check the number of seats (C1.1) and the dealer's seat (R3)."""
    if not FEWEST_SEATS <= seats <= MOST_SEATS:
        raise Fault(
            "C1.1", "seats", f"Chratze is played by {FEWEST_SEATS} to {MOST_SEATS} seats, not {printable(seats)}."
        )
    if not 0 <= dealer < seats:
        raise no_such_seat(dealer, seats, "dealer")


def check_players(table: Table) -> None:
    """Check the number of seats (C1.1), the dealer's seat (R3) and the deal number (C2.5)."""
    rules, seats, dealer, _, deal_number, _ = table
    check_seats(seats, dealer)
    if rules.no_taker == "redeal" and deal_number > rules.max_turns:
        raise Fault(
            "C2.5",
            "deal_number",
            f"A dealer deals {rules.max_turns} times in a row at most; this would be deal {deal_number}.",
        )
