"""What a record can say: its fields and their types (R1), read into frozen tuples before any clause is tried.

The checks have two halves, because a good record should cost little and a bad one should be told exactly what
is wrong: one quick look at a whole list, and only where that fails a walk to the very place.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any, Final, NamedTuple

from engine.errors import Fault, field, shown
from engine.rules import HIGHEST_AMOUNT, HouseRules, KratzenRules, house_rules, kratzen_rules

Check = Callable[[Any], None]

_INTS: Final = {int}
_SEAT_WORDS: Final = set("0123456")
_LISTS: Final = {list}
_BLINDS: Final = (None, "blind", "double")


class Table(NamedTuple):
    """What tally and full record share. Amounts in Rappen."""

    rules: HouseRules
    seats: int
    dealer: int
    pot_before: int
    deal_number: int
    blind: str | None


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


class KratzenTable(NamedTuple):
    """What tally and full record of Kratzen share. ``cuts`` are cards by name, in a tally also their kinds."""

    rules: KratzenRules
    seats: int
    dealer: int
    pot_before: int
    cuts: list[list[str]]


class KratzenTally(NamedTuple):
    """Who declared what, who joined, and the tricks by the seat as a word."""

    table: KratzenTable
    seven: bool
    game_type: str | None
    declarer: int | None
    joiners: list[int]
    tricks: dict[str, int]


class KratzenFull(NamedTuple):
    """Every card, by name, every call and every answer; empty where the record says nothing."""

    table: KratzenTable
    hands: list[list[str]]
    turned: list[str]
    calls: list[list[Any]]
    new_trump: list[str]
    last_word: int | None
    answers: list[list[Any]]
    exchanges: list[dict[str, Any]]
    play: list[list[str]]


class _Misshapen(Exception):
    """A value that is not what its place wants. The place is put together on the way out, step by step, so that a
    good record costs nothing for it."""

    def __init__(self, say: Callable[[str], str], *steps: int | str) -> None:
        self.say = say
        self.steps = [*steps]

    def within(self, step: int | str) -> "_Misshapen":
        """The same, seen from the object or list around it."""
        self.steps.append(step)
        return self

    def as_fault(self) -> Fault:
        """R1, with the place as ``"deal.hands[0][1]"``."""
        steps = (f"[{step}]" if type(step) is int else f".{step}" for step in reversed(self.steps))
        at = "".join(steps).removeprefix(".")
        return Fault("R1", at, self.say(at))


def _wrong(want: str, value: object) -> _Misshapen:
    return _Misshapen(lambda at: f"The field {at} is {want}, not {shown(value)}.")


def _whole(value: Any) -> None:
    if type(value) is not int:
        raise _wrong("a whole number", value)


def _amount(value: Any) -> None:
    if type(value) is not int or not 0 <= value <= HIGHEST_AMOUNT:
        raise _wrong(f"a whole number from 0 to {HIGHEST_AMOUNT}", value)


def _count_from_one(value: Any) -> None:
    if type(value) is not int or not 1 <= value <= HIGHEST_AMOUNT:
        raise _wrong(f"a whole number from 1 to {HIGHEST_AMOUNT}", value)


def _seat_or_null(value: Any) -> None:
    if value is not None and type(value) is not int:
        raise _wrong("a seat or null", value)


def _blind(value: Any) -> None:
    if value not in _BLINDS:
        raise _wrong('null, "blind" or "double"', value)


def _when(value: Any) -> None:
    if value not in ("before", "after"):
        raise _wrong('"before" or "after"', value)


def _seven(value: Any) -> None:
    if type(value) is not bool:
        raise _wrong("true or false", value)


def _game_type(value: Any) -> None:
    if value not in (None, "schlagen", "oder", "weiter-oder"):
        raise _wrong('null, "schlagen", "oder" or "weiter-oder"', value)


def _game(value: Any) -> None:
    """Looked at before everything else, as the game says which fields there are."""


def _object(value: Any) -> None:
    if type(value) is not dict:
        raise _wrong("an object", value)


def _list(value: Any) -> None:
    if type(value) is not list:
        raise _wrong("a list", value)


def _each(value: Any, check: Check) -> None:
    _list(value)
    place = 0
    try:
        for item in value:
            check(item)
            place += 1
    except _Misshapen as wrong:
        raise wrong.within(place) from None


def _card(value: Any) -> None:
    if type(value) is not str:
        raise _wrong("a card's name", value)


def _word(value: Any) -> None:
    if type(value) is not str:
        raise _wrong("a word", value)


def _are_words(values: Iterable[Any]) -> bool:
    """Whether all are strings. Joining them asks that of all at once and is much faster than asking each."""
    try:
        "".join(values)
    except TypeError:
        return False
    return True


def _cards(value: Any) -> None:
    if type(value) is not list or not _are_words(value):
        _each(value, _card)


def _card_lists(value: Any) -> None:
    quick = type(value) is list and _LISTS.issuperset(map(type, value))
    if not (quick and _are_words(chain.from_iterable(value))):
        _each(value, _cards)


def _wholes(value: Any) -> None:
    if type(value) is not list or not _INTS.issuperset(map(type, value)):
        _each(value, _whole)


def _call(value: Any) -> None:
    if type(value) is not list or len(value) != 2:
        raise _wrong("a list of a seat and a call", value)
    for place, check in enumerate((_whole, _word)):
        try:
            check(value[place])
        except _Misshapen as wrong:
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
            raise _Misshapen(lambda at: f'The field {at} must be named after a seat, such as "0".', field(seat))
        if type(count) is not int:
            raise _wrong("a whole number", count).within(field(seat))


def _is_seat_word(word: object) -> bool:
    """A whole number as JSON would print it; whether the table has that seat is R3's business."""
    if type(word) is not str or len(word) > 12:
        return False
    digits = word.removeprefix("-")
    return digits.isascii() and digits.isdigit() and word == str(int(word))


