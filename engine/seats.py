"""The seats of a table, numbered in the order of play. Shared by the games (C1.4, K1.4)."""

from engine.errors import Fault, shown


def check_seat(seat: int, seats: int, at: str) -> None:
    """R3: the table has that seat."""
    if not 0 <= seat < seats:
        raise no_such_seat(seat, seats, at)


def no_such_seat(seat: int, seats: int, at: str) -> Fault:
    """R3 for a number that is no seat of this table."""
    return Fault("R3", at, f"There is no seat {shown(seat)} at this table: seats are 0 to {seats - 1}.")


def order_from(first: int, seats: int) -> list[int]:
    """C1.4, K1.4: all seats in the order of play, from ``first`` on."""
    return [*range(first, seats), *range(first)]
