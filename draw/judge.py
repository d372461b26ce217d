"""The judgement of a tournament, round by round."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from draw.bounds import Seated, bounds
from draw.model import DEFAULT_SIZES, Entrant, Order, PastRound, Report, Round, Sizes
from draw.sizes import least_odd


def judge(
    rounds: Sequence[PastRound | Round],
    entrants: Iterable[Entrant] = (),
    sizes: Sizes = DEFAULT_SIZES,
    *,
    seed: int = 0,
    order: Order = "repeats",
    searched: float = 0.0,
) -> Report:
    """Return the report on all rounds together.

    ``entrants`` are needed for their labels alone, ``sizes`` for the tables of another size. ``searched`` is the budget
    of the search that made the last round; it is in the report if a figure is above its bound.
    """
    judgement = Judgement({entrant.number: entrant.labels for entrant in entrants}, sizes, order)
    for played in rounds:
        judgement.add(played)
    return judgement.report(seed, searched)


class Judgement:
    """The counts of the rounds so far."""

    def __init__(self, labels: dict[int, frozenset[str]], sizes: Sizes, order: Order = "repeats") -> None:
        self.labels = {number: names for number, names in labels.items() if names}
        self.sizes = sizes
        self.wished = sizes.wished
        self.order = order
        self.rounds: list[Seated] = []
        self.meetings: Counter[tuple[int, int]] = Counter()
        self.right: Counter[tuple[int, int]] = Counter()
        self.sat: Counter[int] = Counter()
        self.outs: Counter[int] = Counter()
        self.odd: Counter[int] = Counter()
        self.seat_numbers: Counter[tuple[int, int]] = Counter()
        self.last: dict[int, int] = {}
        self.outs_again = self.odd_tables = self.odd_bound = self.odd_again = self.together = self.labels_bound = 0
        self.moved = 0

    def add(self, played: PastRound | Round) -> None:
        """Count one more round."""
        seated = [number for table in played.tables for number in table.seats]
        counts = tuple(len(table.seats) for table in played.tables)
        self.rounds.append(Seated(counts, frozenset(seated)))
        self.odd_bound += least_odd(counts, self.sizes)
        self.outs_again += _again(self.outs, played.out, [*seated, *played.out])
        at_odd = [number for table in played.tables if len(table.seats) != self.wished for number in table.seats]
        self.odd_again += _again(self.odd, at_odd, seated)
        for table in played.tables:
            self._add_table(table.number, table.seats)
        if self.labels:
            self.labels_bound += labels_bound(seated, self.labels, counts)

    def _add_table(self, number: int, seats: tuple[int, ...]) -> None:
        count = len(seats)
        self.odd_tables += count != self.wished
        self.meetings.update(combinations(sorted(seats), 2))
        self.right.update(zip(seats, (*seats[1:], seats[0]), strict=True))
        for place, player in enumerate(seats):
            self.sat[player] += 1
            self.seat_numbers[place, player] += 1
            self.moved += self.last.get(player, number) != number
            self.last[player] = number
        if self.labels:
            self.together += together(seats, self.labels)

    def report(self, seed: int, searched: float = 0.0) -> Report:
        """Return the report on the counted rounds."""
        meetings = self.meetings.values()
        most, repeats = max(meetings, default=0), sum(meetings) - len(self.meetings)
        least = bounds(self.rounds, self.wished, self.order)
        uneven = self._uneven()
        spreads = [
            self._spread(place) for place in range(max((place for place, _ in self.seat_numbers), default=-1) + 1)
        ]
        best = repeats <= least.repeats and most <= least.most and not uneven
        return Report(
            seed=seed,
            order=self.order,
            outs_again=self.outs_again,
            odd_tables=self.odd_tables,
            odd_bound=self.odd_bound,
            odd_again=self.odd_again,
            odd_uneven=uneven,
            labels_together=self.together,
            labels_bound=self.labels_bound,
            most=most,
            most_bound=least.most,
            repeats=repeats,
            bound=least.repeats,
            bound_by=least.reason,
            searched=0 if best else round(1000 * searched),
            neighbours=sum(self.right.values()) - len(self.right),
            deals=spreads[0] if spreads else 0,
            seats=max(spreads, default=0),
            moved=self.moved,
        )

    def _uneven(self) -> int:
        """Return the number of seats at tables of another size that are missing to an even share."""
        counts = sorted((self.odd[number] for number in self.sat), reverse=True)
        share, more = divmod(sum(counts), len(counts)) if counts else (0, 0)
        return sum(max(0, had - share - (place < more)) for place, had in enumerate(counts))

    def _spread(self, place: int) -> int:
        counts = [self.seat_numbers[place, number] for number in self.sat]
        return max(counts) - min(counts)


def _again(counts: Counter[int], chosen: Sequence[int], present: Sequence[int]) -> int:
    """Count one more turn for the chosen; return the number of turns above the best choice.

    The best choice takes the entrants with the fewest turns.
    """
    best = sorted(counts[number] for number in present)[: len(chosen)]
    real = sorted(counts[number] for number in chosen)
    counts.update(chosen)
    return sum(had - could for had, could in zip(real, best, strict=True))


def together(seats: Iterable[int], labels: dict[int, frozenset[str]]) -> int:
    """Return the number of pairs at a table that share a label."""
    marked = [labels[number] for number in seats if number in labels]
    return sum(not first.isdisjoint(other) for first, other in combinations(marked, 2))


def labels_bound(seated: Iterable[int], labels: dict[int, frozenset[str]], sizes: Sequence[int]) -> int:
    """Return the least number of pairs at one table that share a label, by the label that forces most.

    A label whose bearers are more than the tables is spread over them as evenly as their sizes allow.
    """
    bearers = Counter(label for number in seated for label in labels.get(number, ()))
    return max((_forced(count, sizes) for count in bearers.values()), default=0)


def _forced(bearers: int, sizes: Sequence[int]) -> int:
    pairs = 0
    level = 0
    while bearers > 0:
        seats = sum(size > level for size in sizes)
        pairs += min(bearers, seats) * level
        bearers -= seats
        level += 1
    return pairs