def _deal(value: Any) -> None:
    _fields(value, _DEAL, _DEAL_NEEDS)


def _exchange(value: Any) -> None:
    _fields(value, _EXCHANGE, _SEAT_NEEDED)


def _exchanges(value: Any) -> None:
    _each(value, _exchange)


def _kratzen_exchanges(value: Any) -> None:
    _each(value, _kratzen_exchange)


def _kratzen_exchange(value: Any) -> None:
    _fields(value, _KRATZEN_EXCHANGE, _SEAT_NEEDED)


def _rob(value: Any) -> None:
    _object(value)
    if value:
        _fields(value, _ROB, _SEAT_NEEDED)


_DEAL: Final[dict[str, Check]] = {"hands": _card_lists, "turned": _cards}
_DEAL_NEEDS: Final = ("hands", "turned")
_EXCHANGE: Final[dict[str, Check]] = {"seat": _whole, "discard": _cards, "draw": _cards, "drop": _card}
_ROB: Final[dict[str, Check]] = {"seat": _whole, "when": _when}
_SEAT_NEEDED: Final = ("seat",)

_BOTH: Final[dict[str, Check]] = {
    "game": _game,
    "rules": _object,
    "seats": _whole,
    "dealer": _whole,
    "pot_before": _amount,
    "claimed": _wholes,
}
_COMMON: Final[dict[str, Check]] = _BOTH | {"deal_number": _count_from_one, "blind": _blind}
_COMMON_NEEDS: Final = ("seats", "dealer", "pot_before")

_TALLY: Final[dict[str, Check]] = _COMMON | {
    "declarer": _seat_or_null,
    "joiners": _wholes,
    "tricks": _tricks,
    "made": _wholes,
}
_TALLY_NEEDS: Final = (*_COMMON_NEEDS, "declarer")
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
"""Every field in the order in which a tally is read; ``...`` where it has to be there."""
_TALLY_TYPES: Final = tuple(
    (str, dict, int, int, int, list, int, blind, declarer, list, dict, list)
    for blind in (type(None), str)
    for declarer in (int, type(None))
)

_FULL: Final[dict[str, Check]] = _COMMON | {
    "deal": _deal,
    "calls": _calls,
    "exchanges": _exchanges,
    "rob": _rob,
    "play": _card_lists,
}

