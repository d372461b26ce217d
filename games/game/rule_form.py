"""The form of a game's house rules. Amounts are typed in francs and read into whole Rappen, without floats."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext, gettext_lazy

from league.money import format_money

from .. import engine_bridge

AMOUNT = re.compile(r"(\d{1,8})(?:[.,](\d{1,2}))?", re.ASCII)
TOO_LONG = re.compile(r"\d{9,}(?:[.,]\d{1,2})?", re.ASCII)


class AmountField(forms.CharField):
    """An amount in francs such as 0.20, as whole Rappen; empty is None where the field is not required."""

    default_error_messages = {
        "amount": gettext_lazy("Write an amount above 0, such as 0.20."),
        "required": gettext_lazy("Write an amount above 0, such as 0.20."),
        "large": gettext_lazy("Write a smaller amount."),
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=20, **options)
        self.widget.attrs |= {"inputmode": "decimal", "size": 8}

    def to_python(self, value: Any) -> Any:
        """Return whole Rappen, or None. Raises ValidationError."""
        text = str(super().to_python(value) or "").replace("’", "").replace("'", "").replace(" ", "")
        if not text:
            return None
        if TOO_LONG.fullmatch(text):
            raise forms.ValidationError(self.error_messages["large"], code="large")
        match = AMOUNT.fullmatch(text)
        amount = int(match[1]) * 100 + int((match[2] or "").ljust(2, "0")) if match else 0
        if not amount:
            raise forms.ValidationError(self.error_messages["amount"], code="amount")
        return amount

    def run_validators(self, value: Any) -> None:
        """Skip the validators of the text: the value is a number by now."""

    def prepare_value(self, value: Any) -> Any:
        """A stored amount as a person types it."""
        return format_money(value).replace("’", "") if isinstance(value, int) else value


class RulesForm(forms.Form):
    """The house rules of one game. `follows` is the version that the page was made for, `key` its idempotency key."""

    game: ClassVar[str]
    names: ClassVar[tuple[str, ...]]
    """The house rules in the order in which pages name them."""
    follow_others: ClassVar[tuple[str, ...]] = ()
    """Rules whose default follows from others: a version stores them as they were entered, and they may be empty."""

    def __init__(self, data: Any = None, *, currency: str, values: Mapping[str, Any] | None = None) -> None:
        """`values` are the effective house rules shown first; refusals name amounts in `currency`."""
        super().__init__(data, initial=dict(values or {}))
        self.currency = currency
        for name in self.names:
            self.fields[name].widget.attrs["aria-describedby"] = f"{name}-help"

    def clean(self) -> dict[str, Any]:
        """Check the conditions between the values (R4); each error is added to its field."""
        values = {name: self.cleaned_data[name] for name in self.names if name in self.cleaned_data}
        if len(values) < len(self.names):
            return self.cleaned_data
        try:
            engine_bridge.house_rules(self.game, self.stored(values))
        except engine_bridge.Fault as fault:
            name = fault.at.removeprefix("rules.")
            self.add_error(name if name in self.fields else None, self.refusal(name, values, self.currency))
        return self.cleaned_data

    @classmethod
    def stored(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values that a version stores: those that differ from the defaults, and those of `follow_others`
        that were entered."""
        defaults = engine_bridge.house_rules(cls.game, {})
        return {
            name: given[name]
            for name in cls.names
            if (given[name] is not None if name in cls.follow_others else given[name] != defaults[name])
        }

    @classmethod
    def as_typed(cls, effective: Mapping[str, Any], stored: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of the form: one of `follow_others` is empty where it follows."""
        return {**effective, **{name: stored.get(name) for name in cls.follow_others}}

    @classmethod
    def refusal(cls, name: str, values: Mapping[str, Any], currency: str) -> str:
        """Return the sentence about a value that the others do not allow (R4), with the right amount."""
        return gettext("There is no such house rule, or it cannot take this value.")

    def values(self) -> dict[str, Any]:
        """The values that a new version stores; the form must be valid."""
        return self.stored(self.cleaned_data)

    def key(self) -> uuid.UUID | None:
        """The idempotency key of the page, if it sent one."""
        try:
            return uuid.UUID(str(self.data.get("key", "")))
        except ValueError:
            return None

    def follows(self) -> int | None:
        """The version that the page was made for, if it sent one."""
        sent = str(self.data.get("follows", ""))
        return int(sent) if sent.isascii() and sent.isdecimal() and len(sent) < 8 else None


def pot_limit() -> AmountField:
    """Return the field of the limit of the pot."""
    label, without = gettext_lazy("Penalties raise the pot to at most"), gettext_lazy("Empty: no limit.")
    return AmountField(label=label, required=False, help_text=without)
