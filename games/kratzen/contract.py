"""Kratzen: its house rules with their meanings, and the cases that show them."""

from __future__ import annotations

from math import lcm
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from ..engine_bridge import Record
from ..game.amounts import Unit
from ..game.rule_cases import Case, Clause, Contract, Parts, Rules, counted, multiple, with_meanings
from . import rule_sentences
from .rule_form import KratzenRules


def clauses(rules: Rules, unit: Unit) -> list[Clause]:
    """Each rule as heading, choice, and the meaning of the choice."""
    meanings = [
        _("In a Muss everybody pays it; in a free hand only the dealer, for dealing."),
        _("Also a plain suit that is followed.")
        if rules["must_beat"] == "always"
        else _("A plain suit may be followed with any card."),
        _("Every trick takes a quarter of the pot in whole coins; this is what does not divide by four."),
        _seven(str(rules["seven_muss"])),
        _("One player may wait for the answers of all others, and must join if nobody has.")
        if rules["last_word"]
        else _("All answer in their turn."),
        _("Whoever has drawn five may show trumps among them: a card for each, five for the ace.")
        if rules["open_trumps"]
        else _("Whoever has drawn five drops one, and no more is given."),
        _("Whoever fails pays what is played for, the declarer twice; in a Muss too."),
    ]
    return with_meanings(rule_sentences.sentences(rules, unit), meanings)


def _seven(value: str) -> str:
    if value == "off":
        return _("A seven is a card like any other.")
    return _("Everybody plays, nobody exchanges, nothing is paid out, and one trick is enough for everybody.")


def cases(rules: Rules, other: Rules | None = None) -> list[Case]:
    """The situations of the contract. Their pots follow from `rules`, also where `other` rules are compared with them.

    Each house rule decides at least one of the cases; a test checks that.
    """
    # A pot is a multiple of the coin (K2.1), under both sets of rules.
    coin = lcm(rules["coin"], other["coin"] if other else 1)
    pot = multiple(9 * rules["unit"], coin)
    odd = pot + 3 * coin
    return [
        Case("muss", _("A Muss: the dealer makes two tricks, two players none"), [_muss([1, 1, 0, 0, 2])]),
        Case("muss-failed", _("A Muss: the dealer makes one trick, one player none"), [_muss([1, 1, 1, 0, 1])]),
        Case("free", _("A free hand: the declarer and one joiner make two tricks each"), [_free({1: 2}, 2)], pot=pot),
        Case("joiner", _("The declarer makes three tricks, one of two joiners none"), [_free({1: 1, 2: 0}, 3)],
             pot=pot),
        Case("failed", _("The declarer makes one trick, the joiner three"), [_free({1: 3}, 1)], pot=pot),
        Case("odd", _("A pot that does not divide by four, two tricks each"), [_free({1: 2}, 2)], pot=odd),
        Case("walkover", _("The same pot, and nobody joins"), [_free({}, None)], pot=odd),
        Case("passed-out", _("Everybody says weiter"), [{"cuts": [["x"]], "declarer": None}], pot=pot),
        Case("cut", _("The cut shows an ace: the pack moves on; then two tricks each"),
             [{**_free({1: 2}, 2), "cuts": [["A", "x"], ["x"]]}], pot=pot),
        Case("seven", _("A seven is turned in a free hand; one player makes no trick"),
             [{**_muss([1, 1, 1, 0, 1]), "seven": True}], pot=pot),
        Case("seven-called", _("A seven comes by oder; the caller makes one trick, one player none"),
             [{**_muss([1, 1, 1, 0, 1]), "declarer": 0, "joiners": [1, 2, 3, 4], "seven": True, "game_type": "oder"}],
             pot=pot),
        Case("limit", _("A big pot: the declarer makes one trick, the joiner three"), [_free({1: 3}, 1)],
             pot=multiple(_big_pot(rules, other, "pot_limit", 2), coin)),
        Case("split", _("A very big pot: two tricks each"), [_free({1: 2}, 2)],
             pot=multiple(_big_pot(rules, other, "split_over", 6), coin)),
        Case("beat", _("A player follows a plain suit lower than need be"), [_PLAIN], seats=3, pot=pot, dealer=0,
             asks=True),
        Case("last-word", _("A player claims the last word"), [_LAST_WORD], seats=3, pot=pot, dealer=0, asks=True),
        Case("open", _("A player shows trumps among five cards drawn"), [_OPEN], seats=3, pot=pot, dealer=0,
             asks=True),
    ]  # fmt: skip


