"""The pot splitter of a game: its house rules on the form, and its hands in the address."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..engine_bridge import Record

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

AMOUNT = re.compile(r"(\d{1,7})(?:[.,](\d{1,2}))?")


class Francs(forms.CharField):
    """An amount as people type it (`2`, `0.20`, `1,5`), in Rappen; None where the field is empty."""

    def __init__(self, label: Any, default: Any = "") -> None:
        super().__init__(label=label, required=False, max_length=12)
        self.widget.attrs |= {"inputmode": "decimal", "placeholder": default}

    def clean(self, value: Any) -> int | None:
        text = str(value or "").strip()
        if not text:
            return None
        match = AMOUNT.fullmatch(text)
        if match is None or not text.isascii():
            raise forms.ValidationError(_("This is no amount; write it like 2.40."))
        return 100 * int(match[1]) + int((match[2] or "0").ljust(2, "0"))


def choice(label: Any, choices: Sequence[tuple[str, Any]]) -> forms.ChoiceField:
    """A field with these choices; it may be empty."""
    return forms.ChoiceField(label=label, choices=choices, required=False)


@dataclass(frozen=True)
class SetupRule:
    """A house rule on the form. `make` makes its field. `rule` is its name in the rulebook if the field has another
    one, as a field of the entry has that name. `read` turns what was chosen into the value of the rule."""

    make: Callable[[], forms.Field]
    rule: str = ""
    read: Callable[[Any], Any] = lambda chosen: chosen


COIN = SetupRule(lambda: Francs(gettext_lazy("Smallest coin"), "0.05"))
POT_LIMIT = SetupRule(
    lambda: Francs(gettext_lazy("Penalties raise the pot to at most"), gettext_lazy("no limit")),
)


@dataclass(frozen=True)
class Splitter:
    """The pot splitter of a game.

    `rules` are the house rules that change amounts, by the name of their field, in the order of the address; `shown`
    are those that the form shows for this game alone, in its order. `refused` are sentences for conditions between
    house rules, by the place of the fault. `always_kept` are rules that are kept even with their default value.

    `encode` writes a tally as a short code, `decode` reads one: None where it is no code. `who_plays` refuses a number
    of players. `whole_coins`: the pot must be in whole coins.
    """

    rules: Mapping[str, SetupRule]
    shown: Sequence[str]
    encode: Callable[[Mapping[str, Any]], str]
    decode: Callable[[str], Record | None]
    who_plays: str | _StrPromise
    refused: Mapping[str, str | _StrPromise] = field(default_factory=dict)
    always_kept: Sequence[str] = ()
    whole_coins: bool = False

    def rule_of(self, name: str) -> str:
        """The name in the rulebook of the rule in a field."""
        return self.rules[name].rule or name


def parts_of(code: str, part: re.Pattern[str]) -> dict[str, str] | None:
    """The parts of a code by their first letter; None where one is unknown or there twice."""
    parts = code.split("-")
    by_letter = {piece[0]: piece[1:] for piece in parts if part.fullmatch(piece)}
    return None if len(by_letter) < len(parts) else by_letter


def tricks_code(tricks: Mapping[str, int]) -> str:
    """The tricks by seat as the part of a code."""
    return "t" + "".join(f"{seat}{count}" for seat, count in tricks.items())


def tricks_in(text: str) -> dict[str, int]:
    """Read the tricks by seat from the part of a code."""
    return {text[n]: int(text[n + 1]) for n in range(0, len(text), 2)}
