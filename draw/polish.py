"""Search over all rounds of a plan at once, for fewer meetings than a draw round by round reaches.

The same tabu search as in `draw.search`, with the exchanges of all rounds. Sit-outs stay as they are; tables of another
size go on by turns.
"""

from collections.abc import Sequence
from typing import Final

from draw.lot import Lot

_TENURE: Final = 5
_STUCK: Final = 3000
_TOO_OFTEN: Final = 1000
"""The cost of each meeting of a pair above the greatest number that arithmetic allows to aim at."""

Groups = list[list[list[int]]]


class Schedule:
    """All rounds with their costs.

    ``at[r][a][t]`` is what a would cost at table t in round r: for each of those who sit there, the price of one more
    meeting, after those in the other rounds.
    """

    def __init__(self, rounds: Sequence[Sequence[Sequence[int]]], players: int, aim: int, wished: int) -> None:
        self.players = players
        self.tables: Groups = [[list(members) for members in tables] for tables in rounds]
        count = len(rounds)
        self.price = [0, *(1 + _TOO_OFTEN * (met + 1 > aim) for met in range(1, count + 2))]
        self.met = [[0] * players for _ in range(players)]
        self.table_of = [[-1] * players for _ in rounds]
        for number, tables in enumerate(self.tables):
            for place, members in enumerate(tables):
                for one in members:
                    self.table_of[number][one] = place
                    for other in members:
                        self.met[one][other] += one != other
        self.at = [[self._row(number, one) for one in range(players)] for number in range(count)]
        self.odd = [[len(members) != wished for members in tables] for tables in self.tables]
        self.turns = self._turns()
        self.cost = sum(self.costs_of(number)[one] for number in range(count) for one in range(players))

    def costs_of(self, number: int) -> list[int]:
        """Return what each costs at the table where he sits in a round; 0 for a sit-out."""
        at = self.at[number]
        return [at[one][place] if place >= 0 else 0 for one, place in enumerate(self.table_of[number])]

    def _row(self, number: int, one: int) -> list[int]:
        table_of, met, here = self.table_of[number], self.met[one], self.table_of[number][one]
        row = [0] * len(self.tables[number])
        for other, place in enumerate(table_of):
            if other != one and place >= 0:
                row[place] += self.price[met[other] - (place == here)]
        return row

    def _turns(self) -> list[list[int]]:
        """Return, for each round, how many tables of another size each had up to that round."""
        sums = []
        counts = [0] * self.players
        for tables, odd in zip(self.tables, self.odd, strict=True):
            for members, is_odd in zip(tables, odd, strict=True):
                for one in members:
                    counts[one] += is_odd
            sums.append(list(counts))
        return sums
