"""Amounts: payouts from the pot and payments into it, in whole Rappen; shared by both games.

Nothing here computes with fractions. Where an amount cannot be divided equally, the function returns the remainder or
documents its rounding.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

KINDS: Final = ("ante", "cut", "payout", "penalty", "seven")
"""The kinds of a result line, in the order in which a result lists them."""


class Unbalanced(RuntimeError):
    """A result does not add up. This is a defect of the engine, never of a record."""


def round_up(amount: int, unit: int) -> int:
    """Return the smallest multiple of ``unit`` that is not below ``amount``."""
    return -(-amount // unit) * unit


def two_thirds(pot: int, rounding: int) -> int:
    """Return two thirds of the pot, rounded up to a multiple of ``rounding``, at most the pot (C6.5)."""
    thirds = round_up(2 * pot, 3 * rounding) // 3
    return thirds if thirds < pot else pot


def equal_shares(amount: int, count: int, coin: int) -> tuple[int, int]:
    """Divide an amount among ``count`` seats in whole coins; return one share and the remainder."""
    share = amount // (count * coin) * coin
    return share, amount - share * count


def limit_penalties(penalties: Sequence[int], pot_limit: int, left: int, coin: int) -> Sequence[int]:
    """Reduce the penalties so that the pot does not rise above the limit (C6.7, K8.4).

    ``left`` is the pot after the payouts. Penalties are negative; each amount paid is rounded down to whole coins.
    """
    room = max(0, pot_limit - left)
    total = -sum(penalties)
    if total <= room:
        return penalties
    return [-(-penalty * room // total // coin * coin) for penalty in penalties]


def book(seats: int, movements: Iterable[tuple[str, Sequence[int]]]) -> tuple[list[dict[str, Any]], list[int]]:
    """Return the result lines and the change of each seat, in Rappen.

    Each movement is a kind and the amounts by seat; kinds are in the order of `KINDS`. A payment into the pot is
    negative. A seat whose amount is 0 gets no line.
    """
    lines: list[dict[str, Any]] = []
    deltas = [0] * seats
    for kind, amounts in movements:
        for seat, amount in enumerate(amounts):
            if amount:
                lines.append({"seat": seat, "kind": kind, "amount": amount})
                deltas[seat] += amount
    return lines, deltas


def check_balanced(result: Mapping[str, Any]) -> None:
    """Raise `Unbalanced` unless the lines, changes and pot of a valid result agree exactly (C6.9, K8.8).

    The pot before the hand is ``pot`` less the antes and cut payments.
    """
    deltas = result["deltas"]
    unexplained = [*deltas]
    pot_before = result["pot"]
    for line in result["lines"]:
        amount, kind = line["amount"], line["kind"]
        unexplained[line["seat"]] -= amount
        if kind == "ante" or kind == "cut":  # faster than `in`
            pot_before += amount
    change = result["pot_after"] - pot_before
    if any(unexplained) or sum(deltas) + change or result["pot_after"] < 0:
        raise Unbalanced(f"deltas {deltas} and the pot's change {change} do not follow from the lines")
