"""Designs for the head counts of tournaments, and their use from round to round."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from draw.designs import NO_DESIGN, Block, Design, Rounds, design
from draw.history import History
from draw.judge import labels_bound, together
from draw.layout import Layout
from draw.lot import Lot
from draw.model import Entrant, Order, PastRound, Sizes
from draw.sizes import table_sizes

_FIXED = "\x00fixed"
"""A label for all who have a fixed table: different tables keep them apart."""
_TRIES = 400
_MOST_WORK = 400_000
"""How many blocks are looked at for the best points to delete."""
MOST_PLAYERS = 300
"""The head count up to which designs are used; a search is as good above, because few of so many meet."""


@lru_cache(maxsize=256)
def blueprint(players: int, sizes: Sizes, order: Order = "repeats") -> Design:
    """Return rounds for points 0 to players - 1 in which no two meet twice; without rounds if none are known.

    The tables have the sizes of `table_sizes`. A head count that is less than full tables of the largest size comes
    from their design by deleting points. With the order *sizes* the rounds are kept in which nobody has a table of
    another size twice before all had one; else all rounds with tables of the right sizes, those first that share the
    other tables evenly.
    """
    if players > MOST_PLAYERS:
        return NO_DESIGN
    parts = table_sizes(players, sizes)
    largest, smallest = parts[0], parts[-1]
    if sum(parts) != players or largest - smallest > 1 or len(parts) < 2:
        return NO_DESIGN
    full = design(len(parts), largest)
    lacking = len(parts) * largest - players
    if not lacking:
        return full
    if order == "sizes" and largest != sizes.wished:
        return NO_DESIGN
    best: Rounds = ()
    best_points: tuple[int, ...] = ()
    shared = 0
    for points in _deletable(full, lacking):
        kept = _deleted(full, points, players)
        if order == "sizes":
            kept = _by_turns(kept, largest, players)
        if len(kept) < max(2, len(best)):
            continue
        unevenly, kept = (0, kept) if order == "sizes" else _shared(kept, sizes.wished, players)
        if len(kept) > len(best) or unevenly < shared:
            best, best_points, shared = kept, points, unevenly
    if not best:
        return NO_DESIGN
    count = "a point" if len(best_points) == 1 else f"{len(best_points)} points"
    return Design(best, f"{full.source[:-1]}, without {count}.")


def _deletable(full: Design, lacking: int) -> Iterator[tuple[int, ...]]:
    """Yield sets of points that may be deleted: the first ones, then every pair, or others by lot."""
    points = sum(len(block) for block in full.rounds[0])
    yield tuple(range(lacking))
    work = sum(map(len, full.rounds))
    if lacking == 2 and points * points * work < 2 * _MOST_WORK:
        yield from combinations(range(points), 2)
    elif lacking > 1:
        lot = Lot(points, "delete", lacking)
        for _ in range(min(_TRIES, _MOST_WORK // work)):
            yield tuple(lot.shuffled(range(points))[:lacking])


def _deleted(full: Design, points: Sequence[int], players: int) -> Rounds:
    """Return the rounds without the points that keep the sizes: no block loses two points."""
    gone = set(points)
    left = [point for point in range(players + len(points)) if point not in gone]
    name = {point: place for place, point in enumerate(left)}
    return tuple(
        tuple(tuple(name[point] for point in block if point in name) for block in blocks)
        for blocks in full.rounds
        if all(len(gone.intersection(block)) < 2 for block in blocks)
    )


def _by_turns(rounds: Rounds, largest: int, players: int) -> Rounds:
    """Return the rounds in which the smaller tables go by turns."""
    kept = []
    turns = [0] * players
    for blocks in rounds:
        small = [point for block in blocks if len(block) < largest for point in block]
        if sum(turns[point] for point in small) > sum(sorted(turns)[: len(small)]):
            continue
        for point in small:
            turns[point] += 1
        kept.append(blocks)
    return tuple(kept)


def _shared(rounds: Rounds, wished: int, players: int) -> tuple[int, Rounds]:
    """Return the rounds in an order in which the first ones share tables of another size evenly, and a measure of it.

    The measure is the sum of the squares of the tables of each, after each round.
    """
    left = [([point for block in blocks if len(block) != wished for point in block], blocks) for blocks in rounds]
    turns = [0] * players
    total = squares = 0
    chosen = []
    while left:
        place = min(range(len(left)), key=lambda place: sum(turns[point] for point in left[place][0]))
        at_odd, blocks = left.pop(place)
        for point in at_odd:
            squares += 2 * turns[point] + 1
            turns[point] += 1
        total += squares
        chosen.append(blocks)
    return total, tuple(chosen)


def planned(
    plan: Layout,
    entrants: Sequence[Entrant],
    past: Sequence[PastRound],
    history: History,
    sizes: Sizes,
    seed: int,
    order: Order = "repeats",
) -> list[list[int]] | None:
    """Return the tables that a design gives for the next round, by index; None if there is none.

    All rounds so far must have followed the design, but entrants may have withdrawn since the first. Its points belong
    to the entrants by the seed of an earlier round or of this one, or so that the first round is the one that was
    played, by any draw.
    """
    everybody = sorted({entrant.number for entrant in entrants} | (_players(past[0]) if past else set()))
    if len(plan.out) or _shared_fixed(entrants) or len(everybody) < sizes.least:
        return None
    made = blueprint(len(everybody), sizes, order)
    rounds = _rounds(made, len(past) + 1)
    if len(rounds) <= len(past):
        return None
    labels = _labels(entrants)
    for owners in _assignments(made, everybody, past, labels, seed):
        if all(_follows(played, blocks, owners) for played, blocks in zip(past, rounds, strict=False)):
            tables = _present(rounds[len(past)], owners, history)
            if _allowed(tables, plan, labels, history, order) and not _fixed_meet(tables, entrants):
                return tables
    return None


def _rounds(made: Design, count: int) -> Rounds:
    """Return so many rounds of a design, or all; a design in which each two meet begins again at its end."""
    if not made.rounds:
        return ()
    points = sum(map(len, made.rounds[0]))
    others = sum(len(block) - 1 for blocks in made.rounds for block in blocks if 0 in block)
    times = -(-count // len(made.rounds)) if others == points - 1 else 1
    return (made.rounds * times)[:count]


def _players(played: PastRound) -> set[int]:
    return {number for table in played.tables for number in table.seats}.union(played.out)


def _shared_fixed(entrants: Iterable[Entrant]) -> bool:
    fixed = [entrant.fixed_table for entrant in entrants if entrant.fixed_table is not None]
    return len(fixed) != len(set(fixed))


def _fixed_meet(tables: Iterable[Sequence[int]], entrants: Sequence[Entrant]) -> bool:
    """Return True if two entrants with a fixed table would sit together."""
    return any(sum(entrants[member].fixed_table is not None for member in members) > 1 for members in tables)


def _labels(entrants: Iterable[Entrant]) -> dict[int, frozenset[str]]:
    labels = {}
    for entrant in entrants:
        names = entrant.labels if entrant.fixed_table is None else entrant.labels | {_FIXED}
        if names:
            labels[entrant.number] = names
    return labels


def _assignments(
    made: Design,
    everybody: Sequence[int],
    past: Sequence[PastRound],
    labels: dict[int, frozenset[str]],
    seed: int,
) -> Iterator[list[int]]:
    """Yield the start numbers of the points: by the lot of the first round, and after the first round that was played.

    The second belongs to the seed of the second round, which found the first one drawn in another way.
    """
    seeds = [*(played.seed for played in past), seed]
    first = seed if seeds[0] is None else seeds[0]
    owners = Lot(first, "plan", len(everybody)).shuffled(everybody)
    if labels:
        _separate(owners, made, labels, Lot(first, "labels", len(everybody)))
    yield owners
    if past:
        second = seed if seeds[1] is None else seeds[1]
        lot = Lot(second, "after", len(everybody))
        tables = sorted(tuple(sorted(table.seats)) for table in past[0].tables)
        blocks = made.rounds[0]
        if sorted(map(len, tables)) != sorted(map(len, blocks)):
            return
        by_point: dict[int, int] = {}
        order = sorted(lot.shuffled(tables), key=len)
        for block, table in zip(sorted(lot.shuffled(blocks), key=len), order, strict=True):
            by_point.update(zip(block, lot.shuffled(table), strict=True))
        yield [by_point[point] for point in range(len(everybody))]


def _separate(owners: list[int], made: Design, labels: dict[int, frozenset[str]], lot: Lot) -> None:
    """Exchange points between entrants until those with a common label meet late and seldom."""
    mates = {
        number: [other for other in labels if other != number and not labels[number].isdisjoint(labels[other])]
        for number in labels
    }
    place = {number: point for point, number in enumerate(owners)}
    price = _prices(made, len(owners))

    def cost(number: int, point: int, partner: int) -> int:
        row = price[point]
        return sum(row[place[other]] for other in mates.get(number, ()) if other != partner)

    total = best = sum(cost(number, place[number], number) for number in mates) // 2
    kept = list(owners)
    for _ in range(_TRIES):
        costly = [number for number in mates if cost(number, place[number], number)]
        if not costly:
            break
        player = lot.choice(costly)
        here = place[player]
        gains = {}
        for other in owners:
            if other != player:
                there = place[other]
                before = cost(player, here, other) + cost(other, there, player)
                gains[other] = cost(player, there, other) + cost(other, here, player) - before
        least = min(gains.values())
        partner = lot.choice([other for other, value in gains.items() if value == least])
        there = place[partner]
        owners[here], owners[there] = partner, player
        place[player], place[partner] = there, here
        total += least
        if total < best:
            best, kept = total, list(owners)
    owners[:] = kept


def _prices(made: Design, points: int) -> list[list[int]]:
    """Return the price of a meeting of two points; the earlier the round, the higher it is."""
    price = [[0] * points for _ in range(points)]
    for number, blocks in enumerate(made.rounds):
        for block in blocks:
            for point, other in combinations(block, 2):
                price[point][other] = price[other][point] = (len(made.rounds) - number) ** 2
    return price


def _follows(played: PastRound, blocks: Iterable[Block], owners: Sequence[int]) -> bool:
    """Return True if the round has the blocks for those who played it."""
    here = _players(played)
    expected = {frozenset(owners[point] for point in block if owners[point] in here) for block in blocks}
    return expected - {frozenset()} == {frozenset(table.seats) for table in played.tables}


def _present(blocks: Iterable[Block], owners: Sequence[int], history: History) -> list[list[int]]:
    """Return the tables of those who are present, by index."""
    index = history.index
    tables = [[index[owners[point]] for point in block if owners[point] in index] for block in blocks]
    return [members for members in tables if members]


def _allowed(
    tables: list[list[int]], plan: Layout, labels: dict[int, frozenset[str]], history: History, order: Order
) -> bool:
    """Return True if the tables are as good as a search could make them, by sizes, labels, and turns if these count."""
    tables.sort(key=len, reverse=True)
    if [len(members) for members in tables] != plan.sizes:
        return False
    at_odd = [member for members, odd in zip(tables, plan.odd, strict=True) if odd for member in members]
    turns = sum(history.odd[player] for player in at_odd)
    if order == "sizes" and turns > sum(sorted(history.odd[player] for player in plan.seated)[: len(at_odd)]):
        return False
    if not labels:
        return True
    seated = [history.numbers[player] for player in plan.seated]
    met = sum(together((history.numbers[member] for member in members), labels) for members in tables)
    return met <= labels_bound(seated, labels, plan.sizes)
