"""Make the tables of what a hand is worth (docs/hand-worth.md): `static/hand_worth/GAME.bin`.

    nice -n 15 .venv/bin/python scripts/hand_worth.py [--batches N] [--rows K] [GAME ...]

It compiles `hand_worth.c` with the system's compiler (`cc`), plays N batches of deals for each class of hands and each
number of players, and fits K shared rows to the counts. With `--check` it counts some classes once more, with other
deals, and says how far the table is from these counts.
"""

from __future__ import annotations

import argparse
import random
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from array import array
from collections.abc import Sequence
from itertools import product
from operator import add, mul
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from engine import hand_worth  # noqa: E402 - needs the path above

SEED: Final = 20261129
MORE_SEEDS: Final = 1000
"""The distance of the seeds of the places that are played more often."""
BATCH: Final = 150
"""The deals of each class and number of players that one batch plays."""
BATCHES: Final = 6
ROWS: Final = 44
DECLARES_FROM: Final = {"chratze": 172, "kratzen": 150}
JOINS_FROM: Final = {"chratze": 112, "kratzen": 138}
"""The strength from which the others declare and join, in hundredths of a trick."""

STEP: Final = 100
"""The step of a number in the file, in ten-thousandths."""
PIECE: Final = 512
"""The classes of a piece of the file."""
PLAIN_STEPS: Final = ("", "678 9TJ Q K A", "6789TJ QK A")
TRUMP_STEPS: Final = ("", "", "6 78 9T J Q K WA")
"""The ranks that count as alike on each level of the smoothing."""
WEIGHTS: Final = {2: 2.5, 3: 1.6, 4: 1.2}
TURNS: Final = 60
"""The turns of the iteration that finds the shared rows."""
CHECKED: Final = 100
"""The classes that are counted once more."""

Row = list[float]


def compiled(folder: Path) -> Path:
    """Return the program that plays."""
    program = folder / "hand_worth"
    source = ROOT / "scripts" / "hand_worth.c"
    subprocess.run(["cc", "-O3", "-march=native", "-std=gnu11", "-Wall", "-o", program, source], check=True)
    return program


def counted(
    program: Path, game: str, ranks: Sequence[hand_worth.Ranks], samples: int, seed: int, more: int = 0
) -> array[int]:
    """Return the hands with a trick, and with two, of each class and each cell; with `more` of some cells only."""
    limits = [str(limit[name]) for name in ("chratze", "kratzen") for limit in (DECLARES_FROM, JOINS_FROM)]
    done = subprocess.run(
        [program, game, str(samples), str(seed), *limits, str(more)],
        input=b"".join(struct.pack("<4H", *each) for each in ranks),
        stdout=subprocess.PIPE,
        check=True,
    )
    return array("I", done.stdout)


