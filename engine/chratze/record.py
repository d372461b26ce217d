"""The fields of a record of Chratze and their types (R1), read into frozen tuples before any clause is checked."""

from typing import Any, Final, NamedTuple

from engine import shapes
from engine.chratze.rules import HouseRules, house_rules
from engine.errors import Fault
from engine.rules import HIGHEST_AMOUNT
from engine.shapes import INTS, SEAT_WORDS

_BLIND_VALUES: Final = (None, "blind", "double")


class Table(NamedTuple):
    """The fields that a tally and a full record of Chratze share. Amounts in Rappen."""

    rules: HouseRules
    seats: int
    dealer: int
    pot_before: int
    deal_number: int
    blind: str | None


class Tally(NamedTuple):
    """A tally of Chratze: the roles, and the tricks (by seat, as a string) or the seats that made their goal."""

    table: Table
    declarer: int | None
    joiners: list[int]
    tricks: dict[str, int]
    made: list[int]


class Full(NamedTuple):
    """A full record of Chratze: every card, by name, and every call; a missing field is empty."""

    table: Table
    hands: list[list[str]]
    turned: list[str]
    calls: list[list[Any]]
    exchanges: list[dict[str, Any]]
    rob: dict[str, Any]
    play: list[list[str]]


def _rob(value: Any) -> None:
    shapes.json_object(value)
    if value:
        shapes.check_fields(value, _ROB, shapes.SEAT_NEEDED)


_DEAL: Final[shapes.Fields] = {"hands": shapes.card_lists, "turned": shapes.cards}
_EXCHANGE: Final[shapes.Fields] = {
    "seat": shapes.integer,
    "discard": shapes.cards,
    "draw": shapes.cards,
    "drop": shapes.card,
}
_ROB: Final[shapes.Fields] = {
    "seat": shapes.integer,
    "when": shapes.one_of(("before", "after"), '"before" or "after"'),
}

_SHARED: Final[dict[str, shapes.Check]] = shapes.COMMON | {
    "deal_number": shapes.integer_from(1),
    "blind": shapes.one_of(_BLIND_VALUES, 'null, "blind" or "double"'),
}
"""The fields that a tally and a full record share."""

_TALLY: Final[shapes.Fields] = _SHARED | {
    "declarer": shapes.seat_or_null,
    "joiners": shapes.integers,
    "tricks": shapes.tricks,
    "made": shapes.integers,
}
_TALLY_NEEDED: Final = (*shapes.COMMON_NEEDED, "declarer")
_TALLY_DEFAULTS: Final[dict[str, Any]] = {
    "game": "",
    "rules": {},
    "seats": ...,
    "dealer": ...,
    "pot_before": ...,
    "claimed": [],
    "deal_number": 1,
    "blind": None,
    "declarer": ...,
    "joiners": [],
    "tricks": {},
    "made": [],
}
"""All fields of a tally in the order in which `_read_tally` unpacks them; ``...`` marks a required field."""
_TALLY_TYPES: Final = tuple(
    (str, dict, int, int, int, list, int, blind, declarer, list, dict, list)
    for blind in (type(None), str)
    for declarer in (int, type(None))
)

_FULL: Final[shapes.Fields] = _SHARED | {
    "deal": shapes.object_of(_DEAL, shapes.DEAL_NEEDED),
    "calls": shapes.calls,
    "exchanges": shapes.list_of(shapes.object_of(_EXCHANGE, shapes.SEAT_NEEDED)),
    "rob": _rob,
    "play": shapes.card_lists,
}


def read(record: dict[str, Any]) -> Tally | Full:
    """Return a parsed record of Chratze as a tuple. A record is full if and only if it has the field ``deal``.

    Raises:
        Fault: R1 for fields and types, then R4 for house rules.
    """
    return _read_full(record) if "deal" in record else _read_tally(record)


def _read_full(record: dict[str, Any]) -> Full:
    shapes.check_record(record, _FULL, shapes.COMMON_NEEDED)
    deal = record["deal"]
    table = Table(
        house_rules(record.get("rules", shapes.NO_RULES)),
        record["seats"],
        record["dealer"],
        record["pot_before"],
        record.get("deal_number", 1),
        record.get("blind"),
    )
    return Full(
        table,
        deal["hands"],
        deal["turned"],
        record.get("calls", []),
        record.get("exchanges", []),
        record.get("rob", {}),
        record.get("play", []),
    )


def _read_tally(record: dict[str, Any]) -> Tally:
    """Read a tally. For speed the types of all values are compared at once: an unknown, missing or wrong field gives a
    sequence of types that no valid tally has."""
    values = (_TALLY_DEFAULTS | record).values()
    if (*map(type, values),) not in _TALLY_TYPES:
        shapes.check_record(record, _TALLY, _TALLY_NEEDED)
    _, rules, seats, dealer, pot_before, claimed, deal_number, blind, declarer, joiners, tricks, made = values
    if not (
        0 <= pot_before <= HIGHEST_AMOUNT
        and 1 <= deal_number <= HIGHEST_AMOUNT
        and blind in _BLIND_VALUES
        and INTS.issuperset(map(type, (*joiners, *tricks.values(), *made, *claimed)))
        and SEAT_WORDS.issuperset(tricks)
    ):
        shapes.check_record(record, _TALLY, _TALLY_NEEDED)
    if tricks and made:
        raise Fault("R1", "made", "A tally says either the tricks or who made it, not both.")
    return Tally(
        Table(house_rules(rules), seats, dealer, pot_before, deal_number, blind), declarer, joiners, tricks, made
    )
