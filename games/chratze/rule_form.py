"""Chratze: the form of its house rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.money import format_price
from league.played_games import CHRATZE

from ..game.rule_form import AmountField, RulesForm, pot_limit


class ChratzeRules(RulesForm):
    """The house rules of Chratze."""

    game = CHRATZE.name
    names = (
        *("stake", "rounding", "coin", "no_taker", "max_turns", "ante_on_redeal", "blind", "susi", "rob", "pot_limit"),
    )
    follow_others = ("rounding",)

    stake = AmountField(label=gettext_lazy("Stake of each player, every hand"))
    coin = AmountField(label=gettext_lazy("Smallest coin"))
    rounding = AmountField(
        label=gettext_lazy("Declarer's two thirds rounded up to"),
        required=False,
        help_text=gettext_lazy("Empty: the stake."),
    )
    pot_limit = pot_limit()
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

    @classmethod
    def refusal(cls, name: str, values: Mapping[str, Any], currency: str) -> str:
        """Return the sentence about a value that the others do not allow (R4), with the right amount."""
        if name == "rounding":
            coin = {"coin": format_price(values["coin"], currency)}
            return _("It must be a multiple of the smallest coin, %(coin)s.") % coin
        if name == "pot_limit":
            stake = format_price(values["stake"], currency)
            return _("It cannot be below the stake, %(stake)s.") % {"stake": stake}
        return super().refusal(name, values, currency)
