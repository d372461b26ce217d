"""Kratzen: its house rules in short sentences."""

from __future__ import annotations

from django.utils.translation import gettext as _

from ..game.amounts import Unit, price
from ..game.rule_cases import Rules, Sentence

KEYS = ("unit", "must_beat", "remainder", "seven_muss", "last_word", "open_trumps", "pot")
"""The names of the sentences, in their order."""


def sentences(rules: Rules, unit: Unit) -> list[Sentence]:
    """Return each rule as heading and choice; amounts in a currency or in antes."""
    amount = price(rules["unit"], unit)
    return [
        (
            _("Unit"),
            _("%(amount)s, the dealer two in a Muss; smallest coin %(coin)s")
            % {"amount": amount, "coin": price(rules["coin"], unit)},
        ),
        (
            _("Beating"),
            _("the highest card must always be beaten if possible")
            if rules["must_beat"] == "always"
            else _("only among trumps must the highest be beaten"),
        ),
        (
            _("Remainder"),
            _("goes to the declarer") if rules["remainder"] == "declarer" else _("stays in the pot"),
        ),
        ("Siebenermuss", _siebenermuss(str(rules["seven_muss"]))),
        (_("Last word"), _("one player may answer last") if rules["last_word"] else _("is not known")),
        (
            _("Open trumps"),
            _("bring more cards") if rules["open_trumps"] else _("bring nothing"),
        ),
        (_("Pot"), _pot_sentence(rules, unit)),
    ]


def _siebenermuss(value: str) -> str:
    return {
        "off": _("is not known"),
        "deal": _("when the turned card is a seven"),
        "any": _("when the turned card or the new trump is a seven"),
    }[value]


def _pot_sentence(rules: Rules, unit: Unit) -> str:
    said = (
        _("penalties raise it to %(amount)s at most") % {"amount": price(rules["pot_limit"], unit)}
        if rules["pot_limit"]
        else _("has no limit")
    )
    if rules["split_over"]:
        halves = _("above %(amount)s half of it is played for") % {"amount": price(rules["split_over"], unit)}
        return f"{said}; {halves}"
    return said
