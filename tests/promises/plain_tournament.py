"""A plain model of a tournament in lists and dictionaries: results of tables go in, the ranking comes out.

Written from the rules of `docs/tournaments.md` a second time, without the product's code: net chips count, pots are
divided, the worst round is dropped, ties are decided by the best rounds, then by lot.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

DROPPED_WORST = 1


@dataclass
class PlainTournament:
    """`chips` are each start number's net chips by round, None for a sit-out. `gone` has the first round without an
    entrant who withdrew, `late` the first round of a late entrant."""

    lot_seed: int
    chips: defaultdict[int, dict[int, int | None]] = field(default_factory=lambda: defaultdict(dict))
    gone: dict[int, int] = field(default_factory=dict)
    rounds: int = 0

    def table(self, round: int, seats: Sequence[int], net: Mapping[int, int], pot: int, *, hands: int = 0) -> None:
        """Store the result of a table: net chips before the pot is divided, first dealer first."""
        assert sum(net.values()) + pot == 0
        each, left = divmod(pot, len(seats))
        for place in range(len(seats)):
            seat = seats[(hands + place) % len(seats)]
            self.chips[seat][round] = net[seat] + each + (1 if place < left else 0)
        self.rounds = max(self.rounds, round)

    def sat_out(self, round: int, numbers: Sequence[int]) -> None:
        for number in numbers:
            self.chips[number][round] = None

    def ranking(self) -> list[tuple[int, int, int]]:
        """Return (rank, start number, total) in order."""
        entries = []
        for number in self.chips:
            total, values = self._total(number)
            lot = int.from_bytes(hashlib.sha256(f"{self.lot_seed}:{number}".encode()).digest()[:8], "big")
            left = number in self.gone
            played = -len(self.chips[number]) if left else 0
            best = [-value for value in sorted(values, reverse=True)]
            entries.append((left, played, -total, best, lot, number, total))
        entries.sort()
        return [(place, entry[-2], entry[-1]) for place, entry in enumerate(entries, start=1)]

    def _total(self, number: int) -> tuple[int, list[int]]:
        results = self.chips[number]
        played = [chips for chips in results.values() if chips is not None]
        # The nearest whole number, the even one of two.
        mean = round(Fraction(sum(played), len(played))) if played else 0
        values, missed, seen = [], 0, 0
        for nth in range(1, self.rounds + 1):
            if nth in results:
                chips = results[nth]
                values.append(mean if chips is None else chips)
                seen += 1
            elif nth < self.gone.get(number, self.rounds + 1):
                missed += 1
        drops = max(0, min(DROPPED_WORST, seen + missed - 1) - missed)
        total = sum(sorted(values)[drops:])
        return total, [*values, *([0] * missed)]
