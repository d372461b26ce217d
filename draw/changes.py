"""Changes to a drawn round before it is played: late arrivals, withdrawals, and exchanges by the desk's hand."""

from collections.abc import Iterable, Sequence
from itertools import permutations

from draw.groups import meeting_weights, searched
from draw.history import History
from draw.judge import judge
from draw.lot import Lot
from draw.model import DEFAULT_SIZES, Changes, Entrant, Mode, Move, Order, PastRound, Report, Round, Sizes, Table
from draw.reseating import Reseating
from draw.seats import order_price, seat_order
from draw.tables import checked, checked_out


def redraw_round(
    current: Round,
    entrants: Iterable[Entrant],
    past: Sequence[PastRound] = (),
    sizes: Sizes = DEFAULT_SIZES,
    *,
    mode: Mode = "balanced",
    seed: int,
    out: Iterable[int] = (),
    closed_tables: frozenset[int] = frozenset(),
    seconds: float = 2.0,
    order: Order = "repeats",
) -> tuple[Round, Changes]:
    """Change a drawn round so that it fits those who are present now, and move as few as possible.

    All tables keep an allowed size, and everybody sits or sits out in turn. Among the changes that move fewest, tables
    of another size than the wished one are few; then the newcomers are seated as in a draw of the mode *balanced*, or
    by lot with labels apart in the other modes. Entrants who stay at a table keep the order of play.

    Raises: ValueError: a sentence about the fault of the input.
    """
    present = checked(entrants, mode, closed_tables)
    named_out = checked_out(out, present)
    lot = Lot(seed, "redraw", mode, len(past) + 1)
    history = History(present, past, sizes)
    weights = meeting_weights(range(len(present)), present, history, meetings=mode == "balanced")
    reseating = Reseating(current, present, history, sizes, named_out, weights, lot)
    fixed = {entrant.number: entrant.fixed_table for entrant in present}
    groups = _improved(reseating, present, history, mode, lot, seconds)
    numbers = _numbers(reseating, groups, current, closed_tables, fixed)
    seats = {table.number: table.seats for table in current.tables}
    tables = tuple(
        sorted(
            (
                Table(number, _order(seats.get(old or 0, ()), members, history, lot))
                for old, number, members in zip(reseating.old_numbers, numbers, groups, strict=True)
            ),
            key=lambda table: table.number,
        )
    )
    sitting_out = tuple(sorted(reseating.out))
    report = judge([*past, PastRound(tables, sitting_out)], present, sizes, seed=seed, order=order)
    redrawn = Round(tables, sitting_out, report)
    return redrawn, changes_between(current, redrawn)


def _improved(
    reseating: Reseating, present: Sequence[Entrant], history: History, mode: Mode, lot: Lot, seconds: float
) -> list[list[int]]:
    """Return the start numbers at each table after a search that exchanges newcomers only."""
    seated = sorted(history.index[number] for members in reseating.tables for number in members)
    tables = [[history.index[number] for number in members] for members in reseating.tables]
    weights = meeting_weights(seated, present, history, meetings=mode == "balanced")
    stay = [player for player in seated if present[player].number not in reseating.free]
    new_tables = searched(tables, seated, weights, lot, seconds, pinned=stay)
    return [[present[member].number for member in members] for members in new_tables]


def _numbers(
    reseating: Reseating,
    groups: Sequence[Sequence[int]],
    current: Round,
    closed: frozenset[int],
    fixed: dict[int, int | None],
) -> list[int]:
    """Return the numbers of the tables: the old ones where that is possible, the lowest free ones for the others."""
    asked = [next((fixed[number] for number in members if fixed[number] is not None), None) for members in groups]
    taken = {number for number in asked if number is not None}
    numbers: list[int | None] = []
    for wish, old in zip(asked, reseating.old_numbers, strict=True):
        keep = old if old is not None and old not in closed and old not in taken else None
        numbers.append(wish if wish is not None else keep)
    used = {number for number in numbers if number is not None}
    result = []
    free = 1
    for number in numbers:
        if number is None:
            while free in used or free in closed:
                free += 1
            used.add(free)
            number = free
        result.append(number)
    return result


