"""House rules in short sentences, and the games that a club can choose for an evening."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import HouseRules
from league.money import format_price

from .. import engine_bridge

RULE_KEYS = {
    engine_bridge.CHRATZE: ("stake", "rounding", "no_taker", "blind", "susi", "rob", "pot"),
    engine_bridge.KRATZEN: ("unit", "must_beat", "remainder", "seven_muss", "last_word", "open_trumps", "pot"),
}
"""The names of the sentences of each game, in their order; pages link to a rule by its name."""


@dataclass(frozen=True)
class GameOffered:
    """A game that can be chosen for an evening: its number of players, and the club's house rules as sentences."""

    name: str
    chosen: bool
    least: int
    most: int
    too_few: str
    too_many: str
    version: int
    rules: list[tuple[str, str]]


@dataclass(frozen=True)
class Antes:
    """In place of a currency: amounts are named as numbers of antes, for readers who see no amounts. `ante_minor` is
    the ante of the house rules."""

    ante_minor: int

    @classmethod
    def of(cls, rules: Mapping[str, Any], game: str) -> Antes:
        """Return the antes of these house rules."""
        return cls(rules["unit"] if game == engine_bridge.KRATZEN else rules["stake"])

    def show(self, amount_minor: int) -> str:
        """Format an amount as a number of antes, to a hundredth."""
        whole, rest = divmod(self.hundredths(amount_minor), 100)
        number = f"{whole}.{rest:02d}".rstrip("0") if rest else str(whole)
        return ngettext("%(n)s ante", "%(n)s antes", 1 if (whole, rest) == (1, 0) else 2) % {"n": number}

    def hundredths(self, amount_minor: int) -> int:
        """Return an amount in hundredths of an ante."""
        return amount_minor * 100 // self.ante_minor


def _price(amount_minor: int, currency: str | Antes) -> str:
    return currency.show(amount_minor) if isinstance(currency, Antes) else format_price(amount_minor, currency)


def games_offered(versions: Iterable[HouseRules], chosen: str, currency: str) -> list[GameOffered]:
    """All games, each with the newest of these versions of its house rules."""
    newest: dict[str, HouseRules] = {}
    for one in sorted(versions, key=lambda one: one.version):
        newest[one.game] = one
    few = {engine_bridge.CHRATZE: _("At least two sit down."), engine_bridge.KRATZEN: _("At least three sit down.")}
    many = {
        engine_bridge.CHRATZE: _("Seven at most sit at one table."),
        engine_bridge.KRATZEN: _("Six at most sit at one table."),
    }
    offered = []
    for game in engine_bridge.GAMES:
        rules = newest.get(game)
        least, most = engine_bridge.SEATS[game]
        offered.append(
            GameOffered(
                name=game,
                chosen=game == chosen,
                least=least,
                most=most,
                too_few=few[game],
                too_many=many[game],
                version=rules.version if rules else 1,
                rules=rule_sentences(engine_bridge.house_rules(game, rules.values if rules else {}), game, currency),
            )
        )
    return offered


def rule_sentences(rules: Mapping[str, Any], game: str, currency: str | Antes) -> list[tuple[str, str]]:
    """The effective house rules of a game as pairs of heading and sentence."""
    return (_kratzen_sentences if game == engine_bridge.KRATZEN else _chratze_sentences)(rules, currency)


def _kratzen_sentences(rules: Mapping[str, Any], currency: str | Antes) -> list[tuple[str, str]]:
    unit = _price(rules["unit"], currency)
    return [
        (
            _("Unit"),
            _("%(amount)s, the dealer two in a Muss; smallest coin %(coin)s")
            % {"amount": unit, "coin": _price(rules["coin"], currency)},
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
        (_("Pot"), _pot_sentence(rules, currency)),
    ]


def _siebenermuss(value: str) -> str:
    return {
        "off": _("is not known"),
        "deal": _("when the turned card is a seven"),
        "any": _("when the turned card or the new trump is a seven"),
    }[value]


def _pot_sentence(rules: Mapping[str, Any], currency: str | Antes) -> str:
    said = (
        _("penalties raise it to %(amount)s at most") % {"amount": _price(rules["pot_limit"], currency)}
        if rules["pot_limit"]
        else _("has no limit")
    )
    if rules["split_over"]:
        halves = _("above %(amount)s half of it is played for") % {"amount": _price(rules["split_over"], currency)}
        return f"{said}; {halves}"
    return said


def _chratze_sentences(rules: Mapping[str, Any], currency: str | Antes) -> list[tuple[str, str]]:
    return [
        (_("Stake"), _("%(amount)s each, every hand") % {"amount": _price(rules["stake"], currency)}),
        (
            _("Rounding"),
            _("the declarer's two thirds up to %(up)s; smallest coin %(coin)s")
            % {"up": _price(rules["rounding"], currency), "coin": _price(rules["coin"], currency)},
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
            _("penalties raise it to %(amount)s at most") % {"amount": _price(rules["pot_limit"], currency)}
            if rules["pot_limit"]
            else _("has no limit"),
        ),
    ]


def no_taker_sentence(rules: Mapping[str, Any]) -> str:
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
