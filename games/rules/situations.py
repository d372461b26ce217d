"""Worked situations: the outcome of a set of house rules in francs, computed by the engine.

A case is a short run of hands at one table. It is played under one set of rules, or under two that are compared. Its
first pot follows from the first set, so that both play the same case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from .. import engine_bridge
from ..engine_bridge import Record, Result
from ..hands import clause_sentences

Rules = Mapping[str, Any]


@dataclass(frozen=True)
class Case:
    """A run of hands: each record has only the fields that the chain does not give; `pot` is the first pot, in
    Rappen."""

    key: str
    title: str
    hands: Sequence[Record]
    seats: int = 5
    pot: int = 0
    dealer: int | None = None
    """The last seat if None."""
    asks: bool = False
    """True if the case shows whether something is allowed, not the amounts."""


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
    for hand in case.hands:
        record, _differs = engine_bridge.complete(start, hand)
        result = engine_bridge.replay(record)
        if not result["ok"]:
            return Outcome(refused=clause_sentences.sentence(result["error"]["clause"]))
        start = start.after(result)
    if case.asks:
        return Outcome(notes=(_("allowed"),))
    return Outcome(
        pot_minor=result["pot"],
        shares=tuple(_shares(result, game)),
        notes=tuple(_notes(result, start, same_dealer=start.dealer == dealer)),
        left_minor=result["pot_after"],
        next_pot_minor=engine_bridge.pot_in_play(start),
    )


def _shares(result: Result, game: str) -> list[Share]:
    """Cuts, payouts and penalties, grouped by amount; antes are left out."""
    cut = [-line["amount"] for line in result["lines"] if line["kind"] == "cut"]
    shares = [
        Share(ngettext("a player, for the cut", "%(n)d players, each for the cut", count) % {"n": count}, -amount)
        for amount in sorted(set(cut))
        for count in [cut.count(amount)]
    ]
    for kind in ("payout", "penalty"):
        amounts = {line["seat"]: line["amount"] for line in result["lines"] if line["kind"] == kind}
        if result["declarer"] in amounts:
            who = pgettext("kratzen", "declarer") if game == engine_bridge.KRATZEN else _("declarer")
            shares.append(Share(who, amounts.pop(result["declarer"])))
        for amount in sorted(set(amounts.values()), reverse=True):
            count = sum(each == amount for each in amounts.values())
            shares.append(Share(ngettext("a joiner", "%(n)d joiners, each", count) % {"n": count}, amount))
    return shares


def _notes(result: Result, following: engine_bridge.Start, *, same_dealer: bool) -> list[str]:
    notes = []
    if result["outcome"] == "passed_out":
        who = _("the same dealer deals again") if same_dealer else _("the next player deals")
        counted = _("deal %(n)d") % {"n": following.deal_number}
        notes.append(f"{who}, {counted}" if following.deal_number > 1 else who)
    if result["susi"] is not None:
        notes.append(_("the last one asked is the Susi"))
    if result["muss"] is not None:
        notes.append(_("then a Muss") if result["next"]["muss"] else _("then a free hand"))
    return notes
