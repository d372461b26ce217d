"""The order at a table: neighbours, first dealers and seat numbers."""

from collections.abc import Callable, Sequence
from itertools import permutations

from draw.history import History
from draw.lot import Lot

_ALL_ORDERS_UP_TO = 5
NEIGHBOUR, DEAL = 1 << 20, 1 << 10
"""The cost of a neighbour whom one had before, and of a first deal beside that of the seat number."""


def seat_order(members: Sequence[int], history: History, lot: Lot) -> tuple[int, ...]:
    """Return the members of a table in the best order of play; the first deals first.

    Few get a neighbour on the right whom they had before, then the entrants with the fewest first deals deal first,
    then seat numbers are
    spread. Up to five are tried in every order, more by exchanges.
    """
    mixed = lot.shuffled(members)
    prices = [[_place_price(player, place, history) for place in range(len(mixed))] for player in mixed]
    again = [[NEIGHBOUR * ((player, other) in history.right) for other in mixed] for player in mixed]
    return tuple(mixed[place] for place in best_order(prices, again))


def best_order(prices: Sequence[Sequence[int]], again: Sequence[Sequence[int]]) -> Sequence[int]:
    """Return the cheapest order; ``prices`` by member and place, ``again`` by member and the one who sits next."""
    count = len(prices)

    def price(order: Sequence[int]) -> int:
        before = order[-1]
        total = 0
        for place, player in enumerate(order):
            total += prices[player][place] + again[before][player]
            before = player
        return total

    if count <= _ALL_ORDERS_UP_TO:
        return min(permutations(range(count)), key=price)
    return _by_exchanges(list(range(count)), price)


def order_price(order: Sequence[int], history: History) -> int:
    """Return the cost of an order of play; the same as `seat_order` compares."""
    pairs = zip(order, (*order[1:], order[0]), strict=True)
    again = sum(pair in history.right for pair in pairs)
    return NEIGHBOUR * again + sum(_place_price(player, place, history) for place, player in enumerate(order))


def _place_price(player: int, place: int, history: History) -> int:
    """Return the cost of a seat number; with the first goes the first deal.

    One more of a kind adds 2n + 1 to the sum of squares, of which 1 is the same for all.
    """
    return 2 * history.seats[player][place] + (place == 0) * DEAL * 2 * history.deals[player]


def _by_exchanges(order: list[int], price: Callable[[Sequence[int]], int]) -> list[int]:
    lowest = price(order)
    better = True
    while better:
        better = False
        for first in range(len(order)):
            for second in range(first + 1, len(order)):
                order[first], order[second] = order[second], order[first]
                now = price(order)
                if now < lowest:
                    lowest, better = now, True
                else:
                    order[first], order[second] = order[second], order[first]
    return order
