"""An evening as it really happens, and its results: players who arrive and leave, hands by name, a table that splits.

The results come from the plain model alone: no SQL, no engine, no page. Amounts are whole Rappen.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from tests.games.test_seating_walk import WalkTable
from tests.promises import plain_model
from tests.promises.plain_model import COIN, PlainHand


@dataclass(frozen=True)
class NamedHand:
    """A hand by names: the declarer (None: nobody), the joiners, and those of them who failed."""

    declarer: str | None
    joiners: tuple[str, ...] = ()
    failed: frozenset[str] = frozenset()

    @property
    def made(self) -> tuple[str, ...]:
        """The joiners, those who made it first: in this order the screen marks most of them by itself."""
        return tuple(sorted(self.joiners, key=lambda name: name in self.failed))


def named_hand(line: str) -> NamedHand:
    """Parse a hand by names: "Anna: Beni Carlo-" if Anna declares, Beni and Carlo join and Carlo fails; "Anna" if
    nobody joins; an empty line if nobody declares."""
    first, _, rest = line.partition(":")
    names = [first, *rest.split()] if first else []
    failed = frozenset(name.rstrip("-") for name in names if name.endswith("-"))
    plain_names = [name.rstrip("-") for name in names]
    return NamedHand(plain_names[0], tuple(plain_names[1:]), failed) if names else NamedHand(None)


@dataclass
class PlannedTable(WalkTable):
    """A table of the evening with players by name; `number` is its number in the evening."""

    number: int = 1

    def play(self, line: str) -> PlainHand:
        """Play a hand given by names."""
        hand = named_hand(line)
        if hand.declarer is None:
            return self.enter(None, (), frozenset())
        seat = self.players.index
        active = (hand.declarer, *hand.joiners) if hand.joiners else ()
        made = frozenset(seat(name) for name in active if name not in hand.failed)
        return self.enter(seat(hand.declarer), tuple(sorted(map(seat, hand.joiners))), made)

    def arrive(self, name: str, after: str) -> None:
        place = self.players.index(after) + 1
        self.sit((*self.players[:place], name, *self.players[place:]))

    def leave(self, *names: str) -> None:
        self.sit(tuple(player for player in self.players if player not in names))

    def swap(self, player: str, other: str) -> None:
        places = {player: other, other: player}
        self.sit(tuple(places.get(name, name) for name in self.players))

    def divide(self, go: tuple[str, ...], first: str) -> PlannedTable:
        """Move these players to a new table where `first` deals; the pot is divided by heads, in whole coins."""
        coins = self.pot * len(go) // len(self.players) // COIN * COIN
        new = PlannedTable(
            self.evening, tuple(player for player in self.players if player in go), first, number=self.number + 1
        )
        new.move(coins)
        self.move(-coins)
        self.leave(*go)
        return new


@dataclass
class PlannedEvening:
    """All tables of an evening, and each player's share of the pots at its end."""

    tables: list[PlannedTable] = field(default_factory=list)
    shares: dict[str, int] = field(default_factory=dict)

    def share(self) -> None:
        """Share the pots among all seated players: the same number of coins each, and the remaining coins one
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
        """Return what each player won (below 0: lost) in the evening."""
        total: dict[str, int] = defaultdict(int, plain_model.balances([*self.tables]))
        for name, part in self.shares.items():
            total[name] += part
        return dict(total)

    def lines(self) -> list[dict[str, str]]:
        """Return the expected lines of the CSV file of hands, one for each seat of each hand, as text."""
        return [
            line
            for table in self.tables
            for n, hand in enumerate(table.hands, start=1)
            for line in _lines(table, n, hand)
        ]

    def standings(self) -> dict[str, dict[str, int]]:
        """Return the expected lines of the CSV file of standings, by player, for a season of this evening alone."""
        names = ("rank", "points", "balance_minor", "evenings", "hands", "declared", "declared_made", "joined")
        names += ("joined_made", "walkovers")
        sums = self.sums()
        return {
            name: dict(zip(names, row, strict=False)) | {"balance_minor": sums[name]}
            for name, row in plain_model.standings([*self.tables], None, {}).items()
        }


def _lines(table: PlannedTable, number: int, hand: PlainHand) -> list[dict[str, str]]:
    changes = hand.changes()
    after = hand.pot_before - sum(changes)
    outcome = "passed_out" if hand.declarer is None else "played" if hand.joiners else "walkover"
    shown = []
    for seat, player in enumerate(hand.players):
        role = "declarer" if seat == hand.declarer else "joiner" if seat in hand.joiners else "out"
        made = str(int(seat in hand.made)) if hand.joiners and role != "out" else ""
        # Nobody has a role in a hand that nobody declared.
        written = "" if hand.declarer is None else role
        line = {
            "table": table.number,
            "hand": number,
            "outcome": outcome,
            "seat": seat,
            "player": player,
            "role": written,
        }
        line |= {"made": made, "pot_minor": hand.pot, "change_minor": changes[seat], "pot_after_minor": after}
        shown.append({name: str(value) for name, value in line.items()})
    return shown