_KRATZEN_EXCHANGE: Final[dict[str, Check]] = {"seat": _whole} | dict.fromkeys(
    ("discard", "draw", "show", "open", "hidden", "drop"), _cards
)
_KRATZEN: Final[dict[str, Check]] = _BOTH | {"cuts": _card_lists}
_KRATZEN_NEEDS: Final = (*_COMMON_NEEDS, "cuts")

_KRATZEN_TALLY: Final[dict[str, Check]] = _KRATZEN | {
    "seven": _seven,
    "game_type": _game_type,
    "declarer": _seat_or_null,
    "joiners": _wholes,
    "tricks": _tricks,
}
_KRATZEN_TALLY_NEEDS: Final = (*_KRATZEN_NEEDS, "declarer")

_KRATZEN_FULL: Final[dict[str, Check]] = _KRATZEN | {
    "deal": _deal,
    "calls": _calls,
    "new_trump": _cards,
    "last_word": _seat_or_null,
    "answers": _calls,
    "exchanges": _kratzen_exchanges,
    "play": _card_lists,
}

_NONE: Final[Mapping[str, object]] = {}


def _fields(value: Any, checks: Mapping[str, Check], needed: tuple[str, ...]) -> None:
    """R1 for an object's fields: none unknown, each of its type, none missing."""
    _object(value)
    name = ""
    try:
        for name, item in value.items():
            check = checks.get(name)
            if check is None:
                raise _Misshapen(lambda at: f"There is no field {at} in such a record.")
            check(item)
    except _Misshapen as wrong:
        raise wrong.within(field(name)) from None
    for name in needed:
        if name not in value:
            raise _Misshapen(lambda at: f"The field {at} is missing.", name)


def _walk(record: dict[str, Any], checks: Mapping[str, Check], needed: tuple[str, ...]) -> None:
    """R1 for the first place of a record that is wrong."""
    try:
        _fields(record, checks, needed)
    except _Misshapen as wrong:
        raise wrong.as_fault() from None


def read_chratze(record: dict[str, Any]) -> Tally | Full:
    """A parsed record of Chratze as a tuple; R1 for its shape, then R4 for its house rules.

    A record is full exactly if it has ``deal``.
    """
    return _read_full(record) if "deal" in record else _read_tally(record)


def _read_full(record: dict[str, Any]) -> Full:
    _walk(record, _FULL, _COMMON_NEEDS)
    deal = record["deal"]
    table = Table(
        house_rules(record.get("rules", _NONE)),
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
    """The types of all the values are looked at in one go: with a field too many, too few or of another type they are
    none of those that a tally can have."""
    values = (_TALLY_DEFAULTS | record).values()
    if (*map(type, values),) not in _TALLY_TYPES:
        _walk(record, _TALLY, _TALLY_NEEDS)
    _, rules, seats, dealer, pot_before, claimed, deal_number, blind, declarer, joiners, tricks, made = values
    if not (
        0 <= pot_before <= HIGHEST_AMOUNT
        and 1 <= deal_number <= HIGHEST_AMOUNT
        and blind in _BLINDS
        and _INTS.issuperset(map(type, (*joiners, *tricks.values(), *made, *claimed)))
        and _SEAT_WORDS.issuperset(tricks)
    ):
        _walk(record, _TALLY, _TALLY_NEEDS)
    if tricks and made:
        raise Fault("R1", "made", "A tally says either the tricks or who made it, not both.")
    return Tally(
        Table(house_rules(rules), seats, dealer, pot_before, deal_number, blind), declarer, joiners, tricks, made
    )


def read_kratzen(record: dict[str, Any]) -> KratzenTally | KratzenFull:
    """A parsed record of Kratzen as a tuple; R1 for its shape, R4 for its house rules, R1 for a pot in broken coins."""
    is_full = "deal" in record
    fields, needed = (_KRATZEN_FULL, _KRATZEN_NEEDS) if is_full else (_KRATZEN_TALLY, _KRATZEN_TALLY_NEEDS)
    _walk(record, fields, needed)
    rules = kratzen_rules(record.get("rules", _NONE))
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
    """R1 for a pot that is not in whole coins (K2.1)."""
    if pot_before % rules.coin:
        raise Fault("R1", "pot_before", f"The pot is in whole coins of {rules.coin}, not {pot_before}.")
