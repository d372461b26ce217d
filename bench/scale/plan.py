"""The clubs of a server of a given size: few big ones, many small ones, each with one season or several."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from bench.scale.template import KINDS, Kind

COMPARED_SEASONS = 4
"""The seasons of the first club, a big one: it is the same on every server, so that its pages can be compared."""
MANY_HANDS = 2_000
"""From this mean number of hands of a club on there are more big clubs than on a server of everybody's clubs."""


@dataclass(frozen=True)
class Planned:
    """A club to copy: its kind, its seasons, and the number of days before which each of its evenings is held."""

    kind: Kind
    seasons: int
    earlier: int

    @property
    def hands(self) -> int:
        return self.kind.season_hands * self.seasons


def planned(clubs: int, hands: int, *, kinds: Sequence[Kind] = KINDS, seed: int) -> list[Planned]:
    """Return about so many hands in so many clubs. Behind the first club, those of a kind differ by one season at most:
    all clubs of a kind and a number of seasons are copies of the first one."""
    rng = random.Random(seed)
    small, middle, big = kinds
    compared = Planned(big, max(1, min(COMPARED_SEASONS, hands // big.season_hands)), 0)
    return [compared, *_others(clubs - 1, hands - compared.hands, small, middle, big, rng)] if clubs > 1 else [compared]


def _others(clubs: int, hands: int, small: Kind, middle: Kind, big: Kind, rng: random.Random) -> list[Planned]:
    shares = (0.2, 0.3) if hands / clubs >= MANY_HANDS else (0.01, 0.09)
    bigs, middles = (max(1, round(clubs * share)) for share in shares)
    middles = min(middles, clubs - min(bigs, clubs))
    chosen = [big] * min(bigs, clubs) + [middle] * middles
    chosen += [small] * (clubs - len(chosen))
    seasons = max(1.0, hands / sum(kind.season_hands for kind in chosen))
    made, due = [], 0.0
    for kind in chosen:
        # What is left over of a season goes to the next club of the kind.
        due += seasons * kind.season_hands
        whole = int(seasons) + (due - kind.season_hands * int(seasons) >= kind.season_hands * 0.5)
        due -= whole * kind.season_hands
        made.append(Planned(kind, whole, rng.choice((0, 0, 0, 1, 2, 3, 4, 5, 6))))
    rng.shuffle(made)
    return made


def firsts(clubs: Sequence[Planned]) -> dict[tuple[Kind, int], int]:
    """Return the first club of each kind and number of seasons, by its place: these are counted by the product."""
    places: dict[tuple[Kind, int], int] = {}
    for place, club in enumerate(clubs):
        places.setdefault((club.kind, club.seasons), place)
    return places
