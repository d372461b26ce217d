"""The groups of entrants at the tables, by the three modes."""

from collections.abc import Iterable, Sequence

from draw.history import History
from draw.judge import labels_bound
from draw.layout import Layout, by_lot
from draw.lot import Lot
from draw.model import Entrant, Order
from draw.search import LOOKS_A_SECOND, Board, improve

_ODD_AGAIN = 1
"""The cost of a further table of another size, for each earlier one, where repeats come first."""
_AGAIN = 16 << 10
"""The cost of a meeting that is not the first; the number of earlier ones is added, up to 15."""
_EARLIER = 1 << 10
_MORE_THAN_EVER = 1 << 30
"""The cost of a pair that meets more often than any pair did."""
_LABEL = 1 << 50


def by_lot_apart(
    plan: Layout, entrants: Sequence[Entrant], history: History, lot: Lot, seconds: float
) -> list[list[int]]:
    """Return tables by lot, with labels apart."""
    tables = by_lot(plan, history, lot)
    if any(entrants[player].labels for player in plan.seated):
        return _searched(tables, plan, entrants, history, label_weights(plan.seated, entrants), lot, seconds)
    return tables


def balanced(
    plan: Layout, entrants: Sequence[Entrant], history: History, lot: Lot, seconds: float, order: Order = "repeats"
) -> list[list[int]]:
    """Return tables with labels apart, the smallest maximum of meetings, and few repeats.

    With the order *repeats* those who had fewest tables of another size get them where that costs no repeat.
    """
    weights = meeting_weights(plan.seated, entrants, history, meetings=True)
    again = _ODD_AGAIN if order == "repeats" else None
    return _searched(by_lot(plan, history, lot), plan, entrants, history, weights, lot, seconds, again)


def meeting_weights(
    seated: Sequence[int], entrants: Sequence[Entrant], history: History, *, meetings: bool
) -> list[dict[int, int]]:
    """Return the cost of two seated entrants at one table, for their labels and for earlier meetings."""
    weights = label_weights(seated, entrants)
    if not meetings:
        return weights
    most = max(1, history.most)
    price = [
        0,
        *(_AGAIN + min(met, 15) * _EARLIER + max(0, met + 1 - most) * _MORE_THAN_EVER for met in range(1, most + 1)),
    ]
    local = {player: place for place, player in enumerate(seated)}
    for row, player in zip(weights, seated, strict=True):
        for other, met in history.meets[player].items():
            if other in local:
                row[local[other]] = row.get(local[other], 0) + price[met]
    return weights


def label_weights(seated: Sequence[int], entrants: Sequence[Entrant]) -> list[dict[int, int]]:
    """Return the cost of two seated entrants at one table, as far as it comes from labels."""
    weights: list[dict[int, int]] = [{} for _ in seated]
    bearers: dict[str, list[int]] = {}
    for place, player in enumerate(seated):
        for label in sorted(entrants[player].labels):
            bearers.setdefault(label, []).append(place)
    for same in bearers.values():
        for place in same:
            weights[place].update((other, _LABEL) for other in same if other != place)
    return weights


def _searched(
    tables: list[list[int]],
    plan: Layout,
    entrants: Sequence[Entrant],
    history: History,
    weights: list[dict[int, int]],
    lot: Lot,
    seconds: float,
    again: int | None = None,
) -> list[list[int]]:
    turns = [history.odd[player] for player in plan.seated]
    labels = {player: entrants[player].labels for player in plan.seated}
    floor = _LABEL * labels_bound(plan.seated, labels, plan.sizes)
    return searched(
        tables,
        plan.seated,
        weights,
        lot,
        seconds,
        pinned=plan.pinned,
        odd=plan.odd,
        turns=turns,
        again=again,
        floor=floor,
    )


def searched(
    tables: Sequence[Sequence[int]],
    seated: Sequence[int],
    weights: list[dict[int, int]],
    lot: Lot,
    seconds: float,
    *,
    pinned: Iterable[int] = (),
    odd: Sequence[bool] = (),
    turns: Sequence[int] = (),
    again: int | None = None,
    floor: int = 0,
) -> list[list[int]]:
    """Return the tables after a search that ends at the cost ``floor``; inside, the seated are numbered from 0."""
    local = {player: place for place, player in enumerate(seated)}
    board = Board(
        [[local[member] for member in members] for members in tables],
        weights,
        odd=odd or [False] * len(tables),
        turns=turns or [0] * len(seated),
        again=again,
        pinned=frozenset(local[player] for player in pinned),
    )
    smallest = min(map(len, tables))
    least = max(floor, _floor(smallest, weights))
    if again:
        seats = sum(len(members) for members, is_odd in zip(tables, odd, strict=True) if is_odd)
        least += again * sum(sorted(turns)[:seats])
    improve(board, lot, int(seconds * LOOKS_A_SECOND), least)
    return [[seated[place] for place in members] for members in board.tables]


