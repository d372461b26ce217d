"""The numbers of the tables: fixed tables first, then as few entrants as possible change their table number."""

from collections.abc import Sequence

from draw.history import History
from draw.lot import Lot


def table_numbers(count: int, closed: frozenset[int], fixed: frozenset[int]) -> list[int]:
    """Return the numbers of so many tables in rising order: all fixed ones, then the lowest that are not closed."""
    numbers = set(fixed)
    number = 0
    while len(numbers) < count:
        number += 1
        if number not in closed:
            numbers.add(number)
    return sorted(numbers)


def numbered(
    tables: Sequence[Sequence[int]], numbers: Sequence[int], given: dict[int, int], history: History, lot: Lot
) -> list[int]:
    """Return a number for each table, so that many entrants stay where they sat.

    ``given`` has the numbers of the tables that are fixed, by their place in ``tables``. The rest is a matching: first
    the pairs of table and number that keep most entrants, then exchanges along alternating paths.
    """
    taken = set(given.values())
    free = set(numbers) - taken
    wants: list[dict[int, int]] = []
    for members in tables:
        stay: dict[int, int] = {}
        for member in members:
            last = history.last[member]
            if last in free:
                stay[last] = stay.get(last, 0) + 1
        wants.append(stay)
    owner: dict[int, int] = {}
    places = [place for place in lot.shuffled(range(len(tables))) if place not in given]
    # Tables that keep several entrants choose first.
    places.sort(key=lambda place: -max(wants[place].values(), default=0))
    for place in places:
        _claim(place, wants, owner, set())
    result = dict(given)
    result.update({place: number for number, place in owner.items()})
    left = sorted(free - set(owner))
    for place in range(len(tables)):
        if place not in result:
            result[place] = left.pop(0)
    return [result[place] for place in range(len(tables))]


def _claim(place: int, wants: list[dict[int, int]], owner: dict[int, int], seen: set[int]) -> bool:
    """Give a table a number that it wants; its owner may take another one that it wants as much."""
    for number, stay in sorted(wants[place].items(), key=lambda item: (-item[1], item[0])):
        if number in seen:
            continue
        seen.add(number)
        other = owner.get(number)
        if other is None or (wants[other][number] <= stay and _claim(other, wants, owner, seen)):
            owner[number] = place
            return True
    return False
