"""One hand as one line of text that a person can read and type; docs/notation.md has the grammar.

A line says what the JSON record says and judges nothing: whether the hand is legal is for `engine.replay`. All that
a record of the right shape can hold has its place here, so that the way there and back loses nothing.

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

from engine.errors import Fault, field, shown

Record = dict[str, Any]

NONE: Final = "-"
_MOST: Final = 10**15

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
"""What stands before each pile of an exchange, in the order in which they are laid."""


class _Item(NamedTuple):
    """A piece of a line between blanks, and the column in which it begins, from 1."""

    text: str
    column: int


class _Misread(Exception):
    """What stands in a column is not what is expected there."""

    def __init__(self, item: _Item, want: str) -> None:
        self.item = item
        self.want = want


class _Unwritable(Exception):
    """A value for which the notation has no words."""

    def __init__(self, value: object) -> None:
        self.value = value


class _Form(NamedTuple):
    """How a value is written and read: ``pattern`` is what it looks like, ``want`` says so in words."""

    pattern: re.Pattern[str]
    want: str
    write: Callable[[Any], str]
    read: Callable[[str], Any]


class _Section(NamedTuple):
    """A field of the record: the word that opens it on a line, what follows it, and whether that is a list."""

    word: str
    name: str
    form: _Form
    many: bool = False


def _quoted(text: str) -> str:
    """Any text in quotes, all but letters and digits as JSON's numbers: neither a blank nor a sign of ours is left."""
    units = text.encode("utf-16-be", "surrogatepass")
    codes = [units[place] << 8 | units[place + 1] for place in range(0, len(units), 2)]
    return '"' + "".join(chr(code) if code < 128 and chr(code).isalnum() else f"\\u{code:04x}" for code in codes) + '"'


def _text_read(text: str) -> str:
    return str(json.loads(text)) if text.startswith('"') else text


def _text_written(value: Any, bare: re.Pattern[str] = _IS_WORD) -> str:
    if type(value) is not str:
        raise _Unwritable(value)
    return value if bare.fullmatch(value) else _quoted(value)


def _number_written(value: Any) -> str:
    if type(value) is not int or abs(value) >= _MOST:
        raise _Unwritable(value)
    return str(value)


def _list(value: Any) -> list[Any]:
    if type(value) is not list:
        raise _Unwritable(value)
    return value


def _or_none(write: Callable[[Any], str], value: Any) -> str:
    return NONE if value is None else write(value)


def _none_or(read: Callable[[str], Any], text: str) -> Any:
    return None if text == NONE else read(text)


def _pile_written(value: Any, bare: re.Pattern[str] = _IS_CARD) -> str:
    return "".join(_text_written(card, bare) for card in _list(value)) or NONE


def _pile_read(text: str) -> list[str]:
    return [] if text == NONE else [_text_read(card) for card in _ONE_CARD.findall(text)]


def _said_written(value: Any) -> str:
    seat, word = _pair(value)
    return f"{_number_written(seat)}:{_text_written(word)}"


def _said_read(text: str) -> list[Any]:
    seat, word = text.split(":")
    return [int(seat), _text_read(word)]


def _pair(value: Any) -> tuple[Any, Any]:
    if type(value) is not list or len(value) != 2:
        raise _Unwritable(value)
    return value[0], value[1]


def _seat_word(value: Any) -> str:
    """The seat of a trick count: a JSON object has words for names."""
    if type(value) is not str or not _IS_NUMBER.fullmatch(value):
        raise _Unwritable(value)
    return value


def _claim_written(value: Any) -> str:
    return ("+" if type(value) is int and value > 0 else "") + _number_written(value)


def _known(value: Any, names: set[str]) -> Record:
    """An object with a seat and no other field than these."""
    if type(value) is not dict or "seat" not in value or not names.issuperset(value):
        raise _Unwritable(value)
    return value


