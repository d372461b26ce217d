"""The notation: one hand as one line of text that a person can read and type; docs/notation.md has the grammar.

A line has the same content as the JSON record. The notation does not check the rules: `engine.replay`
does. Every record of the right shape can be written, and reading the line gives an equal record.

>>> line = "chratze 5 D4 P0 by 0 with 1 2 tricks 0:2 1:1 2:1"
>>> read(line)["tricks"]
{'0': 2, '1': 1, '2': 1}
>>> write(read(line)) == line
True
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from engine.errors import Fault, printable, printable_name

Record = dict[str, Any]

NONE: Final = "-"
_LIMIT: Final = 10**15

_NUMBER: Final = r"(?:0|-?[1-9][0-9]{0,14})"
_WORD: Final = r"[a-z][a-z_-]*"
_QUOTED: Final = r'"(?:[A-Za-z0-9]|\\u[0-9a-f]{4})*"'
_TEXT: Final = rf"(?:{_WORD}|{_QUOTED})"
_CARD: Final = r"[AKQJT9876][shdc]"
_SHOWN: Final = rf"{_CARD}|[A7Wx]"
_PILE: Final = rf"(?:(?:{_CARD}|{_QUOTED})+|{NONE})"
_CUT: Final = rf"(?:(?:{_SHOWN}|{_QUOTED})+|{NONE})"

_IS_NUMBER: Final = re.compile(_NUMBER)
_IS_WORD: Final = re.compile(_WORD)
_IS_CARD: Final = re.compile(_CARD)
_IS_SHOWN: Final = re.compile(_SHOWN)
_ONE_CARD: Final = re.compile(rf"{_QUOTED}|{_SHOWN}")
_RULE: Final = re.compile(rf"({_TEXT})=({_NUMBER}|{_TEXT}|{NONE})")
_ITEM: Final = re.compile(r"\[[^\[\]]*\]|[^\s\[\]]+|[\[\]]")

_MARKS: Final = {"discard": "", "draw": ">", "show": "!", "open": "+", "hidden": "?", "drop": "/"}
"""The mark before each pile of an exchange, in the order of the line."""


class _Item(NamedTuple):
    """A part of a line between blanks, and the column of its first character, counted from 1."""

    text: str
    column: int


class _ReadError(Exception):
    """An item of a line does not match the grammar."""

    def __init__(self, item: _Item, expected: str) -> None:
        self.item = item
        self.expected = expected


class _WriteError(Exception):
    """The notation cannot write a value."""

    def __init__(self, value: object) -> None:
        self.value = value


class _Form(NamedTuple):
    """The form of a value for writing and reading. ``pattern`` matches its text, ``expected`` describes the text for a
    message."""

    pattern: re.Pattern[str]
    expected: str
    write: Callable[[Any], str]
    read: Callable[[str], Any]


class _Section(NamedTuple):
    """A field of the record: the word that opens its section, the form of its values, and whether it is a list."""

    word: str
    name: str
    form: _Form
    is_list: bool = False


def _quoted(text: str) -> str:
    """Return any text in quotes; characters other than letters and digits are escaped as in JSON, so that the result
    contains no blank and no mark of the notation."""
    units = text.encode("utf-16-be", "surrogatepass")
    codes = [units[place] << 8 | units[place + 1] for place in range(0, len(units), 2)]
    return '"' + "".join(chr(code) if code < 128 and chr(code).isalnum() else f"\\u{code:04x}" for code in codes) + '"'


def _text_read(text: str) -> str:
    return str(json.loads(text)) if text.startswith('"') else text


def _text_written(value: Any, bare: re.Pattern[str] = _IS_WORD) -> str:
    if type(value) is not str:
        raise _WriteError(value)
    return value if bare.fullmatch(value) else _quoted(value)


def _number_written(value: Any) -> str:
    if type(value) is not int or abs(value) >= _LIMIT:
        raise _WriteError(value)
    return str(value)


def _list(value: Any) -> list[Any]:
    if type(value) is not list:
        raise _WriteError(value)
    return value


def _or_none(write: Callable[[Any], str], value: Any) -> str:
    return NONE if value is None else write(value)


def _none_or(read: Callable[[str], Any], text: str) -> Any:
    return None if text == NONE else read(text)


def _pile_written(value: Any, bare: re.Pattern[str] = _IS_CARD) -> str:
    return "".join(_text_written(card, bare) for card in _list(value)) or NONE


def _pile_read(text: str) -> list[str]:
    return [] if text == NONE else [_text_read(card) for card in _ONE_CARD.findall(text)]


def _call_written(value: Any) -> str:
    seat, word = _pair(value)
    return f"{_number_written(seat)}:{_text_written(word)}"


def _call_read(text: str) -> list[Any]:
    seat, word = text.split(":")
    return [int(seat), _text_read(word)]


def _pair(value: Any) -> tuple[Any, Any]:
    if type(value) is not list or len(value) != 2:
        raise _WriteError(value)
    return value[0], value[1]


def _seat_name(value: Any) -> str:
    """Return the seat of a trick count; it is a string, because the names in a JSON object are strings."""
    if type(value) is not str or not _IS_NUMBER.fullmatch(value):
        raise _WriteError(value)
    return value


def _claim_written(value: Any) -> str:
    return ("+" if type(value) is int and value > 0 else "") + _number_written(value)


def _object_with_seat(value: Any, names: set[str]) -> Record:
    """Return an object that has a seat and only fields of the given names."""
    if type(value) is not dict or "seat" not in value or not names.issuperset(value):
        raise _WriteError(value)
    return value


def _rob_written(value: Any) -> str:
    if value == {}:
        return NONE
    rob = _object_with_seat(value, {"seat", "when"})
    return _number_written(rob["seat"]) + (f":{_text_written(rob['when'])}" if "when" in rob else "")


def _rob_read(text: str) -> Record:
    if text == NONE:
        return {}
    seat, _, when = text.partition(":")
    return {"seat": int(seat)} | ({"when": _text_read(when)} if when else {})


def _exchange_form(*, marks: Sequence[str], one_drop: bool) -> _Form:
    """Return the form of an exchange. The drop is a single card in Chratze and a list of cards in Kratzen."""
    optional = "".join(
        f"(?:{re.escape(_MARKS[name])}({f'{_CARD}|{_QUOTED}' if one_drop and name == 'drop' else _PILE}))?"
        for name in marks
    )
    pattern = re.compile(rf"({_NUMBER}):{optional}")

    def write(value: Any) -> str:
        entry = _object_with_seat(value, {"seat", *marks})
        written = _number_written(entry["seat"]) + ":"
        for name in marks:
            if name in entry:
                alone = one_drop and name == "drop"
                written += _MARKS[name] + (_text_written if alone else _pile_written)(entry[name], _IS_CARD)
        return written

    def read(text: str) -> Record:
        found = pattern.fullmatch(text)
        seat, *piles = found.groups() if found else ()
        entry: Record = {"seat": int(seat)}
        for name, pile in zip(marks, piles, strict=True):
            if pile is not None:
                entry[name] = _text_read(pile) if one_drop and name == "drop" else _pile_read(pile)
        return entry

    return _Form(pattern, "a seat's exchange, such as 0:7d>Ah", write, read)


def _one_of(words: Mapping[str, Any]) -> _Form:
    """Return the form of a field with few values, each written as a word."""

    def write(value: Any) -> str:
        for word, meaning in words.items():
            if type(value) is type(meaning) and value == meaning:
                return word
        raise _WriteError(value)

    return _Form(re.compile("|".join(map(re.escape, words))), " or ".join(words), write, words.__getitem__)


def _numbers(prefix: str, expected: str) -> _Form:
    cut = len(prefix)
    return _Form(
        re.compile(prefix + _NUMBER),
        expected,
        lambda value: prefix + _number_written(value),
        lambda text: int(text[cut:]),
    )


_SEAT: Final = _numbers("", "a seat, such as 0")
_SEAT_OR_NONE: Final = _Form(
    re.compile(rf"{_NUMBER}|{NONE}"),
    f"a seat, or {NONE} for nobody",
    partial(_or_none, _number_written),
    partial(_none_or, int),
)
_WORD_OR_NONE: Final = _Form(
    re.compile(rf"{_TEXT}|{NONE}"),
    f"a word, or {NONE} for none",
    partial(_or_none, _text_written),
    partial(_none_or, _text_read),
)
_CARDS: Final = _Form(re.compile(_PILE), "cards, such as AsKs9h7d", _pile_written, _pile_read)
_CUTS: Final = _Form(
    re.compile(_CUT),
    "the cards of a cut, such as A7, x or 9d",
    partial(_pile_written, bare=_IS_SHOWN),
    _pile_read,
)
_CALL: Final = _Form(
    re.compile(rf"{_NUMBER}:{_TEXT}"), "a seat and what it says, such as 0:weg", _call_written, _call_read
)
_TRICK_COUNT: Final = _Form(
    re.compile(rf"{_NUMBER}:{_NUMBER}"),
    "a seat and its tricks, such as 0:2",
    lambda value: f"{_seat_name(value[0])}:{_number_written(value[1])}",
    lambda text: (text.split(":")[0], int(text.split(":")[1])),
)
_CLAIM: Final = _Form(re.compile(rf"\+?{_NUMBER}"), "a change in Rappen, such as +60", _claim_written, int)
_ROB: Final = _Form(
    re.compile(rf"{_NUMBER}(?::{_TEXT})?|{NONE}"),
    "the seat that takes the turned card, such as 2:before",
    _rob_written,
    _rob_read,
)
_BLIND: Final = _one_of({"seen": None, "blind": "blind", "double": "double"})
_YES_NO: Final = _one_of({"yes": True, "no": False})

_HEAD: Final = (
    _Section("seats", "seats", _numbers("", "the number of seats, such as 5")),
    _Section("dealer", "dealer", _numbers("D", "the dealer's seat, such as D4")),
    _Section("pot", "pot_before", _numbers("P", "the pot in Rappen, such as P240")),
)
_DEAL_NUMBER: Final = _Section("#", "deal_number", _numbers("#", "the deal number, such as #1"))

_START: Final = (_Section("deal", "deal.hands", _CARDS, is_list=True), _Section("turned", "deal.turned", _CARDS))
_END: Final = (
    _Section("play", "play", _CARDS, is_list=True),
    _Section("by", "declarer", _SEAT_OR_NONE),
    _Section("with", "joiners", _SEAT, is_list=True),
    _Section("tricks", "tricks", _TRICK_COUNT, is_list=True),
    _Section("made", "made", _SEAT, is_list=True),
    _Section("claimed", "claimed", _CLAIM, is_list=True),
)
_SECTIONS: Final[dict[str, tuple[_Section, ...]]] = {
    "chratze": (
        _Section("declared", "blind", _BLIND),
        *_START,
        _Section("calls", "calls", _CALL, is_list=True),
        _Section(
            "exchange", "exchanges", _exchange_form(marks=("discard", "draw", "drop"), one_drop=True), is_list=True
        ),
        _Section("rob", "rob", _ROB),
        *_END,
    ),
    "kratzen": (
        _Section("cuts", "cuts", _CUTS, is_list=True),
        *_START,
        _Section("seven", "seven", _YES_NO),
        _Section("calls", "calls", _CALL, is_list=True),
        _Section("type", "game_type", _WORD_OR_NONE),
        _Section("trump", "new_trump", _CARDS),
        _Section("last", "last_word", _SEAT_OR_NONE),
        _Section("answers", "answers", _CALL, is_list=True),
        _Section("exchange", "exchanges", _exchange_form(marks=tuple(_MARKS), one_drop=False), is_list=True),
        *_END,
    ),
}


def write(record: Mapping[str, Any]) -> str:
    """Return a hand record (docs/rulebook/hand-record.md), legal or not, as one line; equal records give equal lines.

    Raises:
        Fault: R1, with the field as its place, for an unknown game, an unknown field or a value of a wrong type.
    """
    name = "game"
    try:
        game = record.get("game")
        if type(game) is not str or game not in _SECTIONS:
            raise _WriteError(game)
        left = _without_deal(record)
        del left["game"]
        line = [game]
        for section in _HEAD:
            name = section.name
            line.append(section.form.write(left.pop(name, None)))
        name = "deal_number"
        if name in left and game == "chratze":
            line.append(_DEAL_NUMBER.form.write(left.pop(name)))
        name = "rules"
        if name in left:
            line.append(_rules_written(left.pop(name)))
        for section in _SECTIONS[game]:
            name = section.name
            if name in left:
                line.append(section.word)
                line += _section_written(section, left.pop(name))
    except _WriteError as wrong:
        raise Fault(
            "R1", name, f"The notation has no words for {printable(wrong.value)} in the field {name}."
        ) from None
    for unknown in left:
        raise Fault(
            "R1", printable_name(unknown), f"The notation has no words for the field {printable_name(unknown)}."
        )
    return " ".join(line)


def _without_deal(record: Mapping[str, Any]) -> Record:
    """Return the record with ``deal.hands`` and ``deal.turned`` as fields of their own."""
    left = dict(record)
    deal = left.get("deal")
    if type(deal) is dict and set(deal) == {"hands", "turned"}:
        del left["deal"]
        left |= {f"deal.{name}": cards for name, cards in deal.items()}
    return left


def _section_written(section: _Section, value: Any) -> list[str]:
    if not section.is_list:
        return [section.form.write(value)]
    if section.form is _TRICK_COUNT:
        if type(value) is not dict:
            raise _WriteError(value)
        value = [*value.items()]
    return [section.form.write(item) for item in _list(value)]


def _rules_written(rules: Any) -> str:
    if type(rules) is not dict:
        raise _WriteError(rules)
    return "[" + " ".join(f"{_text_written(name)}={_rule_value(value)}" for name, value in rules.items()) + "]"


def _rule_value(value: Any) -> str:
    """Return a rule's value as text; the strings "yes" and "no" are quoted, because the bare words are booleans."""
    if value is None:
        return NONE
    if type(value) is bool:
        return _YES_NO.write(value)
    if type(value) is str:
        return _quoted(value) if value in ("yes", "no") else _text_written(value)
    return _number_written(value)


