"""Chratze: its house rules in short sentences."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..game.amounts import Unit, price
from ..game.rule_cases import Rules, Sentence

KEYS = ("stake", "rounding", "no_taker", "blind", "susi", "rob", "pot")
"""The names of the sentences, in their order."""


def sentences(rules: Rules, unit: Unit) -> list[Sentence]:
    """Return each rule as heading and choice; amounts in a currency or in antes."""
    return [
        (_("Stake"), _("%(amount)s each, every hand") % {"amount": price(rules["stake"], unit)}),
        (
            _("Rounding"),
            _("the declarer's two thirds up to %(up)s; smallest coin %(coin)s")
            % {"up": price(rules["rounding"], unit), "coin": price(rules["coin"], unit)},
        ),
        (_("Nobody declares"), no_taker_sentence(rules)),
        (_("Blind"), _blind(str(rules["blind"]))),
        (_("Susi"), _susi(str(rules["susi"]))),
        (
            _("Six of trumps"),
            _("takes the turned card") if rules["rob"] else _("stays where it is"),
        ),
        (
            _("Pot"),
            _("penalties raise it to %(amount)s at most") % {"amount": price(rules["pot_limit"], unit)}
            if rules["pot_limit"]
            else _("has no limit"),
        ),
    ]


def no_taker_sentence(rules: Rules) -> str:
    """The rule for a hand without a declarer, as a sentence (C2.4, C2.5)."""
    turns = int(rules["max_turns"])
    ante = _("with a new ante") if rules["ante_on_redeal"] else _("without a new ante")
    if rules["no_taker"] == "turn":
        said = ngettext(
            "one card is turned; then the same dealer deals again, %(ante)s",
            "up to %(n)d cards are turned; then the same dealer deals again, %(ante)s",
            turns,
        )
    else:
        said = ngettext(
            "the next player deals, %(ante)s",
            "the same dealer deals again, %(ante)s; after %(n)d deals the next one",
            turns,
        )
    return said % {"n": turns, "ante": ante}


def _blind(value: str) -> str:
    return {
        "none": _("not allowed"),
        "blind": _("the dealer may declare blind"),
        "both": _("the dealer may declare blind or double blind"),
    }[value]


def _susi(value: str) -> str:
    return {
        "off": _("nobody is the Susi"),
        "label": _("whoever is asked last and lets the pot go is the Susi"),
        "forced": _("whoever is asked last must join if nobody else has"),
    }[value]