def _order(before: Sequence[int], members: Sequence[int], history: History, lot: Lot) -> tuple[int, ...]:
    """Return the order of play: entrants who stay keep it, newcomers take the free seats or sit down where it costs
    least."""
    staying = [number for number in before if number in members]
    new = [number for number in members if number not in before]
    if not staying:
        order = seat_order([history.index[number] for number in members], history, lot)
        return tuple(history.numbers[player] for player in order)
    if not new:
        return tuple(staying)
    holes = [place for place, number in enumerate(before) if number not in members][: len(new)]
    gone = {number for place, number in enumerate(before) if number not in members and place not in holes}
    candidates = []
    for mixed in permutations(new):
        newcomers = list(mixed)
        seats = [newcomers.pop(0) if place in holes else number for place, number in enumerate(before)]
        candidates.append(_with_more([number for number in seats if number not in gone], newcomers, history))
    return min(candidates, key=lambda order: order_price([history.index[number] for number in order], history))


def _with_more(order: list[int], newcomers: Sequence[int], history: History) -> tuple[int, ...]:
    """Insert newcomers where they cost least, but never before the first dealer."""
    for number in newcomers:
        longer = [[*order[:place], number, *order[place:]] for place in range(1, len(order) + 1)]
        order = min(longer, key=lambda seats: order_price([history.index[number] for number in seats], history))
    return tuple(order)


def changes_between(before: Round, after: Round) -> Changes:
    """Return the changes between two draws of one round."""
    was, now = _places(before), _places(after)
    moves = [
        Move(number, was[number], now[number])
        for number in sorted(was.keys() & now.keys())
        if was[number] != now[number]
    ]
    old = {table.number for table in before.tables}
    new = {table.number for table in after.tables}
    return Changes(
        tuple(moves),
        tuple(sorted(now.keys() - was.keys())),
        tuple(sorted(was.keys() - now.keys())),
        tuple(sorted(new - old)),
        tuple(sorted(old - new)),
    )


def _places(drawn: Round) -> dict[int, int | None]:
    places: dict[int, int | None] = dict.fromkeys(drawn.out)
    places.update({number: table.number for table in drawn.tables for number in table.seats})
    return places


def swap(
    current: Round,
    player: int,
    other: int,
    past: Sequence[PastRound] = (),
    *,
    entrants: Iterable[Entrant] = (),
    sizes: Sizes = DEFAULT_SIZES,
    order: Order = "repeats",
) -> tuple[Round, Report, Report]:
    """Let two entrants change places; return the new round, and the reports before and after.

    One of them may sit out. ``entrants`` are needed for labels and fixed tables only.

    Raises:
        ValueError: an entrant is not in the round, both sit out, or one has a fixed table.
    """
    present = list(entrants)
    places = _places(current)
    for number in (player, other):
        if number not in places:
            raise ValueError(f"Entrant {number} is not in this round.")
    if player == other or (places[player] is None and places[other] is None):
        raise ValueError(f"Entrants {player} and {other} cannot change places: both have the same.")
    if places[player] != places[other]:
        for entrant in present:
            if entrant.number in (player, other) and entrant.fixed_table is not None:
                raise ValueError(f"Entrant {entrant.number} cannot leave the fixed table {entrant.fixed_table}.")
    partner = {player: other, other: player}
    tables = tuple(
        Table(table.number, tuple(partner.get(number, number) for number in table.seats)) for table in current.tables
    )
    out = tuple(sorted(partner.get(number, number) for number in current.out))
    seed = current.report.seed
    before = judge([*past, current], present, sizes, seed=seed, order=order)
    after = judge([*past, PastRound(tables, out)], present, sizes, seed=seed, order=order)
    return Round(tables, out, after), before, after
