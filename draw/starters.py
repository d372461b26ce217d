"""First rounds from which a cyclic group makes the others, for head counts that no field fits.

Each was found by a search over one or two rounds; those of 11, 12, 14 and 15 tables of 4, which have as many rounds as
arithmetic allows, among the rounds that stay the same when the three cycles change places. All pairs of points in the
first rounds have different differences, so no two meet twice when 1 is added to all points, modulo the length of the
cycles, again and again (Anderson: *Combinatorial designs: construction methods*, 1990, starters).
`tests/draw/test_designs.py` checks every one.

The point number n is in the cycle n // modulus; the last points, too few for a cycle, stay as they are.
"""

from typing import Final

_Rounds = tuple[tuple[tuple[int, ...], ...], ...]

_TEXTS: Final[dict[tuple[int, int], tuple[int, tuple[str, ...]]]] = {
    # (tables, size): modulus, first rounds
    (5, 3): (
        7,
        ("0 6 10, 1 5 13, 2 4 11, 3 9 14, 7 8 12",),
    ),
    (6, 3): (
        4,
        (
            "0 7 16, 1 10 15, 2 4 9, 3 11 14, 5 12 13, 6 8 17",
            "0 10 12, 1 14 17, 2 3 7, 4 8 11, 5 6 15, 9 13 16",
        ),
    ),
    (7, 3): (
        5,
        (
            "0 1 7, 2 4 14, 3 11 15, 5 10 12, 6 17 20, 8 9 16, 13 18 19",
            "0 5 15, 1 10 20, 2 16 18, 3 6 14, 4 8 17, 7 9 13, 11 12 19",
        ),
    ),
    (8, 3): (
        11,
        ("0 12 15, 1 8 14, 2 7 21, 3 5 6, 4 13 22, 9 19 20, 10 17 23, 11 16 18",),
    ),
    (10, 3): (
        14,
        ("0 12 15, 1 17 27, 2 5 11, 3 24 25, 4 14 22, 6 7 20, 8 19 29, 9 13 18, 10 16 28, 21 23 26",),
    ),
    (11, 3): (
        15,
        ("0 15 32, 1 24 30, 2 4 29, 3 8 27, 5 6 12, 7 25 31, 9 13 20, 10 23 26, 11 14 16, 17 18 22, 19 21 28",),
    ),
    (12, 3): (
        17,
        (
            "0 6 13, 1 10 15, 2 3 26, 4 18 31, 5 21 34, 7 32 33, 8 23 25, "
            "9 28 35, 11 24 29, 12 14 17, 16 20 27, 19 22 30",
        ),
    ),
    (13, 3): (
        19,
        (
            "0 32 33, 1 18 21, 2 3 10, 4 7 28, 5 11 22, 6 15 34, 8 26 35, 9 13 19, 12 17 24, 14 30 37, "
            "16 31 38, 20 25 36, 23 27 29",
        ),
    ),
    (14, 3): (
        20,
        (
            "0 17 23, 1 20 34, 2 3 27, 4 6 19, 5 14 36, 7 11 21, 8 29 41, 9 15 24, 10 18 38, 12 39 40, "
            "13 30 31, 16 28 32, 22 25 37, 26 33 35",
        ),
    ),
    (6, 4): (
        7,
        ("0 13 18 23, 1 9 11 12, 2 4 5 14, 3 10 17 21, 6 8 19 22, 7 15 16 20",),
    ),
    (9, 4): (
        11,
        ("0 6 8 31, 1 13 30 35, 2 9 15 24, 3 4 11 19, 5 14 32 34, 7 17 28 33, 10 23 27 29, 12 16 18 26, 20 21 22 25",),
    ),
    (11, 4): (
        14,
        (
            "0 23 27 29, 1 3 25 28, 2 8 19 22, 4 13 32 36, 5 20 21 26, 6 7 10 41, 9 14 33 39, 11 15 37 43, "
            "12 24 34 42, 16 18 30 31, 17 35 38 40",
        ),
    ),
    (12, 4): (
        15,
        (
            "0 25 31 34, 1 4 15 40, 2 21 44 46, 3 35 41 43, 5 11 13 18, 6 29 32 45, 7 8 12 24, 9 37 38 42, "
            "10 16 19 30, 14 17 36 47, 20 26 28 33, 22 23 27 39",
        ),
    ),
    (14, 4): (
        18,
        (
            "0 15 19 29, 1 2 48 52, 3 5 10 45, 4 12 25 32, 6 24 42 55, 7 23 38 50, 8 14 31 53, 9 21 34 35, "
            "11 20 26 37, 13 17 36 51, 16 22 46 54, 18 33 41 43, 27 39 40 47, 28 30 44 49",
        ),
    ),
    (15, 4): (
        19,
        (
            "0 32 45 56, 1 4 8 18, 2 21 25 48, 3 9 34 41, 5 29 54 59, 6 14 36 39, 7 22 23 43, 10 20 27 38, "
            "11 12 19 53, 13 33 42 52, 15 24 55 58, 16 30 40 47, 17 35 51 57, 26 28 31 37, 44 46 49 50",
        ),
    ),
    (6, 5): (
        6,
        ("0 13 17 24 25, 1 5 6 11 27, 2 10 14 19 29, 3 4 12 18 22, 7 9 15 16 23, 8 20 21 26 28",),
    ),
    (10, 5): (
        9,
        (
            "0 19 30 39 49, 1 3 7 9 29, 2 14 18 40 45, 4 11 33 44 47, 5 23 37 38 41, 6 15 26 31 48, "
            "8 12 22 43 46, 10 13 17 27 42, 16 21 24 25 34, 20 28 32 35 36",
        ),
    ),
}


def _parsed(text: str) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(map(int, block.split())) for block in text.split(", "))


STARTERS: Final[dict[tuple[int, int], tuple[int, _Rounds]]] = {
    numbers: (modulus, tuple(map(_parsed, texts))) for numbers, (modulus, texts) in _TEXTS.items()
}
"""By tables and size: the modulus, and the first rounds."""
