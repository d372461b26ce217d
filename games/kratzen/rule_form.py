"""Kratzen: the form of its house rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.money import format_price
from league.played_games import KRATZEN

from ..game.rule_form import AmountField, RulesForm, pot_limit


class KratzenRules(RulesForm):
    """The house rules of Kratzen."""

    game = KRATZEN.name
    names = (
        *("unit", "coin", "must_beat", "remainder", "seven_muss", "last_word", "open_trumps", "pot_limit"),
        "split_over",
    )

    unit = AmountField(label=gettext_lazy("Unit"))
    coin = AmountField(label=gettext_lazy("Smallest coin"))
    pot_limit = pot_limit()
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

    @classmethod
    def refusal(cls, name: str, values: Mapping[str, Any], currency: str) -> str:
        """Return the sentence about a value that the others do not allow (R4), with the right amount."""
        if name == "unit":
            coin = {"coin": format_price(values["coin"], currency)}
            return _("It must be a multiple of the smallest coin, %(coin)s, and two of it at least.") % coin
        if name in ("pot_limit", "split_over"):
            least = {"amount": format_price(8 * values["coin"], currency)}
            return _("It must be eight of the smallest coin at least, %(amount)s.") % least
        return super().refusal(name, values, currency)
