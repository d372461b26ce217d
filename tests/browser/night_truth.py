"""A night as it really was, and what it comes to: people who come and go, hands told by name, a table that divides.

Reckoned by the plain model alone: no SQL, no engine, no page. Amounts are whole Rappen.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from tests.games.test_night_walk import NightTable
from tests.promises import plain
from tests.promises.plain import COIN, PlainHand


@dataclass(frozen=True)
class Told:
    """A hand in the words of the table: who declared (None: nobody), who joined, and who of them all failed."""

    declarer: str | None
    joiners: tuple[str, ...] = ()
    failed: frozenset[str] = frozenset()

    @property
    def made(self) -> tuple[str, ...]:
        """The joiners who made it, then those who did not: so the screen marks most of them by itself."""
        return tuple(sorted(self.joiners, key=lambda name: name in self.failed))


def told(line: str) -> Told:
    """A hand by names: "Anna: Beni Carlo-" where Anna declares, Beni and Carlo join and Carlo fails; "Anna" where
    nobody joins; an empty line where nobody declares."""
    first, _, rest = line.partition(":")
    names = [first, *rest.split()] if first else []
    failed = frozenset(name.rstrip("-") for name in names if name.endswith("-"))
    plain_names = [name.rstrip("-") for name in names]
    return Told(plain_names[0], tuple(plain_names[1:]), failed) if names else Told(None)


@dataclass
class TrueTable(NightTable):
    """A table of the night by names; `number` as the club counts its tables."""

    number: int = 1

    def plays(self, line: str) -> PlainHand:
        """A hand, told by name."""
        hand = told(line)
        if hand.declarer is None:
            return self.enter(None, (), frozenset())
        seat = self.players.index
        active = (hand.declarer, *hand.joiners) if hand.joiners else ()
        made = frozenset(seat(name) for name in active if name not in hand.failed)
        return self.enter(seat(hand.declarer), tuple(sorted(map(seat, hand.joiners))), made)

    def comes(self, name: str, after: str) -> None:
        place = self.players.index(after) + 1
        self.sit((*self.players[:place], name, *self.players[place:]))

    def goes(self, *names: str) -> None:
        self.sit(tuple(one for one in self.players if one not in names))

    def swaps(self, one: str, other: str) -> None:
        places = {one: other, other: one}
        self.sit(tuple(places.get(name, name) for name in self.players))

    def divides(self, go: tuple[str, ...], first: str) -> TrueTable:
        """These go to a table of their own, where `first` deals; the pot goes by heads, in whole coins."""
        coins = self.pot * len(go) // len(self.players) // COIN * COIN
        new = TrueTable(self.evening, tuple(one for one in self.players if one in go), first, number=self.number + 1)
        new.move(coins)
        self.move(-coins)
        self.goes(*go)
        return new


@dataclass
class TrueNight:
    """All tables of an evening, and who got what of the pots in the end."""

    tables: list[TrueTable] = field(default_factory=list)
    shares: dict[str, int] = field(default_factory=dict)

    def share(self) -> None:
        """All who still sit there share what lies in the pots: the same number of coins each, and those left over one
        each, table by table from the next dealer on."""
        coins = sum(table.pot for table in self.tables) // COIN
        order: list[str] = []
        for table in self.tables:
            turn = table.players.index(table.dealer)
            order += [*table.players[turn:], *table.players[:turn]]
        self.shares = {
            name: (coins // len(order) + (place < coins % len(order))) * COIN for place, name in enumerate(order)
        }

    def sums(self) -> dict[str, int]:
        """What each won (below 0: lost) in this night."""
        total: dict[str, int] = defaultdict(int, plain.balances([*self.tables]))
        for name, part in self.shares.items():
            total[name] += part
        return dict(total)

    def lines(self) -> list[dict[str, str]]:
        """What stands in the file of hands, a line a seat of each hand, as text."""
        return [
            line
            for table in self.tables
            for n, hand in enumerate(table.hands, start=1)
            for line in _lines(table, n, hand)
        ]

    def standings(self) -> dict[str, dict[str, int]]:
        """What stands in the file of standings, by player, for a season of this night alone."""
        names = ("rank", "points", "balance_minor", "evenings", "hands", "declared", "declared_made", "joined")
        names += ("joined_made", "walkovers")
        sums = self.sums()
        return {
            name: dict(zip(names, row, strict=False)) | {"balance_minor": sums[name]}
            for name, row in plain.standings([*self.tables], None, {}).items()
        }


def _lines(table: TrueTable, number: int, hand: PlainHand) -> list[dict[str, str]]:
    changes = hand.changes()
    after = hand.pot_before - sum(changes)
    outcome = "passed_out" if hand.declarer is None else "played" if hand.joiners else "walkover"
    shown = []
    for seat, player in enumerate(hand.players):
        role = "declarer" if seat == hand.declarer else "joiner" if seat in hand.joiners else "out"
        made = str(int(seat in hand.made)) if hand.joiners and role != "out" else ""
        line = {"table": table.number, "hand": number, "outcome": outcome, "seat": seat, "player": player, "role": role}
        line |= {"made": made, "pot_minor": hand.pot, "change_minor": changes[seat], "pot_after_minor": after}
        shown.append({name: str(value) for name, value in line.items()})
    return shown
