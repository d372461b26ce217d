"""The seats of newcomers in a drawn round, so that as few others as possible move."""

from collections.abc import Iterable, Sequence

from draw.history import History
from draw.lot import Lot
from draw.model import Entrant, Round, Sizes
from draw.sizes import table_sizes


class Reseating:
    """The tables of a round after newcomers were seated.

    Attributes:
        tables: the start numbers at each table.
        old_numbers: the number that each table had before; None for a new one.
        free: the start numbers of those who had no seat or lost it; only these may be exchanged.
        out: the start numbers of those who sit out.
    """

    def __init__(
        self,
        current: Round,
        entrants: Sequence[Entrant],
        history: History,
        sizes: Sizes,
        named_out: frozenset[int],
        weights: Sequence[dict[int, int]],
        lot: Lot,
    ) -> None:
        self._weights = weights
        self._sizes = sizes
        self._history = history
        self._lot = lot
        self._fixed = {player.number: player.fixed_table for player in entrants if player.fixed_table is not None}
        self.old_numbers: list[int | None] = [table.number for table in current.tables]
        can_sit = [entrant.number for entrant in entrants if entrant.number not in named_out]
        seats = sum(table_sizes(len(can_sit), sizes))
        self.tables = [
            [number for number in table.seats if self._may_stay(number, table.number, set(can_sit))]
            for table in current.tables
        ]
        self.out = set(named_out)
        self._send_out(can_sit, len(can_sit) - seats)
        seated = {number for members in self.tables for number in members}
        self._pool = lot.shuffled([number for number in can_sit if number not in seated and number not in self.out])
        self.free: set[int] = set(self._pool)
        self._empty_overfull()
        self._choose_tables(seats)
        self._seat_fixed()
        self._fill()
        self.free -= set(self._fixed)

    def _may_stay(self, number: int, table: int, can_sit: set[int]) -> bool:
        return number in can_sit and self._fixed.get(number, table) == table

    def _send_out(self, can_sit: Iterable[int], count: int) -> None:
        """Let so many sit out: those with fewest sit-outs, among them first those who have no seat yet."""
        seated = {number for members in self.tables for number in members}
        outs = self._history.outs
        index = self._history.index
        order = sorted(self._lot.shuffled(can_sit), key=lambda number: (outs[index[number]], number in seated))
        for number in order[:count]:
            self.out.add(number)
            for members in self.tables:
                if number in members:
                    members.remove(number)

    def _empty_overfull(self) -> None:
        for members in self.tables:
            while len(members) > self._sizes.most:
                self._release(members, self._movable(members)[-1])

    def _movable(self, members: Iterable[int]) -> list[int]:
        return [number for number in members if number not in self._fixed]

    def _release(self, members: list[int], number: int) -> None:
        members.remove(number)
        self._pool.append(number)
        self.free.add(number)

    def _choose_tables(self, seats: int) -> None:
        """Close or open tables so that as few as possible lose their seat."""
        least, most = self._sizes.least, self._sizes.most
        fixed = {table for number, table in self._fixed.items() if number not in self.out}
        counts = range(max(len(fixed), -(-seats // most)), seats // least + 1)
        if not counts:
            raise ValueError(
                f"{len(fixed)} tables are fixed, but there are only {seats // least} tables in this round."
            )
        closable = sorted(
            (place for place, members in enumerate(self.tables) if len(self._movable(members)) == len(members)),
            key=lambda place: (len(self.tables[place]), -place),
        )
        possible = [count for count in counts if count >= len(self.tables) - len(closable)]
        chosen = min(possible or [max(counts)], key=lambda count: self._price(count, closable, seats))
        closing = set(closable[: max(0, len(self.tables) - chosen)])
        for place in closing:
            for number in list(self.tables[place]):
                self._release(self.tables[place], number)
        self.old_numbers = [old for place, old in enumerate(self.old_numbers) if place not in closing]
        self.tables = [members for place, members in enumerate(self.tables) if place not in closing]
        while len(self.tables) < chosen:
            self.tables.append([])
            self.old_numbers.append(None)

    def _price(self, count: int, closable: Sequence[int], seats: int) -> tuple[int, int]:
        """Return the number of lost seats with so many tables, and the distance of their size from the wished one."""
        closing = set(closable[: max(0, len(self.tables) - count)])
        kept = [len(members) for place, members in enumerate(self.tables) if place not in closing]
        kept += [0] * (count - len(kept))
        moved = sum(len(self.tables[place]) for place in closing)
        lacking = sum(max(0, self._sizes.least - size) for size in kept)
        moved += max(0, lacking - (len(self._pool) + moved))
        return moved, abs(seats - count * self._sizes.wished)

    def _seat_fixed(self) -> None:
        """Seat the newcomers with a fixed table: at that table, or at one that will get its number."""
        for number in [number for number in self._pool if number in self._fixed]:
            self._pool.remove(number)
            members = self.tables[self._place_of(self._fixed[number])]
            if len(members) >= self._sizes.most:
                if not self._movable(members):
                    raise ValueError(f"Table {self._fixed[number]} is fixed for more entrants than it may have.")
                self._release(members, self._movable(members)[-1])
            members.append(number)

    def _place_of(self, table: int) -> int:
        """Return the place of a fixed table among the tables; a table without a fixed entrant may get its number."""
        if table in self.old_numbers:
            return self.old_numbers.index(table)
        for place, members in enumerate(self.tables):
            if any(self._fixed.get(number) == table for number in members):
                return place
        wanted = set(self._fixed.values())
        places = [
            place
            for place, members in enumerate(self.tables)
            if len(self._movable(members)) == len(members) and self.old_numbers[place] not in wanted
        ]
        return min(places, key=lambda place: len(self.tables[place]))

    def _fill(self) -> None:
        """Seat the pool: first where a table is too small, then up to the wished size, then above it."""
        least = self._sizes.least
        while lacking := [members for members in self.tables if len(members) < least]:
            largest = max(lacking, key=len)
            if not self._pool:
                self._release_one(largest)
            costs = [self._cost(number, largest) for number in self._pool]
            largest.append(self._pool.pop(costs.index(min(costs))))
        while self._pool:
            self._table_for(self._pool[0]).append(self._pool.pop(0))

    def _table_for(self, number: int) -> list[int]:
        """Return the table where a newcomer costs least, among those that come nearest to the wished size."""
        wished, most = self._sizes.wished, self._sizes.most
        below = [members for members in self.tables if len(members) < wished]
        room = below or [members for members in self.tables if wished < len(members) < most]
        room = room or [members for members in self.tables if len(members) < most]
        largest = max(map(len, room))
        # A table above the wished size counts as a turn of its members.
        return min(
            (members for members in room if len(members) == largest),
            key=lambda members: (0 if below else self._turns(members), self._cost(number, members)),
        )

    def _release_one(self, lacking: Sequence[int]) -> None:
        """Take one entrant from a table that has more than the least, from the largest one."""
        roomy = [members for members in self.tables if len(members) > self._sizes.least and self._movable(members)]
        largest = max(roomy, key=lambda members: (len(members), self._turns(members)))
        choice = self._lot.shuffled(self._movable(largest))
        self._release(largest, min(choice, key=lambda number: self._cost(number, lacking)))

    def _cost(self, number: int, members: Iterable[int]) -> int:
        """Return the cost of an entrant at a table, for labels and earlier meetings."""
        index = self._history.index
        weights = self._weights[index[number]]
        return sum(weights.get(index[other], 0) for other in members)

    def _turns(self, members: Iterable[int]) -> int:
        """Return the number of tables of another size that the members had."""
        return sum(self._history.odd[self._history.index[number]] for number in members)
