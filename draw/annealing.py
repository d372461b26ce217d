"""Search over all rounds of a plan at once, for fewer meetings than a draw round by round reaches.

Simulated annealing over exchanges of two entrants in one round (Kirkpatrick, Gelatt, Vecchi: *Optimization by simulated
annealing*, Science 1983). Sit-outs stay as they are. Tables of another size go on by turns, or their even share in the
end is a part of the cost. Rounds that were played stay.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from draw.lot import Lot

LOOKS_A_SECOND: Final = 1_000_000
"""How many exchanges one second of a budget stands for; most are dropped at the first look."""
_EXCHANGE: Final = 40
"""How many looks take the time of one exchange that is made."""

_STAGES: Final = 200
_REPEAT: Final = 2
"""The cost of a repeat; that of a table of another size too many is 1."""
_FIRST_CHANCE: Final = 0.316
"""The chance of an exchange that is worse by 1, at the beginning."""
_COOLING: Final = 0.9874
"""What a stage leaves of the chance; at the end it is about 0.03."""
_WORST: Final = 14
_SKIPPED: Final = 0.75
"""The share of the looks at entrants who cost nothing that are dropped."""
_SHARING: Final = 400
"""After so many looks, exchanges are tried that share tables of another size more evenly and cost no repeat."""
_TOO_OFTEN: Final = 3
"""The additional cost of each meeting of a pair above the number that is aimed at."""

Groups = list[list[list[int]]]


class Schedule:
    """All rounds with their costs.

    ``at[r][a][t]`` is the cost of a at table t in round r: for each entrant there, the price of one more meeting, after
    those in the other rounds.
    """

    def __init__(
        self, rounds: Sequence[Sequence[Sequence[int]]], players: int, aim: int, wished: int, *, by_turns: bool
    ) -> None:
        self.players = players
        self.strict = by_turns
        self.tables: Groups = [[list(members) for members in tables] for tables in rounds]
        count = len(rounds)
        self.price = [0, *(_REPEAT * (1 + _TOO_OFTEN * (met + 1 > aim)) for met in range(1, count + 2))]
        self.met = [[0] * players for _ in range(players)]
        self.table_of = [[-1] * players for _ in rounds]
        for number, tables in enumerate(self.tables):
            for place, members in enumerate(tables):
                for member in members:
                    self.table_of[number][member] = place
                    for other in members:
                        self.met[member][other] += member != other
        self.at = [[self._row(number, player) for player in range(players)] for number in range(count)]
        self.odd = [[len(members) != wished for members in tables] for tables in self.tables]
        self.turns = self._turns()
        self.had = list(self.turns[-1])
        least, more = divmod(sum(self.had), players)
        self.uneven = sum(had * (had - 1) // 2 for had in self.had)
        self.even = players * (least * (least - 1) // 2) + more * least
        total = [0]
        for price in self.price:
            total.append(total[-1] + price)
        self.cost = sum(total[met] for row in self.met for met in row) // 2

    def _row(self, number: int, player: int) -> list[int]:
        table_of, met, here = self.table_of[number], self.met[player], self.table_of[number][player]
        row = [0] * len(self.tables[number])
        for other, place in enumerate(table_of):
            if other != player and place >= 0:
                row[place] += self.price[met[other] - (place == here)]
        return row

    def _turns(self) -> list[list[int]]:
        """Return, for each round, the number of tables of another size that each had up to that round."""
        sums = []
        counts = [0] * self.players
        for tables, odd in zip(self.tables, self.odd, strict=True):
            for members, is_odd in zip(tables, odd, strict=True):
                for member in members:
                    counts[member] += is_odd
            sums.append(list(counts))
        return sums

    def by_turns(self, number: int, player: int, other: int) -> bool:
        """Return True if two may exchange a table of another size for one of the wished size."""
        odd, table_of = self.odd[number], self.table_of[number]
        if not self.strict or odd[table_of[player]] == odd[table_of[other]]:
            return True
        had, has_not = (player, other) if odd[table_of[player]] else (other, player)
        return all(turns[had] > turns[has_not] for turns in self.turns[number:])

    def exchange(self, number: int, player: int, other: int) -> None:
        """Let two entrants change places in a round."""
        table_of = self.table_of[number]
        here, there = table_of[player], table_of[other]
        costs = self.at[number]
        self.cost += costs[player][there] + costs[other][here] - costs[player][here] - costs[other][there]
        self.cost -= 2 * self.price[self.met[player][other]]
        if self.odd[number][here] != self.odd[number][there]:
            had, has_not = (player, other) if self.odd[number][here] else (other, player)
            self.uneven += self.had[has_not] - self.had[had] + 1
            self.had[had] -= 1
            self.had[has_not] += 1
            if self.strict:
                for turns in self.turns[number:]:
                    turns[had] -= 1
                    turns[has_not] += 1
        self._move(number, player, here, there)
        self._move(number, other, there, here)

    def _move(self, number: int, player: int, here: int, there: int) -> None:
        """Move an entrant to another table; the table is one too large until the partner has left it."""
        tables, costs, met = self.tables[number], self.at[number], self.met[player]
        tables[here].remove(player)
        for other in tables[here]:
            self._meet(number, player, other, -1)
        # In this round the others pay for the entrant elsewhere now.
        for other, times in enumerate(met):
            price = self.price[times]
            if price and other != player:
                costs[other][here] -= price
                costs[other][there] += price
        for other in tables[there]:
            self._meet(number, player, other, 1)
        tables[there].append(player)
        self.table_of[number][player] = there

    def _meet(self, number: int, player: int, other: int, change: int) -> None:
        """Change the meetings of a pair, and their cost for each other in the other rounds."""
        met = self.met
        before = met[player][other]
        met[player][other] = met[other][player] = before + change
        price = self.price
        for place, table_of in enumerate(self.table_of):
            if place == number:
                continue
            mine, others = table_of[player], table_of[other]
            if mine < 0 or others < 0:
                continue
            elsewhere = before - (mine == others)
            difference = price[elsewhere + change] - price[elsewhere]
            if difference:
                costs = self.at[place]
                costs[player][others] += difference
                costs[other][mine] += difference


def annealed(
    rounds: Sequence[Sequence[Sequence[int]]],
    players: int,
    wished: int,
    aim: int,
    lot: Lot,
    looks: int,
    floor: int,
    *,
    by_turns: bool,
    played: int = 0,
) -> Groups:
    """Return the rounds after a search; the entrants are numbered from 0.

    ``aim`` is the number of meetings of a pair up to which a repeat has the lowest cost, ``looks`` the number of
    exchanges to look at, ``floor`` a number of repeats that is good enough. The first rounds, which were ``played``,
    stay as they are. `random.Random.random` gives the same numbers for the same seed in every version of Python, and
    products of floats are the same on every machine; powers are not.
    """
    schedule = Schedule(rounds, players, aim, wished, by_turns=by_turns)
    random = Random(lot.below(1 << 62)).random  # noqa: S311 - no secret
    best = (schedule.cost, schedule.uneven)
    goal = (_REPEAT * floor, schedule.uneven if by_turns else schedule.even)
    kept = [[list(members) for members in tables] for tables in schedule.tables]
    chance = _FIRST_CHANCE
    for _ in range(_STAGES):
        chances = [1.0]
        for _ in range(_WORST):
            chances.append(chances[-1] * chance)
        chance *= _COOLING
        left = looks // _STAGES
        while left > 0:
            if best <= goal:
                return kept
            left -= 1
            if left % _SHARING == 0 and not by_turns and schedule.uneven > schedule.even:
                left -= _share(schedule, random, played)
            if _step(schedule, random, chances, played):
                left -= _EXCHANGE
            if (schedule.cost, schedule.uneven) < best:
                best = (schedule.cost, schedule.uneven)
                kept = [[list(members) for members in tables] for tables in schedule.tables]
    return kept


def _share(schedule: Schedule, random: Callable[[], float], played: int) -> int:
    """Make the first exchange in a round that gives a table of another size from one who had most to one who had fewest
    and costs no repeat; return the number of exchanges that were looked at."""
    number = played + int(random() * (len(schedule.tables) - played))
    odd, table_of, costs, had = schedule.odd[number], schedule.table_of[number], schedule.at[number], schedule.had
    seated = [player for player, table in enumerate(table_of) if table >= 0]
    most, least = max(had[player] for player in seated), min(had[player] for player in seated)
    givers = [player for player in seated if had[player] == most and odd[table_of[player]]]
    takers = [player for player in seated if had[player] == least and not odd[table_of[player]]]
    looks = 0
    if most - least < 2 or not givers or not takers:
        return looks
    first = int(random() * len(takers))
    for giver in givers:
        here, met = table_of[giver], schedule.met[giver]
        for other in (*takers[first:], *takers[:first]):
            looks += 1
            there = table_of[other]
            worse = (
                costs[giver][there]
                + costs[other][here]
                - costs[giver][here]
                - costs[other][there]
                - 2 * schedule.price[met[other]]
            )
            if worse <= 0:
                schedule.exchange(number, giver, other)
                return looks + _EXCHANGE
    return looks


def _step(schedule: Schedule, random: Callable[[], float], chances: Sequence[float], played: int) -> bool:
    """Look at one exchange; make it if it costs nothing, or by chance. Return True if it was made."""
    number = played + int(random() * (len(schedule.tables) - played))
    player = int(random() * schedule.players)
    costs, table_of = schedule.at[number], schedule.table_of[number]
    here, mine = table_of[player], costs[player]
    if here < 0 or (not mine[here] and random() < _SKIPPED):
        return False
    other = int(random() * schedule.players)
    there = table_of[other]
    if there == here or there < 0:
        return False
    row = costs[other]
    worse = mine[there] + row[here] - mine[here] - row[there] - 2 * schedule.price[schedule.met[player][other]]
    odd = schedule.odd[number]
    if odd[here] != odd[there] and not schedule.strict:
        had, has_not = (player, other) if odd[here] else (other, player)
        worse += schedule.had[has_not] - schedule.had[had] + 1
    if worse > 0 and (worse > _WORST or random() >= chances[worse]):
        return False
    if not schedule.by_turns(number, player, other):
        return False
    schedule.exchange(number, player, other)
    return True
