"""What a record can say: its fields and their types (R1), read into frozen tuples before any clause is tried.

The checks have two halves, because a good record should cost little and a bad one should be told exactly what
is wrong: one quick look at a whole list, and only where that fails a walk to the very place.
"""

from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any, Final, NamedTuple

from engine.errors import Fault, field, shown
from engine.rules import HIGHEST_AMOUNT, HouseRules, house_rules

Check = Callable[[Any, str], None]

_STRINGS: Final = {str}
_INTS: Final = {int}
_LISTS: Final = {list}
_PAIRS: Final = {2}


class Table(NamedTuple):
    """What tally and full record share. Amounts in Rappen; ``claimed`` is empty where nothing was claimed."""

    rules: HouseRules
    seats: int
    dealer: int
    pot_before: int
    deal_number: int
    blind: str | None
    claimed: list[int]


class Tally(NamedTuple):
    """Who declared, who joined, and the tricks (by the seat as a word) or the seats that made their goal."""

    table: Table
    declarer: int | None
    joiners: list[int]
    tricks: dict[str, int]
    made: list[int]


class Full(NamedTuple):
    """Every card, by name, and every call; empty where the record says nothing."""

    table: Table
    hands: list[list[str]]
    turned: list[str]
    calls: list[list[Any]]
    exchanges: list[dict[str, Any]]
    rob: dict[str, Any]
    play: list[list[str]]


def _wrong(at: str, want: str, value: object) -> Fault:
    return Fault("R1", at, f"The field {at} is {want}, not {shown(value)}.")


def _whole(value: Any, at: str) -> None:
    if type(value) is not int:
        raise _wrong(at, "a whole number", value)


def _amount(value: Any, at: str) -> None:
    if type(value) is not int or not 0 <= value <= HIGHEST_AMOUNT:
        raise _wrong(at, f"a whole number from 0 to {HIGHEST_AMOUNT}", value)


def _count_from_one(value: Any, at: str) -> None:
    if type(value) is not int or not 1 <= value <= HIGHEST_AMOUNT:
        raise _wrong(at, f"a whole number from 1 to {HIGHEST_AMOUNT}", value)


def _seat_or_null(value: Any, at: str) -> None:
    if value is not None and type(value) is not int:
        raise _wrong(at, "a seat or null", value)


def _blind(value: Any, at: str) -> None:
    if value not in (None, "blind", "double"):
        raise _wrong(at, 'null, "blind" or "double"', value)


def _when(value: Any, at: str) -> None:
    if value not in ("before", "after"):
        raise _wrong(at, '"before" or "after"', value)


def _game(value: Any, at: str) -> None:
    """Looked at before everything else, as the game says which fields there are."""


def _object(value: Any, at: str) -> None:
    if type(value) is not dict:
        raise _wrong(at, "an object", value)


def _list(value: Any, at: str) -> None:
    if type(value) is not list:
        raise _wrong(at, "a list", value)


def _each(value: Any, at: str, check: Check) -> None:
    _list(value, at)
    for number, item in enumerate(value):
        check(item, f"{at}[{number}]")


def _card(value: Any, at: str) -> None:
    if type(value) is not str:
        raise _wrong(at, "a card's name", value)


def _word(value: Any, at: str) -> None:
    if type(value) is not str:
        raise _wrong(at, "a word", value)


def _cards(value: Any, at: str) -> None:
    if type(value) is not list or not _STRINGS.issuperset(map(type, value)):
        _each(value, at, _card)


def _card_lists(value: Any, at: str) -> None:
    quick = type(value) is list and _LISTS.issuperset(map(type, value))
    if not (quick and _STRINGS.issuperset(map(type, chain.from_iterable(value)))):
        _each(value, at, _cards)


def _wholes(value: Any, at: str) -> None:
    if type(value) is not list or not _INTS.issuperset(map(type, value)):
        _each(value, at, _whole)


def _call(value: Any, at: str) -> None:
    if type(value) is not list or len(value) != 2:
        raise _wrong(at, "a list of a seat and a call", value)
    _whole(value[0], f"{at}[0]")
    _word(value[1], f"{at}[1]")


def _calls(value: Any, at: str) -> None:
    quick = type(value) is list and _LISTS.issuperset(map(type, value)) and _PAIRS.issuperset(map(len, value))
    if quick and value:
        seats, words = zip(*value, strict=True)
        quick = _INTS.issuperset(map(type, seats)) and _STRINGS.issuperset(map(type, words))
    if not quick:
        _each(value, at, _call)


