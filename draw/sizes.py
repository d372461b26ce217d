"""The numbers and sizes of tables for a head count."""

from collections.abc import Sequence

from draw.model import Sizes


def table_sizes(players: int, sizes: Sizes) -> tuple[int, ...]:
    """Return the sizes of the tables, largest first.

    As many as possible sit; as few tables as possible have another size than the wished one, and these differ from it
    as little as possible and have as few seats as possible. Entrants above the sum sit out.

    Raises:
        ValueError: there are fewer players than the smallest table needs.
    """
    if players < sizes.least:
        raise ValueError(f"{_count(players)} cannot fill a table: the smallest allowed has {sizes.least} seats.")
    choices: list[tuple[int, ...]] = []
    seated = players + 1
    while not choices:
        seated -= 1
        choices = [
            _spread(seated, tables, sizes) for tables in range(-(-seated // sizes.most), seated // sizes.least + 1)
        ]
    return min(choices, key=lambda choice: _cost(choice, sizes.wished))


def least_odd(counts: Sequence[int], sizes: Sizes) -> int:
    """Return the least number of tables of another size than the wished one for as many people as these tables have."""
    seated = sum(counts)
    parts = table_sizes(seated, sizes) if seated >= sizes.least else ()
    return sum(size != sizes.wished for size in (parts if sum(parts) == seated else counts))


def _spread(seated: int, tables: int, sizes: Sizes) -> tuple[int, ...]:
    """Return the sizes of that many tables with as few odd sizes as possible."""
    difference = seated - tables * sizes.wished
    if not difference:
        return (sizes.wished,) * tables
    room = sizes.most - sizes.wished if difference > 0 else sizes.wished - sizes.least
    odd = -(-abs(difference) // room)
    sign = 1 if difference > 0 else -1
    share, rest = divmod(abs(difference), odd)
    changed = [sizes.wished + sign * (share + (place < rest)) for place in range(odd)]
    return tuple(sorted([*changed, *[sizes.wished] * (tables - odd)], reverse=True))


def _cost(choice: tuple[int, ...], wished: int) -> tuple[int, int, int]:
    odd = [size for size in choice if size != wished]
    return len(odd), sum(abs(size - wished) for size in odd), sum(odd)


def _count(players: int) -> str:
    return "1 entrant" if players == 1 else f"{players} entrants"
