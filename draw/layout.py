"""The layout before the search: sit-outs, tables and fixed seats."""

from collections.abc import Sequence
from dataclasses import dataclass

from draw.history import History
from draw.lot import Lot
from draw.model import Entrant, Sizes
from draw.sizes import table_sizes


@dataclass(slots=True)
class Layout:
    """The seated entrants by index, and the size of each table; ``fixed`` has the number of a fixed table by its place.

    ``pinned`` are the entrants at fixed tables, by the place of their table.
    """

    seated: list[int]
    out: list[int]
    sizes: list[int]
    fixed: dict[int, int]
    pinned: dict[int, int]
    odd: list[bool]


def layout(entrants: Sequence[Entrant], history: History, sizes: Sizes, named_out: frozenset[int], lot: Lot) -> Layout:
    """Return the layout of a round.

    Raises:
        ValueError: too few entrants are left for a table, or a fixed table has too many entrants.
    """
    present = [place for place, entrant in enumerate(entrants) if entrant.number not in named_out]
    parts = table_sizes(len(present), sizes)
    out = {place for place, entrant in enumerate(entrants) if entrant.number in named_out}
    spare = len(present) - sum(parts)
    out.update(sorted(lot.shuffled(present), key=lambda place: history.outs[place])[:spare])
    seated = [place for place in present if place not in out]
    fixed, pinned = _fixed_places(entrants, seated, parts, sizes)
    odd = [size != sizes.wished for size in parts]
    return Layout(seated, sorted(out), list(parts), fixed, pinned, odd)


def _fixed_places(
    entrants: Sequence[Entrant], seated: Sequence[int], parts: Sequence[int], sizes: Sizes
) -> tuple[dict[int, int], dict[int, int]]:
    wanted: dict[int, list[int]] = {}
    for place in seated:
        number = entrants[place].fixed_table
        if number is not None:
            wanted.setdefault(number, []).append(place)
    if len(wanted) > len(parts):
        raise ValueError(f"{len(wanted)} tables are fixed, but there are only {len(parts)} tables in this round.")
    fixed: dict[int, int] = {}
    pinned: dict[int, int] = {}
    for number, who in sorted(wanted.items(), key=lambda item: (-len(item[1]), item[0])):
        roomy = [place for place, size in enumerate(parts) if size >= len(who) and place not in fixed]
        if not roomy:
            raise ValueError(
                f"Table {number} is fixed for {len(who)} entrants; no table of this round has so many seats."
            )
        table = min(roomy, key=lambda place: (parts[place] != sizes.wished, parts[place], place))
        fixed[table] = number
        pinned.update(dict.fromkeys(who, table))
    return fixed, pinned


def by_lot(plan: Layout, history: History, lot: Lot) -> list[list[int]]:
    """Return the tables filled by lot: the fixed first, then tables of another size by turn, then the rest."""
    tables: list[list[int]] = [[] for _ in plan.sizes]
    for player, table in plan.pinned.items():
        tables[table].append(player)
    free = lot.shuffled([player for player in plan.seated if player not in plan.pinned])
    free.sort(key=lambda player: history.odd[player])
    rooms = [plan.sizes[table] - len(members) for table, members in enumerate(tables)]
    at_odd = sum(room for room, odd in zip(rooms, plan.odd, strict=True) if odd)
    for wanted, group in ((True, free[:at_odd]), (False, lot.shuffled(free[at_odd:]))):
        mixed = lot.shuffled(group)
        for table, room in enumerate(rooms):
            if plan.odd[table] == wanted:
                tables[table].extend(mixed[:room])
                mixed = mixed[room:]
    return tables
