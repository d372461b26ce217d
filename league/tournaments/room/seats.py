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
        "people": [[person.number, person.name] for person in room.entered],
        "withdrawn": [person.number for person in room.entered if person.withdrawn],
        "tables": [[table.number, [person.number for person in table.people]] for table in room.tables],
        "out": [person.number for person in room.out],
        "ranks": {
            str(shown_line.ranked.person.number): [
                shown_line.ranked.line.rank,
                shown_line.total,
                [[cell.text, cell.kind, cell.dropped] for cell in shown_line.cells],
            ]
            for shown_line in ranking_lines(room)
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
        return [place for place in _places(room) if str(place.person.number) == who.lstrip("0")]
    text = who.casefold()
    return [place for place in _places(room) if place.person.name.casefold() == text]


def similar_places(room: Room, who: str) -> list[Place]:
    """Return the places of those whose shown name begins with a text, else of those shown by its initials."""
    text = who.casefold()
    begins = [place for place in _places(room) if place.person.name.casefold().startswith(text)]
    return begins or [place for place in _places(room) if _is_shown_by(place.person, initials(who))]


def _places(room: Room) -> list[Place]:
    places = {place.person.number: place for place in room.by_name}
    return [places.get(person.number, Place(person, None)) for person in room.entered]


def _is_shown_by(person: Person, letters: str) -> bool:
    """Return True for `A.` and `A. 2`: the public name of a player without a further agreement."""
    return person.name == letters or (
        person.name.startswith(f"{letters} ") and person.name[len(letters) + 1 :].isdecimal()
    )
