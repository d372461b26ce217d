"""Find the fewest payments that settle the gains and losses of accounts.

Accounts are ids, amounts whole Rappen. n accounts that add to 0 fall into groups that add to 0 each; a group of k needs
k - 1 payments, so the most groups mean the fewest payments.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

MAX_EXACT = 14
"""Up to this number of accounts all 2^n subsets are searched; more are matched greedily."""


class Unbalanced(Exception):
    """The sums do not add to 0: a fault of the program."""


@dataclass(frozen=True)
class Due:
    """`amount_minor` > 0 Rappen that `payer` gives `payee`, both accounts."""

    payer: int
    payee: int
    amount_minor: int


def settle(sums: Mapping[int, int]) -> list[Due]:
    """Return the fewest payments that bring every account to 0; `sums` has the gain of each (below 0: loss), in Rappen.

    At most one less than there are accounts with a sum; the fewest possible up to `MAX_EXACT` of these. The same sums
    always give the same payments, largest first.

    Raises:
        Unbalanced: the sums do not add to 0.
    """
    if sum(sums.values()) != 0:
        raise Unbalanced(f"what the accounts won adds to {sum(sums.values())}")
    owing = sorted(
        ((account, amount) for account, amount in sums.items() if amount), key=lambda pair: (-pair[1], pair[0])
    )
    groups = _most_groups(owing) if len(owing) <= MAX_EXACT else _pairs_first(owing)
    dues = [due for group in groups for due in _chain(group)]
    return sorted(dues, key=lambda due: (-due.amount_minor, due.payer, due.payee))


def _most_groups(owing: list[tuple[int, int]]) -> Iterable[list[tuple[int, int]]]:
    """Split the accounts into as many groups that add to 0 as possible.

    `best[m]` is the number of prefixes that add to 0 if the accounts of subset m are in the best order; `last[m]` is
    the last account of that order.
    """
    count = len(owing)
    total, best, last = [0] * (1 << count), [0] * (1 << count), [0] * (1 << count)
    for subset in range(1, 1 << count):
        low = (subset & -subset).bit_length() - 1
        total[subset] = total[subset & (subset - 1)] + owing[low][1]
        most, final = -1, low
        for index in range(low, count):
            if subset >> index & 1 and best[subset ^ (1 << index)] > most:
                most, final = best[subset ^ (1 << index)], index
        best[subset], last[subset] = most + (total[subset] == 0), final
    subset, group = (1 << count) - 1, []
    while subset:
        group.append(owing[last[subset]])
        subset ^= 1 << last[subset]
        if total[subset] == 0:
            yield sorted(group, key=lambda pair: (-pair[1], pair[0]))
            group = []


def _pairs_first(owing: list[tuple[int, int]]) -> Iterable[list[tuple[int, int]]]:
    """Group accounts that settle each other in pairs, and all others in one group."""
    waiting: dict[int, list[tuple[int, int]]] = {}
    for account, amount in owing:
        other = waiting.get(-amount)
        if other:
            yield [other.pop(), (account, amount)]
        else:
            waiting.setdefault(amount, []).append((account, amount))
    rest = [pair for many in waiting.values() for pair in many]
    if rest:
        yield sorted(rest, key=lambda pair: (-pair[1], pair[0]))


def _chain(group: list[tuple[int, int]]) -> Iterable[Due]:
    """Yield payments within a group: the account that owes most pays the one that gets most, until all are 0."""
    remaining = dict(group)
    while any(remaining.values()):
        payer = min(remaining, key=lambda account: (remaining[account], account))
        payee = max(remaining, key=lambda account: (remaining[account], -account))
        amount = min(-remaining[payer], remaining[payee])
        yield Due(payer, payee, amount)
        remaining[payer] += amount
        remaining[payee] -= amount
