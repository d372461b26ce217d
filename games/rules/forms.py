"""The form of a club's house rules. Amounts are typed in francs and read into whole Rappen, without a float between."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.templatetags.league_tags import format_money

from .. import messages, recording
from ..errors import Refused
from .chratze import NAMES, money_words, stored

AMOUNT = re.compile(r"(\d{1,8})(?:[.,](\d{1,2}))?", re.ASCII)


class AmountField(forms.CharField):
    """An amount in francs such as 0.20, read into whole Rappen; empty is None where the field is not required."""

    default_error_messages = {
        "amount": gettext_lazy("Write an amount in francs above 0, such as 0.20."),
        "required": gettext_lazy("Write an amount in francs above 0, such as 0.20."),
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=20, **options)
        self.widget.attrs |= {"inputmode": "decimal", "size": 8}

    def to_python(self, value: Any) -> Any:
        """Whole Rappen, or None. Raises ValidationError."""
        text = str(super().to_python(value) or "").replace("’", "").replace("'", "").replace(" ", "")
        if not text:
            return None
        found = AMOUNT.fullmatch(text)
        amount = int(found[1]) * 100 + int((found[2] or "").ljust(2, "0")) if found else 0
        if not amount:
            raise forms.ValidationError(self.error_messages["amount"], code="amount")
        return amount

    def run_validators(self, value: Any) -> None:
        """The length was looked at as text; what is validated here is a number."""

    def prepare_value(self, value: Any) -> Any:
        """A stored amount as it is typed."""
        return money_words(value) if isinstance(value, int) else value


class RulesForm(forms.Form):
    """Chratze's house rules. `follows` is the version that the page was made for, `key` the intention to store one."""

    stake = AmountField(label=gettext_lazy("Stake of each player, every hand"))
    coin = AmountField(label=gettext_lazy("Smallest coin"))
    rounding = AmountField(
        label=gettext_lazy("Declarer's two thirds rounded up to"),
        required=False,
        help_text=gettext_lazy("Left empty, to the stake."),
    )
    pot_limit = AmountField(
        label=gettext_lazy("Penalties lift the pot to at most"),
        required=False,
        help_text=gettext_lazy("Left empty, there is no limit."),
    )
    no_taker = forms.ChoiceField(
        label=gettext_lazy("When nobody declares"),
        choices=[
            ("turn", gettext_lazy("the next card is turned, and everybody speaks anew")),
            ("redeal", gettext_lazy("the cards are dealt anew")),
        ],
    )
    max_turns = forms.TypedChoiceField(
        label=gettext_lazy("How often, at most"), choices=[(n, str(n)) for n in range(1, 9)], coerce=int
    )
    ante_on_redeal = forms.BooleanField(label=gettext_lazy("A new deal asks for a new ante"), required=False)
    blind = forms.ChoiceField(
        label=gettext_lazy("Declaring blind"),
        choices=[
            ("none", gettext_lazy("not allowed")),
            ("blind", gettext_lazy("blind")),
            ("both", gettext_lazy("blind and double blind")),
        ],
    )
    susi = forms.ChoiceField(
        label=gettext_lazy("Susi: nobody joins, the last one asked"),
        choices=[
            ("off", gettext_lazy("has no name for it")),
            ("label", gettext_lazy("is called so")),
            ("forced", gettext_lazy("must join")),
        ],
    )
    rob = forms.BooleanField(label=gettext_lazy("The six of trumps may take the turned card"), required=False)

    def __init__(self, data: Any = None, *, values: Mapping[str, Any] | None = None) -> None:
        """`values` are effective house rules with which the form begins."""
        super().__init__(data, initial=dict(values or {}))
        for name in NAMES:
            field = self.fields[name]
            field.widget.attrs["aria-describedby"] = f"{name}-said"

    def clean(self) -> dict[str, Any]:
        """R4: conditions between the values, each told at its field."""
        values = {name: self.cleaned_data[name] for name in NAMES if name in self.cleaned_data}
        if len(values) < len(NAMES):
            return self.cleaned_data
        try:
            recording.house_rules(recording.GAME, self._given(values))
        except recording.Fault as fault:
            name = fault.at.removeprefix("rules.")
            self.add_error(name if name in self.fields else None, refusal(fault, values).sentence)
        return self.cleaned_data

    def _given(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return stored(values, recording.house_rules(recording.GAME, {}))

    def values(self) -> dict[str, Any]:
        """What a new version stores; the form is valid."""
        return self._given(self.cleaned_data)

    def key(self) -> uuid.UUID | None:
        """The page's key, if it sent one."""
        try:
            return uuid.UUID(str(self.data.get("key", "")))
        except ValueError:
            return None

    def follows(self) -> int | None:
        """The version that the page was made for, if it sent one."""
        sent = str(self.data.get("follows", ""))
        return int(sent) if sent.isascii() and sent.isdecimal() and len(sent) < 8 else None


def refusal(fault: recording.Fault, values: Mapping[str, Any]) -> Refused:
    """R4 in words that a person can act on."""
    sentence = messages.sentence("R4")
    if fault.at == "rules.rounding":
        sentence = _("It must be a multiple of the smallest coin, %(coin)s.") % {"coin": format_money(values["coin"])}
    elif fault.at == "rules.pot_limit":
        sentence = _("It cannot be below the stake, %(stake)s.") % {"stake": format_money(values["stake"])}
    return Refused(status=422, code="R4", sentence=sentence, at=fault.at)