def _rob_written(value: Any) -> str:
    if value == {}:
        return NONE
    rob = _known(value, {"seat", "when"})
    return _number_written(rob["seat"]) + (f":{_text_written(rob['when'])}" if "when" in rob else "")


def _rob_read(text: str) -> Record:
    if text == NONE:
        return {}
    seat, _, when = text.partition(":")
    return {"seat": int(seat)} | ({"when": _text_read(when)} if when else {})


def _exchange_form(*, marks: Sequence[str], one_drop: bool) -> _Form:
    """A seat's exchange. In Chratze one card is dropped and stands by itself, in Kratzen a list."""
    optional = "".join(
        f"(?:{re.escape(_MARKS[name])}({f'{_CARD}|{_QUOTED}' if one_drop and name == 'drop' else _PILE}))?"
        for name in marks
    )
    pattern = re.compile(rf"({_NUMBER}):{optional}")

    def write(value: Any) -> str:
        entry = _known(value, {"seat", *marks})
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
    """A few values, each with its word."""

    def write(value: Any) -> str:
        for word, meant in words.items():
            if type(value) is type(meant) and value == meant:
                return word
        raise _Unwritable(value)

    return _Form(re.compile("|".join(map(re.escape, words))), " or ".join(words), write, words.__getitem__)


def _numbers(prefix: str, want: str) -> _Form:
    cut = len(prefix)
    return _Form(
        re.compile(prefix + _NUMBER),
        want,
        lambda value: prefix + _number_written(value),
        lambda text: int(text[cut:]),
    )


