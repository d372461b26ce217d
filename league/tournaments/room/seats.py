"""Where do I sit: the places of everybody, as the page on the phone reads them, and those that fit a text."""

from __future__ import annotations

from typing import Any

from ...access import Right
from ...access.names import initials
from ...models import Round
from .. import tables
from .selectors import Person, Place, Room
from .wording import ranking_lines


def seats_data(room: Room) -> dict[str, Any]:
    """Return the places for the page on the phone, which picks one: the same for all readers of equal rights.

    `people`: [start number, name] of everybody entered; `tables`: [table number, start numbers in order]; `out`: start
    numbers; `ranks`: start number → [rank, total, [[result, kind, dropped] of each round]]; `open`: table number → the
    table's address, for those who may record there.
    """
    return {
        "people": [[one.number, one.name] for one in room.entered],
        "withdrawn": [one.number for one in room.entered if one.withdrawn],
        "tables": [[table.number, [one.number for one in table.people]] for table in room.tables],
        "out": [one.number for one in room.out],
        "ranks": {
            str(one.ranked.person.number): [
                one.ranked.line.rank,
                one.total,
                [[cell.text, cell.kind, cell.dropped] for cell in one.cells],
            ]
            for one in ranking_lines(room)
        },
        "open": _addresses(room),
    }


def _addresses(room: Room) -> dict[str, str]:
    if room.current is None or room.current.state != Round.State.PLAYING or not room.access.may(Right.RECORD):
        return {}
    states = tables.of_games().states(room.current.evening)
    return {str(number): state.address for number, state in states.items()}


def exact_places(room: Room, who: str) -> list[Place]:
    """Return the places of those with this start number or shown name."""
    if who.isdecimal():
        return [one for one in _places(room) if str(one.person.number) == who.lstrip("0")]
    text = who.casefold()
    return [one for one in _places(room) if one.person.name.casefold() == text]


def similar_places(room: Room, who: str) -> list[Place]:
    """Return the places of those whose shown name begins with a text, else of those shown by its initials."""
    text = who.casefold()
    begins = [one for one in _places(room) if one.person.name.casefold().startswith(text)]
    return begins or [one for one in _places(room) if _is_shown_by(one.person, initials(who))]


def _places(room: Room) -> list[Place]:
    places = {one.person.number: one for one in room.by_name}
    return [places.get(one.number, Place(one, None)) for one in room.entered]


def _is_shown_by(person: Person, letters: str) -> bool:
    """Return True for `A.` and `A. 2`: the public name of a player without a further agreement."""
    return person.name == letters or (
        person.name.startswith(f"{letters} ") and person.name[len(letters) + 1 :].isdecimal()
    )
