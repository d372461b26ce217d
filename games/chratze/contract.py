"""Chratze: its house rules with their meanings, and the cases that show them."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ..engine_bridge import Record
from ..game.amounts import Unit
from ..game.rule_cases import Case, Clause, Contract, Parts, Rules, with_meanings
from . import rule_sentences
from .rule_form import ChratzeRules


def clauses(rules: Rules, unit: Unit) -> list[Clause]:
    """Each rule as heading, choice, and the meaning of the choice."""
    meanings = [
        _("Before a deal everybody puts it into the pot, including those who pass."),
        _(
            "If joiners make it beside the declarer, they share what is left of the pot in whole coins; what does not "
            "divide is the declarer's. Where the declarer failed, it stays in the pot."
        ),
        _no_taker(rules),
        _blind(str(rules["blind"])),
        _susi(str(rules["susi"])),
        _("Once, before the first lead; not in a blind hand.")
        if rules["rob"]
        else _("Nobody swaps it for the turned card."),
        _pot(rules),
    ]
    return with_meanings(rule_sentences.sentences(rules, unit), meanings)


def _no_taker(rules: Rules) -> str:
    if rules["no_taker"] == "turn":
        return _("After a round without a declarer the next card is turned and is trump; everybody speaks again.")
    return _("One card is turned in a deal; a deal without a declarer is thrown in, and the pot stays.")


def _blind(value: str) -> str:
    return {
        "none": _("The dealer looks at the hand and speaks last."),
        "blind": _("Without having looked at the hand; the turned card comes into it, five cards in all."),
        "both": _(
            "Without having looked at the hand; the turned card comes into it, five cards in all. Double blind is "
            "before that card is turned: six."
        ),
    }[value]


def _susi(value: str) -> str:
    return {
        "off": _("Nobody must join, and nobody is the Susi."),
        "label": _("Nobody must join; it is good manners, not a law."),
        "forced": _("No pot is taken without play."),
    }[value]


def _pot(rules: Rules) -> str:
    if rules["pot_limit"]:
        return _(
            "Whoever fails pays the pot, the declarer twice; what would raise it above the limit is cut for all alike."
        )
    return _("Whoever fails pays the pot, the declarer twice, however high it is.")


def cases(rules: Rules, other: Rules | None = None) -> list[Case]:
    """The situations of the contract. Their pots follow from `rules`, also where `other` rules are compared with them.

    Each house rule decides at least one of the cases; a test checks that.
    """
    odd = 3 * rules["coin"]
    turns = max(rules["max_turns"], other["max_turns"] if other else 0)
    return [
        Case("pair", _("The declarer and one joiner make it"), [_tally([1], [0, 1])]),
        Case("three", _("The declarer and two joiners make it, a third one fails"), [_tally([1, 2, 3], [0, 1, 2])]),
        Case("odd", _("The same with an odd pot"), [_tally([1, 2, 3], [0, 1, 2])], pot=odd),
        Case("lone", _("Only the declarer makes it, two joiners fail"), [_tally([1, 2], [0])]),
        Case("but-one", _("All fail but one joiner"), [_tally([1, 2], [2])]),
        Case("rest", _("The declarer fails, three joiners make it"), [_tally([1, 2, 3], [1, 2, 3])]),
        Case("two", _("Two at the table, both make it"), [_tally([1], [0, 1])], seats=2),
        Case("limit", _("A big pot: the declarer fails, two joiners make it"), [_tally([1, 2], [1, 2])],
             pot=_big_pot(rules, other)),
        Case("walkover", _("Nobody joins"), [{"declarer": 0}]),
        Case("passed-out", _("Nobody declares"), [{"declarer": None}]),
        Case("three-deals", _("Nobody declares, three deals running"), [{"declarer": None}] * 3),
        Case("blind", _("The dealer declares blind; dealer and joiner make it"), [_blind_hand("blind")]),
        Case("double", _("The dealer declares double blind and fails"), [_blind_hand("double", failed=True)]),
        Case("last-turn", _("Somebody declares only after turned card number %(n)d") % {"n": turns},
             [_late_hand(turns)], seats=2, asks=True),
        Case("six", _("A joiner swaps the six of trumps for the turned card"), [_SWAP], seats=2, asks=True),
    ]  # fmt: skip


def _tally(joiners: list[int], made: list[int]) -> Record:
    return {"declarer": 0, "joiners": joiners, "made": made}


def _blind_hand(kind: str, *, failed: bool = False) -> Record:
    # The last seat deals, as in every case.
    return {"declarer": 4, "joiners": [0], "made": [0] if failed else [0, 4], "blind": kind}


def _big_pot(rules: Rules, other: Rules | None) -> int:
    """A pot that the pot limit affects, where there is one; else twenty stakes."""
    limit = rules["pot_limit"] or (other["pot_limit"] if other else None)
    if limit is None:
        return int(20 * rules["stake"])
    coins = max(0, 2 * limit // 3 - 5 * rules["stake"]) // rules["coin"]
    return int(coins * rules["coin"])


_HANDS = [["As", "Ks", "Qs", "Js"], ["Ah", "Kh", "Qh", "Jh"]]
_LOW = ["6d", "7d", "8d", "9d", "Td", "6c", "7c", "8c"]


def _late_hand(turns: int) -> Record:
    """A hand of two seats that both pass until the last turned card."""
    passes: list[list[Any]] = [[0, "weg"], [1, "weg"]] * (turns - 1)
    return {
        "deal": {"hands": _HANDS, "turned": _LOW[:turns]},
        "calls": [*passes, [0, "chratze"], [1, "metcho"]],
        "play": [["As", "Ah"], ["Ks", "Kh"], ["Qs", "Qh"], ["Js", "Jh"]],
    }


_SWAP: Record = {
    "deal": {"hands": [["As", "Ks", "Qs", "Js"], ["6s", "Ah", "Kh", "Qh"]], "turned": ["7s"]},
    "calls": [[0, "chratze"], [1, "metcho"]],
    "rob": {"seat": 1},
    "play": [["As", "7s"], ["Ks", "Ah"], ["Qs", "Kh"], ["Js", "Qh"]],
}


def _joiners(count: int) -> str:
    return ngettext("a joiner", "%(n)d joiners, each", count) % {"n": count}


CONTRACT = Contract(
    form=ChratzeRules,
    keys=rule_sentences.KEYS,
    sentences=rule_sentences.sentences,
    clauses=clauses,
    cases=cases,
    parts=Parts(declarer=gettext_lazy("declarer"), plays=_joiners),
    passed_out={"declarer": None},
)
