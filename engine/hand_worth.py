"""What a hand is worth: the chance of a trick and of two tricks, from a table made by simulation (docs/hand-worth.md).

Hands that differ only in the names of the plain suits are one class. The table has a row of numbers for each class; the
chances are their products with the rows that all classes share.
"""

import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations
from struct import calcsize, unpack_from
from typing import Final, NamedTuple

from engine.cards import SUITS
from engine.game import HandWorth
from engine.games import BY_NAME

HAND: Final = 4
WHOLE: Final = 10_000
"""Chances are whole ten-thousandths."""

PACKS: Final[dict[str, HandWorth]] = {name: game.hand_worth for name, game in BY_NAME.items() if game.hand_worth}
"""The packs of the games that have a table."""

FEWEST_PLAYERS: Final = 2

BEFORE, AFTER = 0, 1
"""The exchange is still to come, or over."""

Ranks = tuple[int, int, int, int]
"""The ranks of the trumps and of the three plain suits, as bits; the plain suits in falling order."""


@lru_cache
def classes(game: str) -> dict[Ranks, int]:
    """Return the number of each class of hands, by its ranks.

    >>> len(classes("chratze")), len(classes("kratzen"))
    (12123, 8634)
    """
    return {ranks: number for number, ranks in enumerate(_all_ranks(game))}


def _all_ranks(game: str) -> Iterator[Ranks]:
    pack = PACKS[game]
    plain = [_with_bits(len(pack.plain_ranks), count) for count in range(HAND + 1)]
    up_to = [sorted(chain(*plain[: count + 1])) for count in range(HAND + 1)]
    for trumps in sorted(chain(*(_with_bits(len(pack.trump_ranks), count) for count in range(HAND + 1)))):
        left = HAND - trumps.bit_count()
        for first in up_to[left]:
            for second in up_to[left - first.bit_count()]:
                if second > first:
                    break
                for third in plain[left - first.bit_count() - second.bit_count()]:
                    if third <= second:
                        yield trumps, first, second, third


def _with_bits(width: int, count: int) -> list[int]:
    """Return all numbers of so many bits of which so many are set, rising."""
    return sorted(sum(1 << place for place in places) for places in combinations(range(width), count))


def ranks_of(game: str, cards: Sequence[str], trump: str) -> Ranks:
    """Return the ranks of four different cards, by the letter of the trump suit.

    Raises:
        ValueError: a card is none of this game, is there twice, or there are not four.
    """
    ranks, pack = dict.fromkeys(SUITS, 0), PACKS[game]
    special, special_rank = pack.always_trump or (None, "")
    for card in cards:
        suit, rank = (trump, special_rank) if card == special else (card[-1:], card[:-1])
        order = pack.trump_ranks if suit == trump else pack.plain_ranks
        if suit not in ranks or len(rank) != 1 or rank not in order or (rank == special_rank and card != special):
            raise ValueError(f"no card of {game}: {card}")
        bit = 1 << order.index(rank)
        if ranks[suit] & bit:
            raise ValueError(f"{card} is there twice")
        ranks[suit] |= bit
    if len(cards) != HAND or trump not in ranks:
        raise ValueError("a hand has four cards and a trump suit")
    first, second, third = sorted((held for suit, held in ranks.items() if suit != trump), reverse=True)
    return ranks[trump], first, second, third


def cell(players: int, place: int, stage: int) -> int:
    """Return the place of a cell in a row of chances: `place` is that in the order of play, 0 leads."""
    before = (players * (players - 1) - FEWEST_PLAYERS * (FEWEST_PLAYERS - 1)) // 2
    return 4 * (before + place) + 2 * stage


class Chances(NamedTuple):
    """The chances of at least one trick and of at least two, in ten-thousandths."""

    one: int
    two: int

    def share_to_break_even(self, game: str, *, declares: bool) -> int | None:
        """Return the share of the pot, in hundredths, that a player must take on average where he makes his goal, so
        that he neither wins nor loses; None if even the whole pot is too little.

        A declarer who fails pays the pot twice, a joiner once (C6.7, K8.4). Where it is paid, one trick of a declarer
        who fails brings a quarter (K8.2).
        """
        made = self.two if declares else self.one
        lost = (2 if declares else 1) * 4 * (WHOLE - made)
        if PACKS[game].one_trick_pays and declares:
            lost -= self.one - self.two
        if lost > 4 * made:
            return None
        return (200 * lost + 4 * made) // (8 * made)


HEAD: Final = "<4sBBHHH"
MAGIC: Final = b"HND1"
SHIFT: Final = 6
"""Each product is divided by two to this power."""


class Table:
    """The table of a game; `data` is its file.

    The file has a head (the numbers of rows, pieces, classes, values and of the classes of a piece), the mean of each
    value (uint16), the shared rows (int16), the end of each piece (uint32), and the pieces, deflated: for each shared
    row the low bytes of the numbers of all classes, then their high bytes. Numbers are little-endian.
    """

    def __init__(self, game: str, data: bytes) -> None:
        self.game = game
        self._data = data
        magic, self._rows, pieces, self._classes, self._values, self.per_piece = unpack_from(HEAD, data)
        if magic != MAGIC or self._classes != len(classes(game)):
            raise ValueError(f"no table of {game}")
        offset = calcsize(HEAD)
        self._means = unpack_from(f"<{self._values}H", data, offset)
        offset += 2 * self._values
        shared = unpack_from(f"<{self._rows * self._values}h", data, offset)
        self._shared = [shared[value :: self._values] for value in range(self._values)]
        offset += 2 * self._rows * self._values
        ends = unpack_from(f"<{pieces}I", data, offset)
        self.head_length = offset + 4 * pieces
        self.bounds = (self.head_length, *ends)
        """The start of each piece in the file, and the end of the last."""
        self._unpacked: dict[int, bytes] = {}

    def chances(self, cards: Sequence[str], trump: str, players: int, place: int, stage: int) -> Chances:
        """Return the chances of a hand. Raises ValueError for cards that are no hand."""
        numbers = self._numbers(classes(self.game)[ranks_of(self.game, cards, trump)])
        first = cell(players, place, stage)
        one_trick, two = (self._value(numbers, value) for value in (first, first + 1))
        return Chances(one_trick, min(one_trick, two))

    def values(self, number: int) -> list[int]:
        """Return all chances of a class, cell by cell."""
        numbers = self._numbers(number)
        return [self._value(numbers, value) for value in range(self._values)]

    def _value(self, numbers: Sequence[int], value: int) -> int:
        total = sum(number * shared for number, shared in zip(numbers, self._shared[value], strict=True))
        chance: int = self._means[value] + ((total + (1 << (SHIFT - 1))) >> SHIFT)
        return max(0, min(WHOLE, chance))

    def _numbers(self, number: int) -> list[int]:
        piece, within = divmod(number, self.per_piece)
        count = min(self.per_piece, self._classes - piece * self.per_piece)
        if piece not in self._unpacked:
            start, end = self.bounds[piece : piece + 2]
            self._unpacked[piece] = zlib.decompress(self._data[start:end], -zlib.MAX_WBITS)
        unpacked = self._unpacked[piece]
        places = [2 * count * row + within for row in range(self._rows)]
        return [
            unpacked[place] + 256 * unpacked[place + count] - (65536 if unpacked[place + count] > 127 else 0)
            for place in places
        ]
