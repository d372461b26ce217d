"""Counts from the past rounds for the present entrants."""

from collections.abc import Sequence

from draw.model import Entrant, PastRound, Sizes


class History:
    """Counts from the past rounds, by the index of the present entrants in the order of their start numbers.

    Attributes:
        meets: the number of meetings of each with each of the others. outs, odd: the number of sit-outs of each, and of
        tables of another size than the wished one.
        right: the pairs (a, b) of indices where b sat next after a in the order of play.
        deals: the number of first deals of each. seats: the number of times that each had each seat number.
        last: the table number of each in the last round that the entrant played.
    """

    __slots__ = ("deals", "index", "last", "meets", "numbers", "odd", "outs", "right", "seats")

    def __init__(self, entrants: Sequence[Entrant], past: Sequence[PastRound], sizes: Sizes) -> None:
        self.numbers = [entrant.number for entrant in entrants]
        self.index = {number: place for place, number in enumerate(self.numbers)}
        count = len(self.numbers)
        self.meets: list[dict[int, int]] = [{} for _ in range(count)]
        self.outs = [0] * count
        self.odd = [0] * count
        self.right: set[tuple[int, int]] = set()
        self.deals = [0] * count
        self.seats = [[0] * 7 for _ in range(count)]
        self.last: list[int | None] = [None] * count
        for played in past:
            self._add(played, sizes)

    def _add(self, played: PastRound, sizes: Sizes) -> None:
        index = self.index
        for number in played.out:
            if number in index:
                self.outs[index[number]] += 1
        for table in played.tables:
            odd = len(table.seats) != sizes.wished
            sitting = [index.get(number) for number in table.seats]
            for place, player in enumerate(sitting):
                if player is None:
                    continue
                self.odd[player] += odd
                self.deals[player] += place == 0
                self.seats[player][place] += 1
                self.last[player] = table.number
                row = self.meets[player]
                for other in sitting:
                    if other is not None and other != player:
                        row[other] = row.get(other, 0) + 1
                after = sitting[(place + 1) % len(sitting)]
                if after is not None:
                    self.right.add((player, after))

    @property
    def most(self) -> int:
        """Return the greatest number of meetings of two present entrants."""
        return max((max(row.values()) for row in self.meets if row), default=0)