def _rule_read(text: str) -> Any:
    if text in ("yes", "no"):
        return text == "yes"
    return int(text) if _IS_NUMBER.fullmatch(text) else _none_or(_text_read, text)


def read(line: str, *, number: int = 1) -> Record:
    """Return the record of a line, with the same types as `json.loads` would give.

    ``number`` is the line's number in its file.

    Raises:
        Fault: R1, with line and column as its place (``"1:17"``) and a message that names the expected item.
    """
    try:
        return _read(line)
    except _ReadError as wrong:
        text, column = wrong.item
        found = printable(text) if text else "the end of the line"
        raise Fault("R1", f"{number}:{column}", f"Expected {wrong.expected}, found {found}.") from None


def _read(line: str) -> Record:
    items = [_Item(found.group(), found.start() + 1) for found in _ITEM.finditer(line)]
    end = _Item("", len(line.rstrip()) + 1)
    rest = iter([*items, end])
    game = next(rest)
    if game.text not in _SECTIONS:
        raise _ReadError(game, "the game, " + " or ".join(_SECTIONS))
    record: Record = {"game": game.text}
    for section in _HEAD:
        record[section.name] = _value(section.form, next(rest))
    sections = _SECTIONS[game.text]
    item = next(rest)
    if game.text == "chratze" and item.text.startswith("#"):
        record["deal_number"] = _value(_DEAL_NUMBER.form, item)
        item = next(rest)
    if item.text.startswith("["):
        record["rules"] = _rules_read(item)
        item = next(rest)
    words = {section.word: section for section in sections}
    while item.text:
        left = {word: section for word, section in words.items() if section.name not in record}
        if item.text not in left:
            raise _ReadError(item, "one of the words " + ", ".join(left))
        section = left[item.text]
        record[section.name], item = _section_read(section, rest, words)
    return _with_deal(record, end)