def _muss(tricks: list[int]) -> Record:
    # The last seat deals, as in every case.
    return {"cuts": [["x"]], "declarer": 4, "joiners": [0, 1, 2, 3], "tricks": counted(dict(enumerate(tricks)))}


def _free(joiners: dict[int, int], declarer: int | None) -> Record:
    """A free hand that seat 0 declares: tricks of the joiners by seat, and of the declarer, None where nobody joins."""
    hand: Record = {"cuts": [["x"]], "game_type": "schlagen", "declarer": 0, "joiners": [*joiners]}
    return hand if declarer is None else {**hand, "tricks": counted({0: declarer, **joiners})}


def _big_pot(rules: Rules, other: Rules | None, name: str, thirds: int) -> int:
    """`thirds` thirds of the limit `name`, where there is one; else of sixty units."""
    limit = rules[name] or (other[name] if other else None) or 60 * rules["unit"]
    return int(max(9 * rules["unit"], thirds * limit // 3))


_CALLED: dict[str, Any] = {
    "cuts": [["9s"]],
    "deal": {
        "hands": [["As", "Kd", "9s", "7c"], ["Qd", "Jh", "Qs", "Kh"], ["Ks", "7d", "8h", "Ad"]],
        "turned": ["8c"],
    },
    "calls": [[0, "weiter"], [1, "oder"], [2, "weiter"]],
    "new_trump": ["9h"],
    "exchanges": [
        {"seat": 1, "discard": ["Kh", "Qs", "Jh", "Qd"], "draw": ["Th", "Ah", "8d", "Td", "Ts"], "drop": ["Th"]}
    ],
}
_PLAIN: Record = {
    **_CALLED,
    "answers": [[2, "mit"], [0, "ohne"]],
    "play": [["Td", "7d"], ["Ah", "8h"], ["Ts", "Ks"], ["Ad", "8d"]],
}
_LAST_WORD: Record = {
    **_CALLED,
    "last_word": 2,
    "answers": [[0, "ohne"], [2, "mit"]],
    "play": [["Td", "Ad"], ["Ks", "Ts"], ["8h", "Ah"], ["8d", "7d"]],
}
_OPEN: Record = {
    "cuts": [["9s"]],
    "deal": {
        "hands": [["9h", "Td", "7d", "7s"], ["Ac", "Th", "8h", "Qd"], ["Kd", "7h", "9s", "Ah"]],
        "turned": ["8s"],
    },
    "calls": [[0, "weiter"], [1, "weiter-oder"], [2, "weiter"]],
    "new_trump": ["Qc"],
    "answers": [[2, "ohne"], [0, "mit"]],
    "exchanges": [
        {"seat": 0, "discard": ["Td", "7s", "8s", "7d", "9h"], "draw": ["Ts", "Jh", "9d", "8d", "Qh"], "drop": ["Jh"]},
        {
            "seat": 1,
            "discard": ["Ac", "8h", "Th", "Qd"],
            "draw": ["Jd", "Kh", "Jc", "Qs", "6d"],
            "show": ["Jc", "6d"],
            "open": ["7c", "Js", "Ad"],
            "drop": ["Js", "Qs", "Jd", "Jc"],
        },
    ],
    "play": [["6d", "Qh"], ["Ad", "9d"], ["7c", "Ts"], ["Kh", "8d"]],
}


def _joiners(count: int) -> str:
    return ngettext("a joiner", "%(n)d joiners, each", count) % {"n": count}


CONTRACT = Contract(
    form=KratzenRules,
    keys=rule_sentences.KEYS,
    sentences=rule_sentences.sentences,
    clauses=clauses,
    cases=cases,
    parts=Parts(
        declarer=pgettext_lazy("kratzen", "declarer"),
        plays=_joiners,
        forced=gettext_lazy("then a Muss"),
        free=gettext_lazy("then a free hand"),
    ),
    passed_out={"declarer": None},
)
