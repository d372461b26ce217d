"""Zwicken: the form of its house rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.money import format_price
from league.played_games import ZWICKEN

from ..game.rule_form import AmountField, RulesForm, pot_limit


class ZwickenRules(RulesForm):
    """The house rules of Zwicken."""

    game = ZWICKEN.name
    names = (
        *("stake", "coin", "cut_moves", "seven", "seven_lost", "exchange", "must_trump", "must_beat", "bete"),
        *("nobody", "pot_limit"),
    )

    stake = AmountField(label=gettext_lazy("Stake of the dealer, every hand"))
    coin = AmountField(label=gettext_lazy("Smallest coin"))
    cut_moves = forms.BooleanField(label=gettext_lazy("Ace, seven and Belli at the cut move the deal"), required=False)
    seven = forms.BooleanField(label=gettext_lazy("The Belli (♦7) is always the second highest trump"), required=False)
    seven_lost = forms.ChoiceField(
        label=gettext_lazy("Whoever loses the Belli to the trump ace"),
        choices=[("stake", gettext_lazy("pays a stake")), ("off", gettext_lazy("pays nothing for it"))],
    )
    exchange = forms.BooleanField(label=gettext_lazy("Players may exchange up to three cards"), required=False)
    must_trump = forms.BooleanField(label=gettext_lazy("Whoever cannot follow suit must trump"), required=False)
    must_beat = forms.ChoiceField(
        label=gettext_lazy("Beating the highest card, if possible"),
        choices=[
            ("always", gettext_lazy("always")),
            ("trumps", gettext_lazy("among trumps")),
            ("off", pgettext_lazy("beating the highest card", "never")),
        ],
    )
    bete = forms.ChoiceField(
        label=gettext_lazy("The bête, which a player without a trick pays"),
        choices=[("pot", gettext_lazy("is the pot")), ("stake", gettext_lazy("is one stake"))],
    )
    nobody = forms.ChoiceField(
        label=gettext_lazy("When nobody plays"),
        choices=[("dealer", gettext_lazy("the dealer takes the pot")), ("stays", gettext_lazy("the pot stays"))],
    )
    pot_limit = pot_limit()

    @classmethod
    def refusal(cls, name: str, values: Mapping[str, Any], currency: str) -> str:
        """Return the sentence about a value that the others do not allow (R4), with the right amount."""
        least = {"amount": format_price(3 * values["coin"], currency)}
        if name == "stake":
            return _("It must be a multiple of three of the smallest coin, %(amount)s.") % least
        if name == "pot_limit":
            return _("It must be three of the smallest coin at least, %(amount)s.") % least
        return super().refusal(name, values, currency)
