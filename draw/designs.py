"""Rounds in which no two meet twice, from the constructions of the literature.

A *design* here is a list of rounds; a round is a partition of the points 0 to N - 1 into blocks of one size; no two
points are in two blocks. Designs are also called resolvable packings, or solutions of the social golfer problem.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from draw.fields import field, prime_power, prime_powers
from draw.known import DIFFERENCES_OF_12, KNOWN
from draw.starters import STARTERS

Block = tuple[int, ...]
Rounds = tuple[tuple[Block, ...], ...]


class Design(NamedTuple):
    """The rounds, and a sentence that names the construction."""

    rounds: Rounds
    source: str


NO_DESIGN = Design((), "")


@lru_cache(maxsize=256)
def design(tables: int, size: int) -> Design:
    """Return the design with most rounds that is known here; without rounds if none is.

    The points are 0 to ``tables * size - 1``.
    """
    constructions: tuple[Callable[[int, int], Design], ...] = (
        three_q_plus_one,
        transversal,
        twelve,
        developed,
        known,
        one_round,
    )
    return max((make(tables, size) for make in constructions), key=lambda made: len(made.rounds))


def one_round(tables: int, size: int) -> Design:
    """Return a single round, which is a design for any numbers."""
    blocks = tuple(tuple(range(table * size, (table + 1) * size)) for table in range(tables))
    return Design((blocks,), "One round.")


def transversal(tables: int, size: int) -> Design:
    """Return a resolvable transversal design: the points are ``size`` groups of one point a table.

    Over the ring R that is the product of the fields of the prime powers in ``tables``, the round r has the blocks
    {(i, s + u_i r)}: s runs over R, and the differences of the u_i are units. So there are as many rounds as tables, if
    no prime power is smaller than the size (Bose, Shrikhande, Parker 1960; MacNeish 1922 for the product). The groups
    meet in no round: where a design on one group exists, its rounds follow, so that for tables = size the whole is
    the affine plane, and for 8 tables of 4 there is a ninth round.
    """
    parts = prime_powers(tables)
    if not parts or min(parts) < size:
        return NO_DESIGN
    ring = _Ring(parts)
    rounds = [
        tuple(
            tuple(group * tables + ring.line(shift, group, slope) for group in range(size)) for shift in range(tables)
        )
        for slope in range(tables)
    ]
    over = "field" if len(parts) == 1 else "fields"
    source = f"A transversal design over the {over} of {' and '.join(map(str, parts))} elements"
    if tables % size == 0 and (inner := design(tables // size, size)).rounds:
        rounds += [
            tuple(tuple(group * tables + point for point in block) for group in range(size) for block in blocks)
            for blocks in inner.rounds
        ]
        source += f", then {len(inner.rounds)} within its groups"
    return Design(tuple(rounds), f"{source} (Bose, Shrikhande and Parker 1960).")


class _Ring:
    """The product of fields; an element is a number in a mixed base."""

    def __init__(self, parts: list[int]) -> None:
        self.fields = [field(part) for part in parts]

    def line(self, shift: int, group: int, slope: int) -> int:
        """Return shift + u slope, where u has the number of the group in each field."""
        point, weight = 0, 1
        for part in self.fields:
            shift, element = divmod(shift, part.size)
            slope, other = divmod(slope, part.size)
            point += part.add(element, part.multiply(group, other)) * weight
            weight *= part.size
        return point


def twelve(tables: int, size: int) -> Design:
    """Return 12 rounds of 12 tables of up to 6: a transversal design from the difference matrix in `draw.known`.

    Each column gives a round: its elements, moved by each element of the group, are the blocks.
    """
    if tables != 12 or size > len(DIFFERENCES_OF_12):
        return NO_DESIGN

    def moved(element: int, by: int) -> int:
        return (element // 2 + by // 2) % 6 * 2 + (element + by) % 2

    rounds = [
        tuple(tuple(12 * row + moved(entry, by) for row, entry in enumerate(column[:size])) for by in range(12))
        for column in zip(*DIFFERENCES_OF_12, strict=True)
    ]
    return Design(tuple(rounds), "A transversal design from a difference matrix of order 12 (Johnson and others 1961).")


def three_q_plus_one(tables: int, size: int) -> Design:
    """Return the resolvable design of tables of 4 for 3q + 1 points, q a prime power, q = 4t + 1.

    The points are (a, j), a of GF(q), j of 0 to 2, and one more. With a primitive x the first round has the block of
    the one with (0, 0), (0, 1), (0, 2), and for i < t and each j the block {(x^i, j), (-x^i, j), (x^(i+t), j + 1),
    (-x^(i+t), j + 1)}; adding a to all points gives q rounds, in which each two points meet once (Hanani,
    Ray-Chaudhuri, Wilson: *On resolvable designs*, 1972). So 4 x 4: 5 rounds, 7 x 4: 9, 10 x 4: 13.
    """
    order, rest = divmod(4 * tables - 1, 3)
    if size != 4 or rest or order % 4 != 1 or prime_power(order) is None:
        return NO_DESIGN
    gf = field(order)
    quarter = order // 4

    def block(power: int, level: int) -> list[tuple[int, int]]:
        pairs = ((gf.powers[power], level), (gf.powers[power + quarter], (level + 1) % 3))
        return [(element, own_level) for base, own_level in pairs for element in (base, gf.negative(base))]

    base = [block(power, level) for power in range(quarter) for level in range(3)]
    rounds = []
    for shift in range(order):
        fixed = (3 * order, *(level * order + shift for level in range(3)))
        moved = [tuple(level * order + gf.add(element, shift) for element, level in points) for points in base]
        rounds.append((fixed, *moved))
    return Design(tuple(rounds), f"A resolvable design over the field of {order} elements (Hanani and others 1972).")


def developed(tables: int, size: int) -> Design:
    """Return a design from first rounds that a cyclic group develops; see `draw.starters`."""
    starter = STARTERS.get((tables, size))
    if starter is None:
        return NO_DESIGN
    modulus, first_rounds = starter
    return Design(
        tuple(develop(modulus, tables * size, first_rounds)),
        f"{len(first_rounds)} first round{'s' * (len(first_rounds) > 1)}, developed modulo {modulus} (Anderson 1990).",
    )


def known(tables: int, size: int) -> Design:
    """Return a design of the literature from its rounds; see `draw.known`."""
    return Design(*KNOWN[tables, size]) if (tables, size) in KNOWN else NO_DESIGN


def develop(modulus: int, points: int, first_rounds: Iterable[Iterable[Block]]) -> list[tuple[Block, ...]]:
    """Return the rounds that come from the first ones by adding 1 again and again.

    The points are cycles of ``modulus`` points; the last ones, too few for a cycle, stay as they are.
    """
    cyclic = points // modulus * modulus

    def moved(point: int, shift: int) -> int:
        return point if point >= cyclic else point // modulus * modulus + (point + shift) % modulus

    return [
        tuple(tuple(moved(point, shift) for point in block) for block in blocks)
        for blocks in first_rounds
        for shift in range(modulus)
    ]


def is_design(rounds: Iterable[Iterable[Block]], points: int) -> bool:
    """Return True if each round has every point once, and no two points meet twice."""
    met: set[tuple[int, int]] = set()
    for blocks in rounds:
        seen = sorted(point for block in blocks for point in block)
        if seen != list(range(points)):
            return False
        pairs = [pair for block in blocks for pair in combinations(sorted(block), 2)]
        if not met.isdisjoint(pairs):
            return False
        met.update(pairs)
    return True