def played(program: Path, game: str, batches: int, folder: Path | None) -> list[list[Row]]:
    """Return the shares of all classes and cells, in ten-thousandths, from either half of the batches. Batches that are
    in the folder are not played."""
    ranks = list(hand_worth.classes(game))
    halves: list[list[int]] = [[], []]
    for batch, more in product(range(batches), (0, 1)):
        path = folder / f"{game}-{batch}-{more}.counts" if folder else None
        if path and path.exists():
            counts = array("I", path.read_bytes())
        else:
            counts = counted(program, game, ranks, BATCH, SEED + batch + MORE_SEEDS * more, more)
            if path:
                path.write_bytes(counts.tobytes())
        half = halves[batch % 2]
        halves[batch % 2] = list(map(add, half, counts)) if half else list(counts)
        print(f"{game}: batch {batch + 1} of {batches}", flush=True)
    times = [n for n in times_of(game) for _ in range(4)]
    return [shares_of(half, len(ranks), [batches // 2 * BATCH * n for n in times]) for half in halves]


def times_of(game: str) -> list[int]:
    """Return how often a batch plays each place of each number of players for a sample, as `hand_worth.c` does."""
    times = []
    for players in range(hand_worth.FEWEST_PLAYERS, hand_worth.PACKS[game].most_players + 1):
        times += [4] * 2 if players == 2 else [2] * 3 if players == 3 else [2, *[1] * (players - 1)]
    return times


def shares_of(counts: Sequence[int], classes: int, samples: Sequence[int]) -> list[Row]:
    """Return a row for each class, in ten-thousandths; `samples` are those of each cell."""
    width = len(counts) // classes
    scales = [hand_worth.WHOLE / each for each in samples]
    return [list(map(mul, counts[begin : begin + width], scales)) for begin in range(0, len(counts), width)]


def dot(row: Sequence[float], other: Sequence[float]) -> float:
    """Return the sum of the products."""
    return sum(map(mul, row, other))


def weights_of(game: str) -> Row:
    """Return how much each value counts in the fit: those of few players have few others that are like them."""
    weights: Row = []
    for players in range(hand_worth.FEWEST_PLAYERS, hand_worth.PACKS[game].most_players + 1):
        weights += [WEIGHTS.get(players, 1.0)] * 4 * players
    return weights


def weighted(shares: Sequence[Row], means: Row, weights: Row) -> list[Row]:
    """Return the differences from the means, times the weights."""
    return [[(value - mean) * w for value, mean, w in zip(row, means, weights, strict=True)] for row in shares]


def shared_rows(apart: Sequence[Row], count: int) -> list[Row]:
    """Return the rows that explain most of the differences between classes: orthogonal, each of length 1."""
    columns = list(zip(*apart, strict=True))
    width = len(columns)
    covariance = [[0.0] * width for _ in range(width)]
    for place, column in enumerate(columns):
        for other in range(place, width):
            covariance[place][other] = covariance[other][place] = dot(column, columns[other])
    rng = random.Random(SEED)
    rows = [[rng.random() - 0.5 for _ in range(width)] for _ in range(count)]
    for _ in range(TURNS):
        rows = orthogonal([[dot(row, line) for line in covariance] for row in rows])
    return rows


def orthogonal(rows: Sequence[Row]) -> list[Row]:
    """Return the rows without the parts that they have in common, each of length 1."""
    basis: list[Row] = []
    for each in rows:
        row = each
        for _twice in range(2):
            for other in basis:
                part = dot(row, other)
                row = [value - part * step for value, step in zip(row, other, strict=True)]
        length = dot(row, row) ** 0.5
        basis.append([value / length for value in row])
    return basis


def numbers_of(apart: Sequence[Row], shared: Sequence[Row]) -> list[Row]:
    """Return the number of each class for each shared row."""
    return [[dot(row, line) for line in shared] for row in apart]


def kinds_of(game: str, level: int) -> list[tuple[int, ...]]:
    """Return the kind of each class. On level 0 each class is its own, on a higher level classes with nearly the same
    cards are of one kind."""

    def alike(bits: int, ranks: str, steps: str) -> int:
        """Return the cards without the difference of neighbours: how many the hand has of each step."""
        kind = 0
        for step in steps.split():
            kind = 5 * kind + sum(bits >> ranks.index(rank) & 1 for rank in step if rank in ranks)
        return kind

    trumps, plain = hand_worth.PACKS[game].trump_ranks, hand_worth.PACKS[game].plain_ranks
    kinds = []
    for held, *others in hand_worth.classes(game):
        of_plain = sorted(alike(bits, plain, PLAIN_STEPS[level]) if level else bits for bits in others)
        kinds.append((alike(held, trumps, TRUMP_STEPS[level]) if level > 1 else held, *of_plain))
    return kinds


def smoothed(game: str, halves: Sequence[Sequence[Row]]) -> list[Row]:
    """Return the numbers of the classes, each drawn towards those of classes with nearly the same cards: the more, the
    more its own difference from these is chance. How much of it is chance is known from the difference of both halves.
    """
    mean = [[(a + b) / 2 for a, b in zip(*rows, strict=True)] for rows in zip(*halves, strict=True)]
    trumps = [ranks[0].bit_count() for ranks in hand_worth.classes(game)]
    drawn: list[Row] = [[0.0] * len(mean[0]) for _ in mean]
    for level in reversed(range(len(PLAIN_STEPS))):
        groups: dict[tuple[int, ...], list[int]] = {}
        for number, kind in enumerate(kinds_of(game, level)):
            groups.setdefault(kind, []).append(number)
        for row in range(len(mean[0])):
            own = {kind: sum(mean[n][row] for n in group) / len(group) for kind, group in groups.items()}
            former = {kind: sum(drawn[n][row] for n in group) / len(group) for kind, group in groups.items()}
            seen, chance = [0.0] * 5, [0.0] * 5
            for kind, group in groups.items():
                apart = sum(halves[0][n][row] - halves[1][n][row] for n in group) / len(group) / 2
                seen[trumps[group[0]]] += (own[kind] - former[kind]) ** 2
                chance[trumps[group[0]]] += apart**2
            for kind, group in groups.items():
                held = trumps[group[0]]
                part = max(0.0, 1 - chance[held] / seen[held]) if seen[held] else 0.0
                for n in group:
                    drawn[n][row] = former[kind] + part * (own[kind] - former[kind])
    return drawn


def packed(game: str, halves: Sequence[Sequence[Row]], rows: int) -> bytes:
    """Return the file of a table, from the shares of both halves."""
    shares = [[(a + b) / 2 for a, b in zip(*both, strict=True)] for both in zip(*halves, strict=True)]
    means = [sum(column) / len(shares) for column in zip(*shares, strict=True)]
    weights = weights_of(game)
    shared = shared_rows(weighted(shares, means, weights), rows)
    exact = smoothed(game, [numbers_of(weighted(half, means, weights), shared) for half in halves])
    numbers = [[round(number / STEP) for number in row] for row in exact]
    pieces = []
    for begin in range(0, len(numbers), PIECE):
        columns = [
            [number % 65536 for number in column] for column in zip(*numbers[begin : begin + PIECE], strict=True)
        ]
        body = b"".join(bytes(n % 256 for n in column) + bytes(n // 256 for n in column) for column in columns)
        packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
        pieces.append(packer.compress(body) + packer.flush())
    scales = [STEP * 2**hand_worth.SHIFT / weight for weight in weights]
    factors = [round(factor) for line in shared for factor in map(mul, line, scales)]
    head = struct.pack(hand_worth.HEAD, hand_worth.MAGIC, rows, len(pieces), len(exact), len(means), PIECE)
    head += struct.pack(f"<{len(means)}H", *map(round, means)) + struct.pack(f"<{len(factors)}h", *factors)
    end, ends = len(head) + 4 * len(pieces), []
    for piece in pieces:
        end += len(piece)
        ends.append(end)
    return head + struct.pack(f"<{len(ends)}I", *ends) + b"".join(pieces)


def read_back(game: str, data: bytes, numbers: Sequence[int]) -> list[Row]:
    """Return the chances that the table has for some classes."""
    table = hand_worth.Table(game, data)
    return [[float(value) for value in table.values(number)] for number in numbers]


def distance(rows: Sequence[Row], other: Sequence[Row], samples: int) -> tuple[float, float, float]:
    """Return the distance of a table from counts, in points of 100: the root of the mean square without that part which
    is chance in the counts, with it, and the largest."""
    pairs = [pair for row, counted in zip(rows, other, strict=True) for pair in zip(row, counted, strict=True)]
    square = sum((mine - counted) ** 2 for mine, counted in pairs) / len(pairs)
    chance = sum(counted * (hand_worth.WHOLE - counted) / samples for _, counted in pairs) / len(pairs)
    largest = max(abs(mine - counted) for mine, counted in pairs)
    return max(0.0, square - chance) ** 0.5 / 100, square**0.5 / 100, largest / 100


def check(program: Path, game: str, data: bytes, samples: int) -> str:
    """Count some classes with other deals; return how far the table is from these counts."""
    ranks = list(hand_worth.classes(game))
    numbers = sorted(random.Random(SEED).sample(range(len(ranks)), CHECKED))
    counts = counted(program, game, [ranks[number] for number in numbers], samples, SEED - 1)
    points = distance(
        read_back(game, data, numbers), shares_of(counts, CHECKED, [samples] * (len(counts) // CHECKED)), samples
    )
    return "distance from direct counts: {:.2f} points, with their chance {:.2f}, at most {:.2f}".format(*points)


def main() -> None:
    """Make the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=["chratze", "kratzen"])
    parser.add_argument("--batches", type=int, default=BATCHES)
    parser.add_argument("--counts", type=Path, metavar="FOLDER", help="keep the counts of each batch there")
    parser.add_argument("--rows", type=int)
    parser.add_argument("--check", type=int, metavar="SAMPLES", help="deals for each class that is counted once more")
    parser.add_argument("--only-check", action="store_true", help="read the table that is there")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(Path(folder))
        for game in given.games:
            path = ROOT / "static" / "hand_worth" / f"{game}.bin"
            began = time.monotonic()
            if not given.only_check:
                shares = played(program, game, given.batches, given.counts)
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(packed(game, shares, given.rows or ROWS))
            print(f"{game}: {path.stat().st_size} bytes, {time.monotonic() - began:.0f} s")
            if given.check:
                print(check(program, game, path.read_bytes(), given.check))


if __name__ == "__main__":
    main()
