"""The fields of a record and their types (R1), read into frozen tuples before any clause is checked.

Most checks have two stages, so that a valid record is cheap and an invalid one gets an exact message: a fast test of a
whole list first, and only if that fails a search for the first wrong place.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any, Final, NamedTuple

from engine.errors import Fault, printable, printable_name
from engine.rules import HIGHEST_AMOUNT, HouseRules, KratzenRules, house_rules, kratzen_rules

Check = Callable[[Any], None]
"""Raises `_WrongShape` unless a value is of the type that its field requires."""

_INTS: Final = {int}
_SEAT_WORDS: Final = set("0123456")
_LISTS: Final = {list}
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


class KratzenTable(NamedTuple):
    """The fields that a tally and a full record of Kratzen share.

    ``cuts`` are cards by name; a tally may use symbols instead (K3.1).
    """

    rules: KratzenRules
    seats: int
    dealer: int
    pot_before: int
    cuts: list[list[str]]


class KratzenTally(NamedTuple):
    """A tally of Kratzen: the call, the roles, and the tricks by seat, as a string."""

    table: KratzenTable
    seven: bool
    game_type: str | None
    declarer: int | None
    joiners: list[int]
    tricks: dict[str, int]


class KratzenFull(NamedTuple):
    """A full record of Kratzen: every card, by name, every call and every answer; a missing field is empty."""

    table: KratzenTable
    hands: list[list[str]]
    turned: list[str]
    calls: list[list[Any]]
    new_trump: list[str]
    last_word: int | None
    answers: list[list[Any]]
    exchanges: list[dict[str, Any]]
    play: list[list[str]]


class _WrongShape(Exception):
    """A value is not of the type that its field requires.

    Each caller adds its part of the place while the exception passes through it, so that a valid record never pays for
    building places.
    """

    def __init__(self, message: Callable[[str], str], *path: int | str) -> None:
        self.message = message
        self.path = [*path]
        """The indexes and field names from the value outwards."""

    def within(self, step: int | str) -> "_WrongShape":
        """Add the index or field name under which the value was found."""
        self.path.append(step)
        return self

    def as_fault(self) -> Fault:
        """Return the fault R1, with a place such as ``"deal.hands[0][1]"``."""
        steps = (f"[{step}]" if type(step) is int else f".{step}" for step in reversed(self.path))
        at = "".join(steps).removeprefix(".")
        return Fault("R1", at, self.message(at))


def _wrong_value(expected: str, value: object) -> _WrongShape:
    return _WrongShape(lambda at: f"The field {at} is {expected}, not {printable(value)}.")


def _integer(value: Any) -> None:
    if type(value) is not int:
        raise _wrong_value("a whole number", value)


def _integer_from(least: int) -> Check:
    """Return a check for a whole number from ``least`` to `HIGHEST_AMOUNT`."""

    def check(value: Any) -> None:
        if type(value) is not int or not least <= value <= HIGHEST_AMOUNT:
            raise _wrong_value(f"a whole number from {least} to {HIGHEST_AMOUNT}", value)

    return check


def _seat_or_null(value: Any) -> None:
    if value is not None and type(value) is not int:
        raise _wrong_value("a seat or null", value)


def _one_of(values: tuple[str | None, ...], expected: str) -> Check:
    """Return a check for a field with few values."""

    def check(value: Any) -> None:
        if value not in values:
            raise _wrong_value(expected, value)

    return check


def _boolean(value: Any) -> None:
    if type(value) is not bool:
        raise _wrong_value("true or false", value)


def _game(value: Any) -> None:
    """Accept any value: the game was checked first, because it decides which fields a record has."""


def _object(value: Any) -> None:
    if type(value) is not dict:
        raise _wrong_value("an object", value)


def _list(value: Any) -> None:
    if type(value) is not list:
        raise _wrong_value("a list", value)


def _each(value: Any, check: Check) -> None:
    _list(value)
    place = 0
    try:
        for item in value:
            check(item)
            place += 1
    except _WrongShape as wrong:
        raise wrong.within(place) from None


def _card(value: Any) -> None:
    if type(value) is not str:
        raise _wrong_value("a card's name", value)


def _word(value: Any) -> None:
    if type(value) is not str:
        raise _wrong_value("a word", value)


def _are_words(values: Iterable[Any]) -> bool:
    """Return True if all values are strings. One `join` is much faster than a type check of each value."""
    try:
        "".join(values)
    except TypeError:
        return False
    return True


def _cards(value: Any) -> None:
    if type(value) is not list or not _are_words(value):
        _each(value, _card)


def _card_lists(value: Any) -> None:
    are_lists = type(value) is list and _LISTS.issuperset(map(type, value))
    if not (are_lists and _are_words(chain.from_iterable(value))):
        _each(value, _cards)


def _integers(value: Any) -> None:
    if type(value) is not list or not _INTS.issuperset(map(type, value)):
        _each(value, _integer)


def _call(value: Any) -> None:
    if type(value) is not list or len(value) != 2:
        raise _wrong_value("a list of a seat and a call", value)
    for place, check in enumerate((_integer, _word)):
        try:
            check(value[place])
        except _WrongShape as wrong:
            raise wrong.within(place) from None


def _calls(value: Any) -> None:
    if type(value) is not list or not all(
        type(call) is list and len(call) == 2 and type(call[0]) is int and type(call[1]) is str for call in value
    ):
        _each(value, _call)


def _tricks(value: Any) -> None:
    _object(value)
    if _SEAT_WORDS.issuperset(value) and _INTS.issuperset(map(type, value.values())):
        return
    for seat, count in value.items():
        if not _is_seat_word(seat):
            raise _WrongShape(
                lambda at: f'The field {at} must be named after a seat, such as "0".', printable_name(seat)
            )
        if type(count) is not int:
            raise _wrong_value("a whole number", count).within(printable_name(seat))


def _is_seat_word(word: object) -> bool:
    """Return True for a whole number as JSON prints it; R3 is checked later, when the number of seats is known."""
    if type(word) is not str or len(word) > 12:
        return False
    digits = word.removeprefix("-")
    return digits.isascii() and digits.isdigit() and word == str(int(word))


def _deal(value: Any) -> None:
    _check_fields(value, _DEAL, _DEAL_NEEDED)


def _exchange(value: Any) -> None:
    _check_fields(value, _EXCHANGE, _SEAT_NEEDED)


def _exchanges(value: Any) -> None:
    _each(value, _exchange)


def _kratzen_exchanges(value: Any) -> None:
    _each(value, _kratzen_exchange)


def _kratzen_exchange(value: Any) -> None:
    _check_fields(value, _KRATZEN_EXCHANGE, _SEAT_NEEDED)


def _rob(value: Any) -> None:
    _object(value)
    if value:
        _check_fields(value, _ROB, _SEAT_NEEDED)


_DEAL: Final[dict[str, Check]] = {"hands": _card_lists, "turned": _cards}
_DEAL_NEEDED: Final = ("hands", "turned")
_EXCHANGE: Final[dict[str, Check]] = {"seat": _integer, "discard": _cards, "draw": _cards, "drop": _card}
_ROB: Final[dict[str, Check]] = {"seat": _integer, "when": _one_of(("before", "after"), '"before" or "after"')}
_SEAT_NEEDED: Final = ("seat",)

_BOTH_GAMES: Final[dict[str, Check]] = {
    "game": _game,
    "rules": _object,
    "seats": _integer,
    "dealer": _integer,
    "pot_before": _integer_from(0),
    "claimed": _integers,
}
_CHRATZE: Final[dict[str, Check]] = _BOTH_GAMES | {
    "deal_number": _integer_from(1),
    "blind": _one_of(_BLIND_VALUES, 'null, "blind" or "double"'),
}
_COMMON_NEEDED: Final = ("seats", "dealer", "pot_before")

_TALLY: Final[dict[str, Check]] = _CHRATZE | {
    "declarer": _seat_or_null,
    "joiners": _integers,
    "tricks": _tricks,
    "made": _integers,
}
_TALLY_NEEDED: Final = (*_COMMON_NEEDED, "declarer")
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

_FULL: Final[dict[str, Check]] = _CHRATZE | {
    "deal": _deal,
    "calls": _calls,
    "exchanges": _exchanges,
    "rob": _rob,
    "play": _card_lists,
}

_KRATZEN_EXCHANGE: Final[dict[str, Check]] = {"seat": _integer} | dict.fromkeys(
    ("discard", "draw", "show", "open", "hidden", "drop"), _cards
)
_KRATZEN: Final[dict[str, Check]] = _BOTH_GAMES | {"cuts": _card_lists}
_KRATZEN_NEEDED: Final = (*_COMMON_NEEDED, "cuts")

_KRATZEN_TALLY: Final[dict[str, Check]] = _KRATZEN | {
    "seven": _boolean,
    "game_type": _one_of((None, "schlagen", "oder", "weiter-oder"), 'null, "schlagen", "oder" or "weiter-oder"'),
    "declarer": _seat_or_null,
    "joiners": _integers,
    "tricks": _tricks,
}
_KRATZEN_TALLY_NEEDED: Final = (*_KRATZEN_NEEDED, "declarer")

_KRATZEN_FULL: Final[dict[str, Check]] = _KRATZEN | {
    "deal": _deal,
    "calls": _calls,
    "new_trump": _cards,
    "last_word": _seat_or_null,
    "answers": _calls,
    "exchanges": _kratzen_exchanges,
    "play": _card_lists,
}

_NO_RULES: Final[Mapping[str, object]] = {}


def _check_fields(value: Any, checks: Mapping[str, Check], needed: tuple[str, ...]) -> None:
    """Check the fields of an object: none is unknown, each is of its type, none is missing."""
    _object(value)
    name = ""
    try:
        for name, item in value.items():
            check = checks.get(name)
            if check is None:
                raise _WrongShape(lambda at: f"There is no field {at} in such a record.")
            check(item)
    except _WrongShape as wrong:
        raise wrong.within(printable_name(name)) from None
    for name in needed:
        if name not in value:
            raise _WrongShape(lambda at: f"The field {at} is missing.", name)


def _check_record(record: dict[str, Any], checks: Mapping[str, Check], needed: tuple[str, ...]) -> None:
    """Raise R1 for the first wrong place of a record."""
    try:
        _check_fields(record, checks, needed)
    except _WrongShape as wrong:
        raise wrong.as_fault() from None


def read_chratze(record: dict[str, Any]) -> Tally | Full:
    """Return a parsed record of Chratze as a tuple. A record is full if and only if it has the field ``deal``.

    Raises:
        Fault: R1 for fields and types, then R4 for house rules.
    """
    return _read_full(record) if "deal" in record else _read_tally(record)


def _read_full(record: dict[str, Any]) -> Full:
    _check_record(record, _FULL, _COMMON_NEEDED)
    deal = record["deal"]
    table = Table(
        house_rules(record.get("rules", _NO_RULES)),
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
        _check_record(record, _TALLY, _TALLY_NEEDED)
    _, rules, seats, dealer, pot_before, claimed, deal_number, blind, declarer, joiners, tricks, made = values
    if not (
        0 <= pot_before <= HIGHEST_AMOUNT
        and 1 <= deal_number <= HIGHEST_AMOUNT
        and blind in _BLIND_VALUES
        and _INTS.issuperset(map(type, (*joiners, *tricks.values(), *made, *claimed)))
        and _SEAT_WORDS.issuperset(tricks)
    ):
        _check_record(record, _TALLY, _TALLY_NEEDED)
    if tricks and made:
        raise Fault("R1", "made", "A tally says either the tricks or who made it, not both.")
    return Tally(
        Table(house_rules(rules), seats, dealer, pot_before, deal_number, blind), declarer, joiners, tricks, made
    )


def read_kratzen(record: dict[str, Any]) -> KratzenTally | KratzenFull:
    """Return a parsed record of Kratzen as a tuple. A record is full if and only if it has the field ``deal``.

    Raises:
        Fault: R1 for fields and types, then R4 for house rules, then R1 for a pot that is not in whole coins.
    """
    is_full = "deal" in record
    fields, needed = (_KRATZEN_FULL, _KRATZEN_NEEDED) if is_full else (_KRATZEN_TALLY, _KRATZEN_TALLY_NEEDED)
    _check_record(record, fields, needed)
    rules = kratzen_rules(record.get("rules", _NO_RULES))
    check_whole_coins(rules, record["pot_before"])
    table = KratzenTable(rules, record["seats"], record["dealer"], record["pot_before"], record["cuts"])
    if is_full:
        deal = record["deal"]
        return KratzenFull(
            table,
            deal["hands"],
            deal["turned"],
            record.get("calls", []),
            record.get("new_trump", []),
            record.get("last_word"),
            record.get("answers", []),
            record.get("exchanges", []),
            record.get("play", []),
        )
    return KratzenTally(
        table,
        record.get("seven", False),
        record.get("game_type"),
        record["declarer"],
        record.get("joiners", []),
        record.get("tricks", {}),
    )


def check_whole_coins(rules: KratzenRules, pot_before: int) -> None:
    """Raise R1 unless the pot is in whole coins (K2.1)."""
    if pot_before % rules.coin:
        raise Fault("R1", "pot_before", f"The pot is in whole coins of {rules.coin}, not {pot_before}.")
