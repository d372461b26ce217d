"""Worked situations: the outcome of a set of house rules in francs, computed by the engine.

A case is a short run of hands at one table. It is played under one set of rules, or under two that are compared. Its
first pot follows from the first set, so that both play the same case.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .. import engine_bridge
from ..engine_bridge import Result
from ..game.rule_cases import Case, Parts, Rules
from ..hands import clause_sentences
from ..offered import game_of


@dataclass(frozen=True)
class Share:
    """The amount that one seat, or each of several, takes from the pot (above 0) or pays into it, in Rappen."""

    who: str
    amount_minor: int


@dataclass(frozen=True)
class Outcome:
    """The outcome of the last hand of a case. `next_pot_minor` is the pot of the next hand, with its antes."""

    refused: str = ""
    pot_minor: int = 0
    shares: tuple[Share, ...] = ()
    notes: tuple[str, ...] = ()
    left_minor: int = 0
    next_pot_minor: int = 0


@dataclass(frozen=True)
class Situation:
    """A case under the rules shown, and under the rules they are compared with."""

    case: Case
    now: Outcome
    before: Outcome | None = None

    @property
    def differs(self) -> bool:
        """Return True if the two sets of rules have different outcomes."""
        return self.before is not None and self.before != self.now


def played(game: str, rules: Rules, case: Case) -> Outcome:
    """Play the case under these house rules."""
    dealer = case.seats - 1 if case.dealer is None else case.dealer
    start = engine_bridge.Start(
        number=1, game=game, rules=rules, seats=case.seats, dealer=dealer, deal_number=1, pot_before=case.pot
    )
    result: Result = {}
    contract = game_of(game).texts.contract
    for hand in case.hands:
        record, _differs = engine_bridge.complete(start, contract.under(dict(hand), rules, None))
        result = engine_bridge.replay(record)
        if not result["ok"]:
            return Outcome(refused=clause_sentences.sentence(result["error"]["clause"]))
        start = start.after(result)
    if case.asks:
        return Outcome(notes=(_("allowed"),))
    return Outcome(
        pot_minor=result["pot"],
        shares=tuple(_shares(result, contract.parts)),
        notes=tuple(_notes(result, start, contract.parts, same_dealer=start.dealer == dealer)),
        left_minor=result["pot_after"],
        next_pot_minor=engine_bridge.pot_in_play(start),
    )


def _shares(result: Result, parts: Parts) -> list[Share]:
    """Cuts, payouts, penalties and what is paid besides, grouped by amount; antes are left out."""
    cut = [-line["amount"] for line in result["lines"] if line["kind"] == "cut"]
    shares = [
        Share(ngettext("a player, for the cut", "%(n)d players, each for the cut", count) % {"n": count}, -amount)
        for amount in sorted(set(cut))
        for count in [cut.count(amount)]
    ]
    if result["outcome"] == "passed_out":
        return [
            *shares,
            *(Share(_("the dealer"), entry["amount"]) for entry in result["lines"] if entry["kind"] == "payout"),
        ]
    for kind in ("payout", "penalty", "seven"):
        amounts = {line["seat"]: line["amount"] for line in result["lines"] if line["kind"] == kind}
        if result["declarer"] in amounts:
            shares.append(Share(str(parts.declarer), amounts.pop(result["declarer"])))
        for amount in sorted(set(amounts.values()), reverse=True):
            count = sum(each == amount for each in amounts.values())
            shares.append(Share(parts.plays(count), amount))
    return shares


def _notes(result: Result, following: engine_bridge.Start, parts: Parts, *, same_dealer: bool) -> list[str]:
    notes = []
    if result["outcome"] == "passed_out":
        who = _("the same dealer deals again") if same_dealer else _("the next player deals")
        counted = _("deal %(n)d") % {"n": following.deal_number}
        notes.append(f"{who}, {counted}" if following.deal_number > 1 else who)
    if result["susi"] is not None:
        notes.append(_("the last one asked is the Susi"))
    if result["muss"] is not None:
        notes.append(str(parts.forced if result["next"]["muss"] else parts.free))
    return notes