_SEAT: Final = _numbers("", "a seat, such as 0")
_NOBODY: Final = _Form(
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
    re.compile(rf"{_NUMBER}:{_TEXT}"), "a seat and what it says, such as 0:weg", _said_written, _said_read
)
_TAKEN: Final = _Form(
    re.compile(rf"{_NUMBER}:{_NUMBER}"),
    "a seat and its tricks, such as 0:2",
    lambda value: f"{_seat_word(value[0])}:{_number_written(value[1])}",
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

_START: Final = (_Section("deal", "deal.hands", _CARDS, many=True), _Section("turned", "deal.turned", _CARDS))
_END: Final = (
    _Section("play", "play", _CARDS, many=True),
    _Section("by", "declarer", _NOBODY),
    _Section("with", "joiners", _SEAT, many=True),
    _Section("tricks", "tricks", _TAKEN, many=True),
    _Section("made", "made", _SEAT, many=True),
    _Section("claimed", "claimed", _CLAIM, many=True),
)
_SECTIONS: Final[dict[str, tuple[_Section, ...]]] = {
    "chratze": (
        _Section("declared", "blind", _BLIND),
        *_START,
        _Section("calls", "calls", _CALL, many=True),
        _Section("exchange", "exchanges", _exchange_form(marks=("discard", "draw", "drop"), one_drop=True), many=True),
        _Section("rob", "rob", _ROB),
        *_END,
    ),
    "kratzen": (
        _Section("cuts", "cuts", _CUTS, many=True),
        *_START,
        _Section("seven", "seven", _YES_NO),
        _Section("calls", "calls", _CALL, many=True),
        _Section("type", "game_type", _WORD_OR_NONE),
        _Section("trump", "new_trump", _CARDS),
        _Section("last", "last_word", _NOBODY),
        _Section("answers", "answers", _CALL, many=True),
        _Section("exchange", "exchanges", _exchange_form(marks=tuple(_MARKS), one_drop=False), many=True),
        *_END,
    ),
}


def write(record: Mapping[str, Any]) -> str:
    """The line of a record of docs/rulebook/hand-record.md; always the same for the same record.

    Legal or not, all that the record can say is written. `Fault` R1, with the field as its place, for what is no
    record at all: no such game, an unknown field, a value of a wrong type.
    """
    name = "game"
    try:
        game = record.get("game")
        if type(game) is not str or game not in _SECTIONS:
            raise _Unwritable(game)
        left = _flat(record)
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
    except _Unwritable as wrong:
        raise Fault("R1", name, f"The notation has no words for {shown(wrong.value)} in the field {name}.") from None
    for unknown in left:
        raise Fault("R1", field(unknown), f"The notation has no words for the field {field(unknown)}.")
    return " ".join(line)


def _flat(record: Mapping[str, Any]) -> Record:
    """The record with the two halves of the deal beside the other fields."""
    left = dict(record)
    deal = left.get("deal")
    if type(deal) is dict and set(deal) == {"hands", "turned"}:
        del left["deal"]
        left |= {f"deal.{name}": cards for name, cards in deal.items()}
    return left


def _section_written(section: _Section, value: Any) -> list[str]:
    if not section.many:
        return [section.form.write(value)]
    if section.form is _TAKEN:
        if type(value) is not dict:
            raise _Unwritable(value)
        value = [*value.items()]
    return [section.form.write(item) for item in _list(value)]


def _rules_written(rules: Any) -> str:
    if type(rules) is not dict:
        raise _Unwritable(rules)
    return "[" + " ".join(f"{_text_written(name)}={_rule_value(value)}" for name, value in rules.items()) + "]"


def _rule_value(value: Any) -> str:
    """A number, a word, yes or no; a word that reads like those two stands in quotes."""
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
    """The record of a line, as `json` would give it; `Fault` R1 with line and column (``"1:17"``) where the line
    is none, and a sentence that says what was expected there. ``number`` is the line's number in its file."""
    try:
        return _read(line)
    except _Misread as wrong:
        text, column = wrong.item
        found = shown(text) if text else "the end of the line"
        raise Fault("R1", f"{number}:{column}", f"Expected is {wrong.want}, not {found}.") from None


def _read(line: str) -> Record:
    items = [_Item(found.group(), found.start() + 1) for found in _ITEM.finditer(line)]
    end = _Item("", len(line.rstrip()) + 1)
    rest = iter([*items, end])
    game = next(rest)
    if game.text not in _SECTIONS:
        raise _Misread(game, "the game, " + " or ".join(_SECTIONS))
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
            raise _Misread(item, "one of the words " + ", ".join(left))
        section = left[item.text]
        record[section.name], item = _section_read(section, rest, words)
    return _deep(record, end)


def _section_read(section: _Section, rest: Iterator[_Item], words: Mapping[str, _Section]) -> tuple[Any, _Item]:
    """What follows a section's word, and the item after it."""
    item = next(rest)
    if not section.many:
        return _value(section.form, item), next(rest)
    values = []
    while item.text and item.text not in words:
        values.append(_value(section.form, item))
        if section.form is _TAKEN and values[-1][0] in dict(values[:-1]):
            raise _Misread(item, "the tricks of each seat once")
        item = next(rest)
    return (dict(values) if section.form is _TAKEN else values), item


def _value(form: _Form, item: _Item) -> Any:
    if not form.pattern.fullmatch(item.text):
        raise _Misread(item, form.want)
    return form.read(item.text)


def _rules_read(item: _Item) -> Record:
    rules: Record = {}
    if not item.text.endswith("]"):
        raise _Misread(item, "house rules within [ and ]")
    for found in re.finditer(r"\S+", item.text[1:-1]):
        piece = _Item(found.group(), item.column + 1 + found.start())
        rule = _RULE.fullmatch(piece.text)
        if rule is None:
            raise _Misread(piece, "a house rule, such as stake=50")
        name = _text_read(rule[1])
        if name in rules:
            raise _Misread(piece, "each house rule once")
        rules[name] = _rule_read(rule[2])
    return rules


def _deep(record: Record, end: _Item) -> Record:
    """The record with the deal in one piece: hands and turned cards come together."""
    deal = {name.removeprefix("deal."): record.pop(name) for name in ("deal.hands", "deal.turned") if name in record}
    if len(deal) == 1:
        raise _Misread(end, "turned after deal" if "hands" in deal else "deal beside turned")
    return record | ({"deal": deal} if deal else {})