def _tricks(value: Any, at: str) -> None:
    _object(value, at)
    for seat, count in value.items():
        if not _is_seat_word(seat):
            raise Fault("R1", f"{at}.{field(seat)}", f'A key of {at} is a seat such as "0", not {shown(seat)}.')
        _whole(count, f"{at}.{seat}")


def _is_seat_word(word: object) -> bool:
    """A whole number as JSON would print it; whether the table has that seat is R3's business."""
    if type(word) is not str or len(word) > 12:
        return False
    digits = word.removeprefix("-")
    return digits.isascii() and digits.isdigit() and word == str(int(word))


def _deal(value: Any, at: str) -> None:
    _fields(value, at, _DEAL, _DEAL_NEEDS)


def _exchange(value: Any, at: str) -> None:
    _fields(value, at, _EXCHANGE, _SEAT_NEEDED)


def _exchanges(value: Any, at: str) -> None:
    _each(value, at, _exchange)


def _rob(value: Any, at: str) -> None:
    _object(value, at)
    if value:
        _fields(value, at, _ROB, _SEAT_NEEDED)


_DEAL: Final[dict[str, Check]] = {"hands": _card_lists, "turned": _cards}
_DEAL_NEEDS: Final = ("hands", "turned")
_EXCHANGE: Final[dict[str, Check]] = {"seat": _whole, "discard": _cards, "draw": _cards, "drop": _card}
_ROB: Final[dict[str, Check]] = {"seat": _whole, "when": _when}
_SEAT_NEEDED: Final = ("seat",)

_COMMON: Final[dict[str, Check]] = {
    "game": _game,
    "rules": _object,
    "seats": _whole,
    "dealer": _whole,
    "pot_before": _amount,
    "claimed": _wholes,
    "deal_number": _count_from_one,
    "blind": _blind,
}
_COMMON_NEEDS: Final = ("seats", "dealer", "pot_before")

_TALLY: Final[dict[str, Check]] = _COMMON | {
    "declarer": _seat_or_null,
    "joiners": _wholes,
    "tricks": _tricks,
    "made": _wholes,
}
_TALLY_NEEDS: Final = (*_COMMON_NEEDS, "declarer")

_FULL: Final[dict[str, Check]] = _COMMON | {
    "deal": _deal,
    "calls": _calls,
    "exchanges": _exchanges,
    "rob": _rob,
    "play": _card_lists,
}

_NONE: Final[Mapping[str, object]] = {}


def _fields(value: Any, at: str, checks: Mapping[str, Check], needed: tuple[str, ...]) -> None:
    """R1 for an object's fields: none unknown, each of its type, none missing."""
    _object(value, at)
    inside = f"{at}." if at else ""
    for name, item in value.items():
        check = checks.get(name)
        if check is None:
            raise Fault("R1", f"{inside}{field(name)}", f"There is no field {shown(name)} {_where(at)}.")
        check(item, inside + name)
    for name in needed:
        if name not in value:
            raise Fault("R1", inside + name, f"The field {inside}{name} is missing.")


def _where(at: str) -> str:
    return f"in {at}" if at else "in such a record"


def read_chratze(record: dict[str, Any]) -> Tally | Full:
    """A parsed record of Chratze as a tuple; R1 for its shape, then R4 for its house rules.

    A record is full exactly if it has ``deal``.
    """
    if "deal" in record:
        _fields(record, "", _FULL, _COMMON_NEEDS)
        deal = record["deal"]
        return Full(
            table=_table(record),
            hands=deal["hands"],
            turned=deal["turned"],
            calls=record.get("calls", []),
            exchanges=record.get("exchanges", []),
            rob=record.get("rob", {}),
            play=record.get("play", []),
        )
    _fields(record, "", _TALLY, _TALLY_NEEDS)
    tricks, made = record.get("tricks", {}), record.get("made", [])
    if tricks and made:
        raise Fault("R1", "made", "A tally says either the tricks or who made it, not both.")
    return Tally(
        table=_table(record),
        declarer=record["declarer"],
        joiners=record.get("joiners", []),
        tricks=tricks,
        made=made,
    )


def _table(record: dict[str, Any]) -> Table:
    return Table(
        rules=house_rules(record.get("rules", _NONE)),
        seats=record["seats"],
        dealer=record["dealer"],
        pot_before=record["pot_before"],
        deal_number=record.get("deal_number", 1),
        blind=record.get("blind"),
        claimed=record.get("claimed", []),
    )
