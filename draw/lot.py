"""The lot: random numbers that are the same on every machine and in every version of Python."""

import hashlib
from collections.abc import Iterable, MutableSequence, Sequence
from typing import Final, TypeVar

Item = TypeVar("Item")

_MASK: Final = (1 << 64) - 1


class Lot:
    """A generator of random numbers that depends on a seed and a purpose only.

    The state is the start of the SHA-256 of seed and purpose; the steps are SplitMix64 (Steele, Lea, Flood: *Fast
    splittable pseudorandom number generators*, OOPSLA 2014).
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int, *purpose: object) -> None:
        text = "/".join(map(str, (seed, *purpose)))
        self._state = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")

    def below(self, limit: int) -> int:
        """Return a number from 0 to limit - 1, each with the same chance."""
        if limit < 1:
            raise ValueError(f"A lot needs at least one number to draw from, not {limit}.")
        usable = (_MASK + 1) // limit * limit
        while (number := self._next()) >= usable:
            pass
        return number % limit

    def choice(self, items: Sequence[Item]) -> Item:
        """Return one of the items."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[Item]) -> None:
        """Put the items in a random order, in place."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def shuffled(self, items: Iterable[Item]) -> list[Item]:
        """Return the items in a random order."""
        mixed = list(items)
        self.shuffle(mixed)
        return mixed

    def _next(self) -> int:
        self._state = state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
        return state ^ (state >> 31)
