"""Search for one round: tabu search over exchanges of two entrants.

After Dotú and Van Hentenryck: *Scheduling social golfers locally*, CPAIOR 2005. A budget is a number of exchanges that
are looked at, never a time, so that the result is the same on a slow machine.
"""

from collections.abc import Sequence
from typing import Final

from draw.lot import Lot

LOOKS_A_SECOND: Final = 1_500_000
"""How many exchanges one second of a budget stands for. The rate is fixed; a usual machine looks at about as many."""

_TENURE: Final = 6
_PATIENCE: Final = 3000
_PATIENCE_EACH: Final = 100
"""The search ends after so many steps without an improvement, and so many more for each entrant."""


class Board:
    """A round during the search: the table of each entrant, and the cost of each at each table.

    ``weights[a]`` has the cost of a and b at one table by b, where it is above 0. Two entrants may change places if
    both tables are odd or both are not, or if both had as many odd tables (``turns``); or always, if ``again`` is
    given, the cost of an entrant at an odd table for each earlier one. Entrants in ``pinned`` stay.
    """

    __slots__ = ("_row", "at", "cost", "current", "movable", "near", "odd", "strict", "table_of", "tables", "turns")

    def __init__(
        self,
        tables: list[list[int]],
        weights: list[dict[int, int]],
        *,
        odd: Sequence[bool],
        turns: Sequence[int],
        again: int | None = None,
        pinned: frozenset[int] = frozenset(),
    ) -> None:
        count = len(weights)
        self.tables = tables
        self.near = [list(row.items()) for row in weights]
        self._row = [0] * count
        self.odd = odd
        self.turns = turns
        self.strict = again is None
        self.movable = [player for player in range(count) if player not in pinned]
        self.table_of = [0] * count
        for number, members in enumerate(tables):
            for member in members:
                self.table_of[member] = number
        self.at = [[0] * len(tables) for _ in range(count)]
        for player, near in enumerate(self.near):
            row = self.at[player]
            for other, weight in near:
                row[self.table_of[other]] += weight
        met = sum(self.at[player][self.table_of[player]] for player in range(count)) // 2
        for player, row in enumerate(self.at):
            for table, is_odd in enumerate(odd):
                row[table] += is_odd * turns[player] * (again or 0)
        self.current = [self.at[player][self.table_of[player]] for player in range(count)]
        self.cost = met + (again or 0) * sum(turns[player] for player in range(count) if odd[self.table_of[player]])

    def exchange(self, player: int, other: int) -> None:
        """Let two entrants change places."""
        here, there = self.table_of[player], self.table_of[other]
        self._move(player, here, there)
        self._move(other, there, here)
        members = self.tables[here]
        members[members.index(player)] = other
        members = self.tables[there]
        members[members.index(other)] = player

    def _move(self, player: int, here: int, there: int) -> None:
        self.cost += self.at[player][there] - self.at[player][here]
        self.table_of[player] = there
        current, table_of, costs = self.current, self.table_of, self.at
        for other, weight in self.near[player]:
            row = costs[other]
            row[here] -= weight
            row[there] += weight
            where = table_of[other]
            if where == here:
                current[other] -= weight
            elif where == there:
                current[other] += weight
        current[player] = costs[player][there]

    def best_partner(self, player: int, tabu: dict[tuple[int, int], int], now: int, goal: int, lot: Lot) -> int | None:
        """Return the best partner for an exchange, or None; a tabu exchange must lead below ``goal``."""
        here = self.table_of[player]
        mine, row = self.at[player], self._row
        for other, weight in self.near[player]:
            row[other] = 2 * weight
        table_of, costs, current, odd, turns = self.table_of, self.at, self.current, self.odd, self.turns
        here_odd, turn, strict = odd[here], turns[player], self.strict
        base = self.cost - current[player]
        best: list[int] = []
        lowest: int | None = None
        for other in self.movable:
            there = table_of[other]
            if there == here:
                continue
            cost = mine[there] + costs[other][here] - current[other] - row[other]
            if lowest is not None and cost > lowest:
                continue
            if strict and here_odd != odd[there] and turn != turns[other]:
                continue
            if base + cost >= goal and (tabu.get((player, there), 0) > now or tabu.get((other, here), 0) > now):
                continue
            if cost == lowest:
                best.append(other)
            else:
                lowest, best = cost, [other]
        for other, _ in self.near[player]:
            row[other] = 0
        return lot.choice(best) if best else None


def improve(board: Board, lot: Lot, looks: int, floor: int = 0) -> None:
    """Exchange entrants until the cost is at most ``floor`` or so many exchanges were looked at; keep the best."""
    best = board.cost
    kept = [list(members) for members in board.tables]
    tabu: dict[tuple[int, int], int] = {}
    step = since = 0
    patience = _PATIENCE + _PATIENCE_EACH * len(board.movable)
    while best > floor and looks > 0 and since < patience:
        step += 1
        since += 1
        costly = [player for player in board.movable if board.current[player]]
        if not costly:
            break
        player = lot.choice(costly)
        looks -= len(board.movable)
        other = board.best_partner(player, tabu, step, best, lot)
        if other is None:
            continue
        here, there = board.table_of[player], board.table_of[other]
        board.exchange(player, other)
        until = step + _TENURE + lot.below(_TENURE)
        tabu[player, here] = tabu[other, there] = until
        if board.cost < best:
            best, since = board.cost, 0
            kept = [list(members) for members in board.tables]
        if len(tabu) > 4096:
            tabu = {key: end for key, end in tabu.items() if end > step}
    board.tables[:] = kept
