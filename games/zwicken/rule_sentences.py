"""Zwicken: its house rules in short sentences."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from ..game.amounts import Unit, price
from ..game.rule_cases import Rules, Sentence

KEYS = ("stake", "remainder", "cut", "seven", "exchange", "must_trump", "must_beat", "bete", "nobody", "pot")
"""The names of the sentences, in their order."""


def sentences(rules: Rules, unit: Unit) -> list[Sentence]:
    """Return each rule as heading and choice; amounts in a currency or in antes."""
    return [
        (_("Stake"), _("%(amount)s by the dealer, every hand") % {"amount": price(rules["stake"], unit)}),
        (_("Remainder"), _("stays in the pot; smallest coin %(coin)s") % {"coin": price(rules["coin"], unit)}),
        (
            pgettext("house rule", "Cut"),
            _("ace, seven and Belli move the deal") if rules["cut_moves"] else _("does not move the deal"),
        ),
        ("Belli", _belli(rules)),
        (pgettext("house rule", "Exchange"), _("up to three cards") if rules["exchange"] else _("is not known")),
        (
            _("Trumping"),
            _("whoever cannot follow suit must trump") if rules["must_trump"] else _("nobody has to trump"),
        ),
        (_("Beating"), _beating(str(rules["must_beat"]))),
        (_("Bête"), _("the pot") if rules["bete"] == "pot" else _("one stake")),
        (_("Nobody plays"), _("the dealer takes the pot") if rules["nobody"] == "dealer" else _("the pot stays")),
        (_("Pot"), _pot(rules, unit)),
    ]


def _belli(rules: Rules) -> str:
    if not rules["seven"]:
        return _("♦7 is a card like any other")
    if rules["seven_lost"] == "stake":
        return _("♦7 is the second highest trump; whoever loses it to the trump ace pays a stake")
    return _("♦7 is the second highest trump")


def _beating(value: str) -> str:
    return {
        "always": _("the highest card must always be beaten if possible"),
        "trumps": _("only where a trump must be played"),
        "off": _("nobody has to beat"),
    }[value]


def _pot(rules: Rules, unit: Unit) -> str:
    if rules["pot_limit"]:
        return _("penalties raise it to %(amount)s at most") % {"amount": price(rules["pot_limit"], unit)}
    return _("has no limit")
