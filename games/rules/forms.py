"""The forms of a club's house rules. Amounts are typed in francs and read into whole Rappen, without floats."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.money import format_money, format_price

from .. import engine_bridge
from ..errors import Refused
from ..hands import clause_sentences
from . import chratze, kratzen

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
        found = AMOUNT.fullmatch(text)
        amount = int(found[1]) * 100 + int((found[2] or "").ljust(2, "0")) if found else 0
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
            engine_bridge.house_rules(self.game, stored(self.game, values))
        except engine_bridge.Fault as fault:
            name = fault.at.removeprefix("rules.")
            sentence = refusal(self.game, fault, values, self.currency).sentence
            self.add_error(name if name in self.fields else None, sentence)
        return self.cleaned_data

    def values(self) -> dict[str, Any]:
        """The values that a new version stores; the form must be valid."""
        return stored(self.game, self.cleaned_data)

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


def _pot_limit() -> AmountField:
    label, without = gettext_lazy("Penalties raise the pot to at most"), gettext_lazy("Empty: no limit.")
    return AmountField(label=label, required=False, help_text=without)


class ChratzeRules(RulesForm):
    """The house rules of Chratze."""

    game = engine_bridge.CHRATZE
    names = chratze.NAMES

    stake = AmountField(label=gettext_lazy("Stake of each player, every hand"))
    coin = AmountField(label=gettext_lazy("Smallest coin"))
    rounding = AmountField(
        label=gettext_lazy("Declarer's two thirds rounded up to"),
        required=False,
        help_text=gettext_lazy("Empty: the stake."),
    )
    pot_limit = _pot_limit()
    no_taker = forms.ChoiceField(
        label=gettext_lazy("When nobody declares"),
        choices=[
            ("turn", gettext_lazy("the next card is turned, and everybody speaks again")),
            ("redeal", gettext_lazy("there is a new deal")),
        ],
    )
    max_turns = forms.TypedChoiceField(
        label=gettext_lazy("Maximum turned cards"), choices=[(n, str(n)) for n in range(1, 9)], coerce=int
    )
    ante_on_redeal = forms.BooleanField(label=gettext_lazy("A new deal needs a new ante"), required=False)
    blind = forms.ChoiceField(
        label=gettext_lazy("Declaring blind"),
        choices=[
            ("none", gettext_lazy("not allowed")),
            ("blind", gettext_lazy("blind")),
            ("both", gettext_lazy("blind and double blind")),
        ],
    )
    susi = forms.ChoiceField(
        label=gettext_lazy("Susi (nobody joins): the last one asked"),
        choices=[
            ("off", gettext_lazy("is not the Susi")),
            ("label", gettext_lazy("is the Susi")),
            ("forced", gettext_lazy("must join")),
        ],
    )
    rob = forms.BooleanField(label=gettext_lazy("The six of trumps may take the turned card"), required=False)


class KratzenRules(RulesForm):
    """The house rules of Kratzen."""

    game = engine_bridge.KRATZEN
    names = kratzen.NAMES

    unit = AmountField(label=gettext_lazy("Unit"))
    coin = AmountField(label=gettext_lazy("Smallest coin"))
    pot_limit = _pot_limit()
    split_over = AmountField(
        label=gettext_lazy("Half of the pot is played for when it is above"),
        required=False,
        help_text=gettext_lazy("Empty: always the whole pot."),
    )
    must_beat = forms.ChoiceField(
        label=gettext_lazy("Beating the highest card, if possible"),
        choices=[("trumps", gettext_lazy("among trumps")), ("always", gettext_lazy("always"))],
    )
    remainder = forms.ChoiceField(
        label=gettext_lazy("What does not divide by four"),
        choices=[("pot", gettext_lazy("stays in the pot")), ("declarer", gettext_lazy("goes to the declarer"))],
    )
    seven_muss = forms.ChoiceField(
        label="Siebenermuss",
        choices=[
            ("off", gettext_lazy("is not known")),
            ("deal", gettext_lazy("when the turned card is a seven")),
            ("any", gettext_lazy("when the turned card or the new trump is a seven")),
        ],
    )
    last_word = forms.BooleanField(label=gettext_lazy("One player may answer last"), required=False)
    open_trumps = forms.BooleanField(label=gettext_lazy("Trumps laid open bring more cards"), required=False)


FORMS: dict[str, type[RulesForm]] = {form.game: form for form in (ChratzeRules, KratzenRules)}


def stored(game: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The values that a version stores: those that differ from the defaults, and any rounding that was entered."""
    defaults = engine_bridge.house_rules(game, {})
    return {
        name: given[name]
        for name in FORMS[game].names
        if (given[name] is not None if name == "rounding" else given[name] != defaults[name])
    }


def refusal(game: str, fault: engine_bridge.Fault, values: Mapping[str, Any], currency: str) -> Refused:
    """The refusal of R4, with a sentence that names the right amount."""
    sentence = clause_sentences.sentence("R4")
    coin = {"coin": format_price(values["coin"], currency)}
    name = fault.at.removeprefix("rules.")
    if name == "rounding":
        sentence = _("It must be a multiple of the smallest coin, %(coin)s.") % coin
    elif name == "unit":
        sentence = _("It must be a multiple of the smallest coin, %(coin)s, and two of it at least.") % coin
    elif game == engine_bridge.KRATZEN and name in ("pot_limit", "split_over"):
        sentence = _("It must be eight of the smallest coin at least, %(amount)s.") % {
            "amount": format_price(8 * values["coin"], currency)
        }
    elif name == "pot_limit":
        stake = format_price(values["stake"], currency)
        sentence = _("It cannot be below the stake, %(stake)s.") % {"stake": stake}
    return Refused(status=422, code="R4", sentence=sentence, at=fault.at)
