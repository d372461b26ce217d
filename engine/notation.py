"""The notation: one hand as one line of text that a person can read and type; docs/notation.md has the grammar.

A line has the same content as the JSON record. The notation does not check the rules: `engine.replay`
does. Every record of the right shape can be written, and reading the line gives an equal record.

>>> line = "chratze 5 D4 P0 by 0 with 1 2 tricks 0:2 1:1 2:1"
>>> read(line)["tricks"]
{'0': 2, '1': 1, '2': 1}
>>> write(read(line)) == line
True
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine.errors import Fault, printable, printable_name
from engine.games import BY_NAME
from engine.notation_forms import (
    IS_NUMBER,
    ITEM,
    NONE,
    RULE,
    TRICK_COUNT,
    YES_NO,
    Form,
    Item,
    ReadError,
    Record,
    Section,
    WriteError,
    list_of_values,
    none_or,
    number_written,
    numbers,
    quoted,
    text_read,
    text_written,
)

_HEAD: Final = (
    Section("seats", "seats", numbers("", "the number of seats, such as 5")),
    Section("dealer", "dealer", numbers("D", "the dealer's seat, such as D4")),
    Section("pot", "pot_before", numbers("P", "the pot in Rappen, such as P240")),
)


def write(record: Mapping[str, Any]) -> str:
    """Return a hand record (docs/rulebook/hand-record.md), legal or not, as one line; equal records give equal lines.

    Raises:
        Fault: R1, with the field as its place, for an unknown game, an unknown field or a value of a wrong type.
    """
    name = "game"
    try:
        game = record.get("game")
        if type(game) is not str or game not in BY_NAME:
            raise WriteError(game)
        optional, sections = BY_NAME[game].notation
        left = _without_deal(record)
        del left["game"]
        line = [game]
        for section in _HEAD:
            name = section.name
            line.append(section.form.write(left.pop(name, None)))
        for section in optional:
            name = section.name
            if name in left:
                line.append(section.form.write(left.pop(name)))
        name = "rules"
        if name in left:
            line.append(_rules_written(left.pop(name)))
        for section in sections:
            name = section.name
            if name in left:
                line.append(section.word)
                line += _section_written(section, left.pop(name))
    except WriteError as wrong:
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


def _section_written(section: Section, value: Any) -> list[str]:
    if not section.is_list:
        return [section.form.write(value)]
    if section.form is TRICK_COUNT:
        if type(value) is not dict:
            raise WriteError(value)
        value = [*value.items()]
    return [section.form.write(item) for item in list_of_values(value)]


def _rules_written(rules: Any) -> str:
    if type(rules) is not dict:
        raise WriteError(rules)
    return "[" + " ".join(f"{text_written(name)}={_rule_value(value)}" for name, value in rules.items()) + "]"


def _rule_value(value: Any) -> str:
    """Return a rule's value as text; the strings "yes" and "no" are quoted, because the bare words are booleans."""
    if value is None:
        return NONE
    if type(value) is bool:
        return YES_NO.write(value)
    if type(value) is str:
        return quoted(value) if value in ("yes", "no") else text_written(value)
    return number_written(value)


def _rule_read(text: str) -> Any:
    if text in ("yes", "no"):
        return text == "yes"
    return int(text) if IS_NUMBER.fullmatch(text) else none_or(text_read, text)


def read(line: str, *, number: int = 1) -> Record:
    """Return the record of a line, with the same types as `json.loads` would give.

    ``number`` is the line's number in its file.

    Raises:
        Fault: R1, with line and column as its place (``"1:17"``) and a message that names the expected item.
    """
    try:
        return _read(line)
    except ReadError as wrong:
        text, column = wrong.item
        actual = printable(text) if text else "the end of the line"
        raise Fault("R1", f"{number}:{column}", f"Expected {wrong.expected}, found {actual}.") from None


def _read(line: str) -> Record:
    items = [Item(match.group(), match.start() + 1) for match in ITEM.finditer(line)]
    end = Item("", len(line.rstrip()) + 1)
    rest = iter([*items, end])
    game = next(rest)
    if game.text not in BY_NAME:
        raise ReadError(game, "the game, " + " or ".join(BY_NAME))
    record: Record = {"game": game.text}
    for section in _HEAD:
        record[section.name] = _value(section.form, next(rest))
    optional, sections = BY_NAME[game.text].notation
    item = next(rest)
    for section in optional:
        if item.text.startswith(section.word):
            record[section.name] = _value(section.form, item)
            item = next(rest)
    if item.text.startswith("["):
        record["rules"] = _rules_read(item)
        item = next(rest)
    words = {section.word: section for section in sections}
    while item.text:
        left = {word: section for word, section in words.items() if section.name not in record}
        if item.text not in left:
            raise ReadError(item, "one of the words " + ", ".join(left))
        section = left[item.text]
        record[section.name], item = _section_read(section, rest, words)
    return _with_deal(record, end)


def _section_read(section: Section, rest: Iterator[Item], words: Mapping[str, Section]) -> tuple[Any, Item]:
    """Read the items of a section; return its value and the first item after it."""
    item = next(rest)
    if not section.is_list:
        return _value(section.form, item), next(rest)
    values = []
    while item.text and item.text not in words:
        values.append(_value(section.form, item))
        if section.form is TRICK_COUNT and values[-1][0] in dict(values[:-1]):
            raise ReadError(item, "the tricks of each seat once")
        item = next(rest)
    return (dict(values) if section.form is TRICK_COUNT else values), item


def _value(form: Form, item: Item) -> Any:
    if not form.pattern.fullmatch(item.text):
        raise ReadError(item, form.expected)
    return form.read(item.text)


def _rules_read(item: Item) -> Record:
    rules: Record = {}
    if not item.text.endswith("]"):
        raise ReadError(item, "house rules within [ and ]")
    for match in re.finditer(r"\S+", item.text[1:-1]):
        piece = Item(match.group(), item.column + 1 + match.start())
        rule = RULE.fullmatch(piece.text)
        if rule is None:
            raise ReadError(piece, "a house rule, such as stake=50")
        name = text_read(rule[1])
        if name in rules:
            raise ReadError(piece, "each house rule once")
        rules[name] = _rule_read(rule[2])
    return rules


def _with_deal(record: Record, end: Item) -> Record:
    """Join ``deal.hands`` and ``deal.turned`` into ``deal``; a line has both or neither."""
    deal = {name.removeprefix("deal."): record.pop(name) for name in ("deal.hands", "deal.turned") if name in record}
    if len(deal) == 1:
        raise ReadError(end, "turned after deal" if "hands" in deal else "deal beside turned")
    return record | ({"deal": deal} if deal else {})