def _section_read(section: _Section, rest: Iterator[_Item], words: Mapping[str, _Section]) -> tuple[Any, _Item]:
    """Read the items of a section; return its value and the first item after it."""
    item = next(rest)
    if not section.is_list:
        return _value(section.form, item), next(rest)
    values = []
    while item.text and item.text not in words:
        values.append(_value(section.form, item))
        if section.form is _TRICK_COUNT and values[-1][0] in dict(values[:-1]):
            raise _ReadError(item, "the tricks of each seat once")
        item = next(rest)
    return (dict(values) if section.form is _TRICK_COUNT else values), item


def _value(form: _Form, item: _Item) -> Any:
    if not form.pattern.fullmatch(item.text):
        raise _ReadError(item, form.expected)
    return form.read(item.text)


def _rules_read(item: _Item) -> Record:
    rules: Record = {}
    if not item.text.endswith("]"):
        raise _ReadError(item, "house rules within [ and ]")
    for found in re.finditer(r"\S+", item.text[1:-1]):
        piece = _Item(found.group(), item.column + 1 + found.start())
        rule = _RULE.fullmatch(piece.text)
        if rule is None:
            raise _ReadError(piece, "a house rule, such as stake=50")
        name = _text_read(rule[1])
        if name in rules:
            raise _ReadError(piece, "each house rule once")
        rules[name] = _rule_read(rule[2])
    return rules


def _with_deal(record: Record, end: _Item) -> Record:
    """Join ``deal.hands`` and ``deal.turned`` into ``deal``; a line has both or neither."""
    deal = {name.removeprefix("deal."): record.pop(name) for name in ("deal.hands", "deal.turned") if name in record}
    if len(deal) == 1:
        raise _ReadError(end, "turned after deal" if "hands" in deal else "deal beside turned")
    return record | ({"deal": deal} if deal else {})
