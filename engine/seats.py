"""The seats of a table, numbered in the order of play; shared by both games (C1.4, K1.4)."""

from collections.abc import Sequence

from engine.errors import Fault, printable


def check_seat(seat: int, seats: int, path: str) -> None:
    """Raise R3 unless the table has the seat."""
    if not 0 <= seat < seats:
        raise no_such_seat(seat, seats, path)


def no_such_seat(seat: int, seats: int, path: str) -> Fault:
    """Return the fault R3 for a number that is no seat of the table."""
    return Fault("R3", path, f"There is no seat {printable(seat)} at this table: seats are 0 to {seats - 1}.")


def order_from(first: int, seats: int) -> list[int]:
    """Return all seats in the order of play, starting with ``first`` (C1.4, K1.4)."""
    return [*range(first, seats), *range(first)]


def check_joiners(declarer: int | None, joiners: Sequence[int], seats: int) -> None:
    """Raise R3 for the first joiner that is no seat of the table, is the declarer, or is named twice."""
    for place, seat in enumerate(joiners):
        path = f"joiners[{place}]"
        check_seat(seat, seats, path)
        if seat == declarer:
            raise Fault("R3", path, f"Seat {seat} is the declarer and cannot join as well.")
        if seat in joiners[:place]:
            raise Fault("R3", path, f"Seat {seat} is named twice among the joiners.")
