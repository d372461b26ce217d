"""The orders of play in a plan: first deals and seat numbers spread over all its rounds."""

from collections import Counter, deque
from collections.abc import Sequence
from typing import Final

from draw.lot import Lot
from draw.model import Table
from draw.seats import DEAL, NEIGHBOUR, best_order

_PASSES: Final = 6
_ATTEMPTS: Final = 6
_FEW_SEATS: Final = 600
"""The number of seats in all rounds up to which further orders are tried where the first ones are not even."""
_MOST_SEATS: Final = 50_000
"""The number of seats in all rounds up to which first deals are made even by paths."""


def spread_seats(rounds: Sequence[Sequence[Table]], lot: Lot) -> list[list[Table]]:
    """Return all rounds of a plan with other orders of play.

    The orders are chosen as in `draw.seats`, but with the later rounds in mind, table by table until none changes. Then
    once more after the first deals were made even; the better of the two is returned. Where neither is even, other
    orders are tried.
    """
    seats = sum(len(table.seats) for tables in rounds for table in tables)
    candidates = []
    for _ in range(_ATTEMPTS if seats <= _FEW_SEATS else 1):
        orders = _Orders(rounds)
        orders.choose(lot, keep_dealers=False)
        even = _Orders(orders.drawn)
        if seats <= _MOST_SEATS:
            even.even_deals()
            even.choose(lot, keep_dealers=True)
        candidates += [orders, even]
        if min(orders.judged(), even.judged()) <= (0, 1, 1):
            break
    return min(candidates, key=_Orders.judged).drawn


class _Orders:
    """The tables of all rounds, the counts of each seat number, and the neighbours."""

    def __init__(self, rounds: Sequence[Sequence[Table]]) -> None:
        self.drawn = [list(tables) for tables in rounds]
        self._seats: Counter[tuple[int, int]] = Counter()
        self._right: Counter[tuple[int, int]] = Counter()
        for tables in self.drawn:
            for table in tables:
                self._count(table.seats, 1)

    def judged(self) -> tuple[int, int, int]:
        """Return the point 5 of the judgement: neighbours, first deals, seat numbers."""
        players = {player for player, _ in self._seats}
        largest = max(len(table.seats) for tables in self.drawn for table in tables)
        counts = [[self._seats[player, place] for player in players] for place in range(largest)]
        spreads = [max(column) - min(column) for column in counts]
        return sum(max(0, times - 1) for times in self._right.values()), spreads[0], max(spreads)

    def choose(self, lot: Lot, *, keep_dealers: bool) -> None:
        """Choose the best order for one table after the other, several times; with the same first dealers, if asked."""
        for _ in range(_PASSES):
            changed = False
            for tables in self.drawn:
                for index, table in enumerate(tables):
                    order = self._best(table, lot, table.seats[0] if keep_dealers else None)
                    changed = changed or order != table.seats
                    tables[index] = Table(table.number, order)
            if not changed:
                return

    def _best(self, table: Table, lot: Lot, dealer: int | None) -> tuple[int, ...]:
        self._count(table.seats, -1)
        mixed = lot.shuffled(table.seats)
        prices = [[2 * self._seats[player, place] for place in range(len(mixed))] for player in mixed]
        for player, row in zip(mixed, prices, strict=True):
            row[0] = row[0] * DEAL if dealer is None else (player != dealer) * len(mixed) * NEIGHBOUR
        again = [[NEIGHBOUR * (self._right[player, other] > 0) for other in mixed] for player in mixed]
        order = tuple(mixed[place] for place in best_order(prices, again))
        self._count(order, 1)
        return order

    def even_deals(self) -> None:
        """Hand on first deals from the entrants with most to those with fewest, along paths over common tables."""
        deals = Counter({player: 0 for tables in self.drawn for table in tables for player in table.seats})
        dealt: dict[int, set[tuple[int, int]]] = {player: set() for player in deals}
        for number, tables in enumerate(self.drawn):
            for position, table in enumerate(tables):
                deals[table.seats[0]] += 1
                dealt[table.seats[0]].add((number, position))
        for player in sorted(deals, key=lambda player: (-deals[player], player)):
            while path := self._path(player, deals, dealt):
                for giver, (number, position), taker in path:
                    table = self.drawn[number][position]
                    self._count(table.seats, -1)
                    swap = {giver: taker, taker: giver}
                    order = tuple(swap.get(member, member) for member in table.seats)
                    self._count(order, 1)
                    self.drawn[number][position] = Table(table.number, order)
                    dealt[giver].remove((number, position))
                    dealt[taker].add((number, position))
                deals[player] -= 1
                deals[path[-1][2]] += 1

    def _path(
        self, start: int, deals: Counter[int], dealt: dict[int, set[tuple[int, int]]]
    ) -> list[tuple[int, tuple[int, int], int]]:
        """Return the steps (giver, table, taker) from one entrant to another who dealt at least two times less."""
        came: dict[int, tuple[int, tuple[int, int]]] = {}
        waiting = deque([start])
        while waiting:
            giver = waiting.popleft()
            for place in sorted(dealt[giver]):
                for taker in self.drawn[place[0]][place[1]].seats:
                    if taker == start or taker in came:
                        continue
                    came[taker] = (giver, place)
                    if deals[taker] <= deals[start] - 2:
                        return _steps(came, start, taker)
                    waiting.append(taker)
        return []

    def _count(self, order: Sequence[int], sign: int) -> None:
        for place, player in enumerate(order):
            self._seats[player, place] += sign
            self._right[order[place - 1], player] += sign


def _steps(
    came: dict[int, tuple[int, tuple[int, int]]], start: int, end: int
) -> list[tuple[int, tuple[int, int], int]]:
    steps = []
    while end != start:
        giver, place = came[end]
        steps.append((giver, place, end))
        end = giver
    return steps[::-1]
