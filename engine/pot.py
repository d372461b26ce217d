"""The pot: who takes and pays how much, in whole Rappen. Shared by the games; every remainder has its clause.

Nothing here divides into fractions: where an amount does not divide, a function says what becomes of the odd
coin.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

KINDS: Final = ("ante", "cut", "payout", "penalty")
"""The kinds of a line, in the order in which a result lists them."""


class Unbalanced(RuntimeError):
    """A result does not add up: a defect of the engine, never of a record."""


def round_up(amount: int, unit: int) -> int:
    """The least multiple of ``unit`` that is not below ``amount``."""
    return -(-amount // unit) * unit


def two_thirds(pot: int, rounding: int) -> int:
    """C6.5: two thirds of the pot rounded up to a multiple of ``rounding``, at most the pot."""
    thirds = round_up(2 * pot, 3 * rounding) // 3
    return thirds if thirds < pot else pot


def equal_shares(amount: int, count: int, coin: int) -> tuple[int, int]:
    """An amount shared among ``count`` seats in whole coins: each one's share, and what does not divide."""
    share = amount // (count * coin) * coin
    return share, amount - share * count


def limited(penalties: Sequence[int], pot_limit: int, left: int, coin: int) -> Sequence[int]:
    """C6.7: the penalties by seat, cut so that they do not lift what is left in the pot above the limit.

    Penalties are negative, as they are paid in; what is rounded down is the amount paid.
    """
    room = max(0, pot_limit - left)
    due = -sum(penalties)
    if due <= room:
        return penalties
    return [-(-penalty * room // due // coin * coin) for penalty in penalties]


def book(seats: int, moved: Iterable[tuple[str, Sequence[int]]]) -> tuple[list[dict[str, Any]], list[int]]:
    """One line a kind and seat, and the change of each seat, in Rappen, from what moved: a kind (in the order of
    `KINDS`) and the amounts by seat.

    What a seat pays is negative. A seat that moved nothing of a kind has no line of it.
    """
    lines: list[dict[str, Any]] = []
    deltas = [0] * seats
    for kind, amounts in moved:
        for seat, amount in enumerate(amounts):
            if amount:
                lines.append({"seat": seat, "kind": kind, "amount": amount})
                deltas[seat] += amount
    return lines, deltas


def check_balanced(result: Mapping[str, Any]) -> None:
    """C6.9: raise `Unbalanced` unless a valid result's lines, changes and pot agree to the Rappen.

    The pot that was carried in is ``pot`` less what came in before play (antes and cut payments).
    """
    deltas = result["deltas"]
    rest = [*deltas]
    carried_in = result["pot"]
    for line in result["lines"]:
        amount, kind = line["amount"], line["kind"]
        rest[line["seat"]] -= amount
        if kind == "ante" or kind == "cut":  # spelt out for speed
            carried_in += amount
    change = result["pot_after"] - carried_in
    if any(rest) or sum(deltas) + change or result["pot_after"] < 0:
        raise Unbalanced(f"deltas {deltas} and the pot's change {change} do not follow from the lines")