def _floor(smallest: int, weights: list[dict[int, int]]) -> int:
    """Return a lower bound of the cost of a round: an entrant with too many past meetings must meet some of them
    again."""
    cheapest = min((min(row.values()) for row in weights if row), default=0)
    forced = sum(max(0, smallest - (len(weights) - len(row))) for row in weights)
    return forced * cheapest // 2


def by_standing(plan: Layout, entrants: Sequence[Entrant], history: History, lot: Lot) -> list[list[int]]:
    """Return tables in the order of the scores, the highest first; equal scores by lot.

    Tables of another size stand where fewest sit who had one before, else at the end. A fixed table stands where its
    first entrant ranks, but never first. Labels are kept apart by exchanges over the smallest distance.
    """
    ranked = lot.shuffled(plan.seated)
    ranked.sort(key=lambda player: -entrants[player].score)
    order = _table_order(plan, ranked, history)
    tables: list[list[int]] = [[] for _ in plan.sizes]
    for player, table in plan.pinned.items():
        tables[table].append(player)
    free = [player for player in ranked if player not in plan.pinned]
    for table in order:
        room = plan.sizes[table] - len(tables[table])
        tables[table].extend(free[:room])
        free = free[room:]
    _keep_apart(tables, order, ranked, plan, entrants)
    return [tables[table] for table in order] if not plan.fixed else _in_order(tables, order, plan)


def _in_order(tables: list[list[int]], order: Sequence[int], plan: Layout) -> list[list[int]]:
    """Put the tables that are not fixed in the order of the ranking and leave the fixed ones at their place."""
    moving = iter([table for table in order if table not in plan.fixed])
    return [tables[place] if place in plan.fixed else tables[next(moving)] for place in range(len(tables))]


def _table_order(plan: Layout, ranked: Sequence[int], history: History) -> list[int]:
    normal = [table for table in range(len(plan.sizes)) if table not in plan.fixed and not plan.odd[table]]
    odd = [table for table in range(len(plan.sizes)) if table not in plan.fixed and plan.odd[table]]

    def price(start: int) -> int:
        """Return the number of earlier odd tables of the entrants who would sit at one now."""
        first = sum(plan.sizes[table] for table in normal[:start])
        seats = sum(plan.sizes[table] for table in odd)
        return sum(history.odd[player] for player in ranked[first : first + seats])

    start = min(range(len(normal), -1, -1), key=price) if odd else 0
    order = [*normal[:start], *odd, *normal[start:]]
    rank = {player: place for place, player in enumerate(ranked)}
    for table in sorted(plan.fixed):
        first = min(rank[player] for player, where in plan.pinned.items() if where == table)
        place = max(1, first * len(plan.sizes) // max(1, len(ranked)))
        order.insert(min(place, len(order)), table)
    return order


def _keep_apart(
    tables: list[list[int]], order: Sequence[int], ranked: Sequence[int], plan: Layout, entrants: Sequence[Entrant]
) -> None:
    """Exchange entrants who are near in rank until no exchange brings fewer equal labels to one table."""
    where = {player: table for table in order for player in tables[table]}
    marked = [place for place, player in enumerate(ranked) if entrants[player].labels and player not in plan.pinned]

    def cost(player: int, table: int, without: int) -> int:
        labels = entrants[player].labels
        return sum(
            not labels.isdisjoint(entrants[other].labels) for other in tables[table] if other not in (player, without)
        )

    def exchanged(place: int) -> bool:
        player = ranked[place]
        here = where[player]
        if not cost(player, here, player):
            return False
        for distance in range(1, len(ranked)):
            for other_place in (place + distance, place - distance):
                if not 0 <= other_place < len(ranked):
                    continue
                other = ranked[other_place]
                there = where[other]
                if there == here or other in plan.pinned:
                    continue
                before = cost(player, here, player) + cost(other, there, other)
                if cost(player, there, other) + cost(other, here, player) < before:
                    tables[here][tables[here].index(player)] = other
                    tables[there][tables[there].index(other)] = player
                    where[player], where[other] = there, here
                    return True
        return False

    while any(exchanged(place) for place in marked):
        pass
