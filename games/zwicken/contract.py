"""Zwicken: its house rules with their meanings, and the cases that show them."""

from __future__ import annotations

from math import lcm
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ..engine_bridge import Record, Result, tricks_of
from ..game.amounts import Unit
from ..game.rule_cases import Case, Clause, Contract, Parts, Rules, counted, multiple, with_meanings
from . import rule_sentences
from .rule_form import ZwickenRules

THIRDS = tricks_of(ZwickenRules.game)


def clauses(rules: Rules, unit: Unit) -> list[Clause]:
    """Return each rule as heading, choice, and the meaning of the choice."""
    meanings = [
        _("Nobody else pays for the deal. If the cut moves it, the new dealer pays a stake, too."),
        _("Every trick takes a third of the pot in whole coins; this is what does not divide by three."),
        _("A hop to the next player, a jump over one with the Belli; whoever is passed over pays a stake, too.")
        if rules["cut_moves"]
        else _("Nobody cuts for the deal; the office goes to the left after every hand."),
        _("Only the trump ace beats it.") if rules["seven"] else _("It is a trump only if diamonds are."),
        _("Once, in turn, and it costs nothing.")
        if rules["exchange"]
        else _("All play the cards that they were dealt."),
        _("Only whoever has no trump either plays any card.")
        if rules["must_trump"]
        else _("Whoever cannot follow suit plays any card."),
        _beating(str(rules["must_beat"])),
        _("A player without a trick pays it into the pot, also in a forced hand."),
        _("All say weg: there is no play."),
        _("What would raise it above the limit is cut for all alike.")
        if rules["pot_limit"]
        else _("Whoever has no trick pays, however high it is."),
    ]
    return with_meanings(rule_sentences.sentences(rules, unit), meanings)


def _beating(value: str) -> str:
    return {
        "always": _("A plain suit that was trumped need not be beaten by a card of that suit."),
        "trumps": _("A plain suit may be followed with any card."),
        "off": _("Any card of the suit will do."),
    }[value]


def cases(rules: Rules, other: Rules | None = None) -> list[Case]:
    """The situations of the contract. Their pots follow from `rules`, also where `other` rules are compared with them.

    Each house rule decides at least one of the cases; a test checks that.
    """
    # The pots divide by three, under both sets of rules; the odd one does under neither.
    coin = lcm(rules["coin"], other["coin"] if other else 1)
    pot = multiple(3 * rules["stake"], THIRDS * coin)
    return [
        Case("forced", _("A forced hand: two tricks, one trick, and three players without"),
             [_played({0: 2, 1: 1}, forced=True)]),
        Case("two", _("Two play: two tricks and one"), [_played({0: 2, 1: 1})], pot=pot),
        Case("bete", _("Three play: two tricks, one, and none"), [_played({0: 2, 1: 1, 2: 0})], pot=pot),
        Case("odd", _("A pot that does not divide by three"), [_played({0: 2, 1: 1})], pot=pot + coin),
        Case("walkover", _("One player alone says mit"), [{**_CUT, "players": [0]}], pot=pot + coin),
        Case("nobody", _("Nobody plays"), [{**_CUT, "players": []}], pot=pot),
        Case("hop", _("The cut shows an ace: a hop; then two play"),
             [{**_played({1: 2, 2: 1}), "cuts": ["A", "x"]}], pot=pot),
        Case("jump", _("The cut shows the Belli: a jump; then two play"),
             [{**_played({1: 2, 2: 1}), "cuts": ["B", "x"]}], pot=pot),
        Case("lost", _("A player with one trick loses the Belli to the trump ace"),
             [{**_played({0: 2, 1: 1}), "seven_lost": 1}], pot=pot),
        Case("limit", _("A big pot: one player takes all tricks, two have none"), [_played({0: 3, 1: 0, 2: 0})],
             pot=_big_pot(rules, other, coin)),
        Case("exchange", _("A player exchanges two cards"), [_EXCHANGE], seats=3, pot=pot, dealer=0, asks=True),
        Case("trump", _("A player who cannot follow suit does not trump"), [_NO_TRUMP], seats=3, pot=pot, dealer=0,
             asks=True),
        Case("beat", _("A player follows a plain suit lower than need be"), [_LOW], seats=3, pot=pot, dealer=0,
             asks=True),
        Case("beat-trump", _("A player trumps lower than need be"), [_LOW_TRUMP], seats=4, pot=pot, dealer=0,
             asks=True),
    ]  # fmt: skip


