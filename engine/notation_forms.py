"""The forms of the items in a line of the notation, and the sections that several games have."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

Record = dict[str, Any]

NONE: Final = "-"
_LIMIT: Final = 10**15

NUMBER: Final = r"(?:0|-?[1-9][0-9]{0,14})"
_WORD: Final = r"[a-z][a-z_-]*"
QUOTED: Final = r'"(?:[A-Za-z0-9]|\\u[0-9a-f]{4})*"'
TEXT: Final = rf"(?:{_WORD}|{QUOTED})"
CARD: Final = r"[AKQJT9876][shdc]"
_PILE: Final = rf"(?:(?:{CARD}|{QUOTED})+|{NONE})"

IS_NUMBER: Final = re.compile(NUMBER)
_IS_WORD: Final = re.compile(_WORD)
_IS_CARD: Final = re.compile(CARD)
_ONE_CARD: Final = re.compile(rf"{QUOTED}|{CARD}")
RULE: Final = re.compile(rf"({TEXT})=({NUMBER}|{TEXT}|{NONE})")
ITEM: Final = re.compile(r"\[[^\[\]]*\]|[^\s\[\]]+|[\[\]]")

MARKS: Final = {"discard": "", "draw": ">", "show": "!", "open": "+", "hidden": "?", "drop": "/"}
"""The mark before each pile of an exchange, in the order of the line."""


class Item(NamedTuple):
    """A part of a line between blanks, and the column of its first character, counted from 1."""

    text: str
    column: int


class ReadError(Exception):
    """An item of a line does not match the grammar."""

    def __init__(self, item: Item, expected: str) -> None:
        self.item = item
        self.expected = expected


class WriteError(Exception):
    """The notation cannot write a value."""

    def __init__(self, value: object) -> None:
        self.value = value


class Form(NamedTuple):
    """The form of a value for writing and reading. ``pattern`` matches its text, ``expected`` describes the text for a
    message."""

    pattern: re.Pattern[str]
    expected: str
    write: Callable[[Any], str]
    read: Callable[[str], Any]


class Section(NamedTuple):
    """A field of the record: the word that opens its section, the form of its values, and whether it is a list."""

    word: str
    name: str
    form: Form
    is_list: bool = False


def quoted(text: str) -> str:
    """Return any text in quotes; characters other than letters and digits are escaped as in JSON, so that the result
    contains no blank and no mark of the notation."""
    units = text.encode("utf-16-be", "surrogatepass")
    codes = [units[place] << 8 | units[place + 1] for place in range(0, len(units), 2)]
    return '"' + "".join(chr(code) if code < 128 and chr(code).isalnum() else f"\\u{code:04x}" for code in codes) + '"'


def text_read(text: str) -> str:
    return str(json.loads(text)) if text.startswith('"') else text


def text_written(value: Any, bare: re.Pattern[str] = _IS_WORD) -> str:
    if type(value) is not str:
        raise WriteError(value)
    return value if bare.fullmatch(value) else quoted(value)


def number_written(value: Any) -> str:
    if type(value) is not int or abs(value) >= _LIMIT:
        raise WriteError(value)
    return str(value)


def list_of_values(value: Any) -> list[Any]:
    if type(value) is not list:
        raise WriteError(value)
    return value


def or_none(write: Callable[[Any], str], value: Any) -> str:
    return NONE if value is None else write(value)


def none_or(read: Callable[[str], Any], text: str) -> Any:
    return None if text == NONE else read(text)


def _pile_written(value: Any, bare: re.Pattern[str] = _IS_CARD) -> str:
    return "".join(text_written(card, bare) for card in list_of_values(value)) or NONE


def _pile_read(text: str, pattern: re.Pattern[str] = _ONE_CARD) -> list[str]:
    return [] if text == NONE else [text_read(card) for card in pattern.findall(text)]


def _call_written(value: Any) -> str:
    seat, word = _pair(value)
    return f"{number_written(seat)}:{text_written(word)}"


def _call_read(text: str) -> list[Any]:
    seat, word = text.split(":")
    return [int(seat), text_read(word)]


def _pair(value: Any) -> tuple[Any, Any]:
    if type(value) is not list or len(value) != 2:
        raise WriteError(value)
    return value[0], value[1]


def _seat_name(value: Any) -> str:
    """Return the seat of a trick count; it is a string, because the names in a JSON object are strings."""
    if type(value) is not str or not IS_NUMBER.fullmatch(value):
        raise WriteError(value)
    return value


def _claim_written(value: Any) -> str:
    return ("+" if type(value) is int and value > 0 else "") + number_written(value)


def object_with_seat(value: Any, names: set[str]) -> Record:
    """Return an object that has a seat and only fields of the given names."""
    if type(value) is not dict or "seat" not in value or not names.issuperset(value):
        raise WriteError(value)
    return value


def exchange_form(*, marks: Sequence[str], one_drop: bool) -> Form:
    """Return the form of an exchange. The drop is a single card in Chratze and a list of cards in Kratzen."""
    optional = "".join(
        f"(?:{re.escape(MARKS[name])}({f'{CARD}|{QUOTED}' if one_drop and name == 'drop' else _PILE}))?"
        for name in marks
    )
    pattern = re.compile(rf"({NUMBER}):{optional}")

    def write(value: Any) -> str:
        entry = object_with_seat(value, {"seat", *marks})
        written = number_written(entry["seat"]) + ":"
        for name in marks:
            if name in entry:
                alone = one_drop and name == "drop"
                written += MARKS[name] + (text_written if alone else _pile_written)(entry[name], _IS_CARD)
        return written

    def read(text: str) -> Record:
        match = pattern.fullmatch(text)
        seat, *piles = match.groups() if match else ()
        entry: Record = {"seat": int(seat)}
        for name, pile in zip(marks, piles, strict=True):
            if pile is not None:
                entry[name] = text_read(pile) if one_drop and name == "drop" else _pile_read(pile)
        return entry

    return Form(pattern, "a seat's exchange, such as 0:7d>Ah", write, read)


def one_of(words: Mapping[str, Any]) -> Form:
    """Return the form of a field with few values, each written as a word."""

    def write(value: Any) -> str:
        for word, meaning in words.items():
            if type(value) is type(meaning) and value == meaning:
                return word
        raise WriteError(value)

    return Form(re.compile("|".join(map(re.escape, words))), " or ".join(words), write, words.__getitem__)


def numbers(prefix: str, expected: str) -> Form:
    cut = len(prefix)
    return Form(
        re.compile(prefix + NUMBER),
        expected,
        lambda value: prefix + number_written(value),
        lambda text: int(text[cut:]),
    )


SEAT: Final = numbers("", "a seat, such as 0")
SEAT_OR_NONE: Final = Form(
    re.compile(rf"{NUMBER}|{NONE}"),
    f"a seat, or {NONE} for nobody",
    partial(or_none, number_written),
    partial(none_or, int),
)
WORD_OR_NONE: Final = Form(
    re.compile(rf"{TEXT}|{NONE}"),
    f"a word, or {NONE} for none",
    partial(or_none, text_written),
    partial(none_or, text_read),
)
CARDS: Final = Form(re.compile(_PILE), "cards, such as AsKs9h7d", _pile_written, _pile_read)


def shown_cards(symbols: str) -> Form:
    """Return the form of the cards of a cut: cards, or symbols of their effects, each a character."""
    shown = rf"{CARD}|[{symbols}]"
    return Form(
        re.compile(rf"(?:(?:{shown}|{QUOTED})+|{NONE})"),
        "the cards of a cut, such as A7, x or 9d",
        partial(_pile_written, bare=re.compile(shown)),
        partial(_pile_read, pattern=re.compile(rf"{QUOTED}|{shown}")),
    )


def shown_card(symbols: str) -> Form:
    """Return the form of a cut that shows one card: its name, or a symbol of its effect."""
    shown = rf"{CARD}|[{symbols}]"
    return Form(
        re.compile(rf"{shown}|{QUOTED}"),
        "the card of a cut, such as A, x or 9d",
        partial(text_written, bare=re.compile(shown)),
        text_read,
    )


CARD_OR_NONE: Final = Form(
    re.compile(rf"{CARD}|{QUOTED}|{NONE}"),
    f"a card, such as Ts, or {NONE} for none",
    partial(or_none, partial(text_written, bare=_IS_CARD)),
    partial(none_or, text_read),
)
CALL: Final = Form(re.compile(rf"{NUMBER}:{TEXT}"), "a seat and what it says, such as 0:weg", _call_written, _call_read)
TRICK_COUNT: Final = Form(
    re.compile(rf"{NUMBER}:{NUMBER}"),
    "a seat and its tricks, such as 0:2",
    lambda value: f"{_seat_name(value[0])}:{number_written(value[1])}",
    lambda text: (text.split(":")[0], int(text.split(":")[1])),
)
CLAIM: Final = Form(re.compile(rf"\+?{NUMBER}"), "a change in Rappen, such as +60", _claim_written, int)
YES_NO: Final = one_of({"yes": True, "no": False})

DEALT: Final = (Section("deal", "deal.hands", CARDS, is_list=True), Section("turned", "deal.turned", CARDS))
PLAYED: Final = (
    Section("play", "play", CARDS, is_list=True),
    Section("by", "declarer", SEAT_OR_NONE),
    Section("with", "joiners", SEAT, is_list=True),
    Section("tricks", "tricks", TRICK_COUNT, is_list=True),
    Section("made", "made", SEAT, is_list=True),
    Section("claimed", "claimed", CLAIM, is_list=True),
)