_CUT: Record = {"cuts": ["x"]}


def _played(tricks: dict[int, int], *, forced: bool = False) -> Record:
    """A hand with these tricks of the seats that play; in a forced one all do."""
    return {**_CUT, **({} if forced else {"players": [*tricks]}), "tricks": counted(tricks)}


def _big_pot(rules: Rules, other: Rules | None, coin: int) -> int:
    """A pot as high as the limit, where there is one; else as sixty stakes."""
    limit = rules["pot_limit"] or (other["pot_limit"] if other else None) or 60 * rules["stake"]
    return multiple(int(limit), THIRDS * coin)


def _cards(hands: list[list[str]], says: dict[int, str], play: list[list[str]], **more: Any) -> Record:
    """A hand with its cards, dealt by seat 0; clubs are trump."""
    answers = [[seat, says[seat]] for seat in [*range(1, len(hands)), 0]]
    return {"cuts": ["9s"], "deal": {"hands": hands, "turned": "9c"}, "answers": answers, "play": play, **more}


_TWO = {1: "mit", 2: "mit", 0: "weg"}
_OUT = ["8s", "9s", "Th"]
_NO_TRUMP = _cards([_OUT, ["Ah", "Kh", "Qh"], ["8c", "Ks", "Qs"]], _TWO, [["Ah", "Ks"], ["Kh", "Qs"], ["Qh", "8c"]])
_LOW = _cards([_OUT, ["Jh", "Kd", "Qd"], ["Ah", "7h", "Ks"]], _TWO, [["Jh", "7h"], ["Kd", "Ks"], ["Qd", "Ah"]])
_LOW_TRUMP = _cards(
    [_OUT, ["Ah", "Kd", "Qd"], ["Tc", "8d", "9d"], ["8c", "Kc", "7s"]],
    {1: "mit", 2: "mit", 3: "mit", 0: "weg"},
    [["Ah", "Tc", "8c"], ["8d", "Kc", "Kd"], ["7s", "Qd", "9d"]],
)
_EXCHANGE = _cards(
    [_OUT, ["Ah", "8d", "9d"], ["8c", "Ks", "Qs"]],
    _TWO,
    [["Ah", "8c"], ["Ks", "Kh"], ["Qs", "Qh"]],
    exchanges=[{"seat": 1, "discard": ["8d", "9d"], "draw": ["Kh", "Qh"]}],
)


def under(record: Record, rules: Rules, old: Result | None = None) -> Record:
    """Return the fields of a hand as a record under these house rules has them.

    Without cuts that move the deal a record has none; where they do, a hand without cuts had one without effect. A
    tally names nobody for the Belli where it costs nothing. `old` is the result of a stored hand: if all had to play in
    it and its new pot (`pot_before`) holds more than stakes, then all said mit.
    """
    new_record = dict(record)
    if not rules["cut_moves"]:
        new_record.pop("cuts", None)
    elif not new_record.get("cuts"):
        new_record["cuts"] = [*_CUT["cuts"]]
    if not (rules["seven"] and rules["seven_lost"] == "stake"):
        new_record.pop("seven_lost", None)
    if old is not None and old["muss"] and new_record["pot_before"] and "deal" not in new_record:
        new_record["players"] = [*old["joiners"]]
    return new_record


def _players(count: int) -> str:
    return ngettext("a player", "%(n)d players, each", count) % {"n": count}


CONTRACT = Contract(
    form=ZwickenRules,
    keys=rule_sentences.KEYS,
    sentences=rule_sentences.sentences,
    clauses=clauses,
    cases=cases,
    parts=Parts(
        declarer="",
        plays=_players,
        forced=gettext_lazy("then a forced hand"),
        free=gettext_lazy("then a free hand"),
        intro=gettext_lazy(
            "Five at the table unless it says otherwise; the dealer's stake is already in the pot. Whoever is not "
            "named pays nothing more."
        ),
    ),
    passed_out={"players": []},
    under=under,
)
