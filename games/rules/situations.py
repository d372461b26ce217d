"""Worked situations: what a set of house rules comes to in francs, as the engine reckons it.

A case is a short run of hands at one table. It is played under one set of rules, or under two that are compared; the
pots that are carried in follow from the first set, so that both play the same case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from .. import messages, recording
from ..recording import Record, Result

Rules = Mapping[str, Any]


@dataclass(frozen=True)
class Case:
    """Hands one after the other: each says what differs from the chain; `pot` is carried into the first, in Rappen."""

    key: str
    title: str
    hands: Sequence[Record]
    seats: int = 5
    pot: int = 0
    dealer: int | None = None
    """The last seat where it is not said."""
    asks: bool = False
    """Whether the case asks if something is allowed, rather than what it costs."""


@dataclass(frozen=True)
class Share:
    """What one seat, or each of several alike, takes from the pot (above 0) or pays into it, in Rappen."""

    who: str
    amount_minor: int


@dataclass(frozen=True)
class Outcome:
    """What the last hand of a case comes to. `next_pot_minor` is what the next hand is played for."""

    refused: str = ""
    pot_minor: int = 0
    shares: tuple[Share, ...] = ()
    notes: tuple[str, ...] = ()
    left_minor: int = 0
    next_pot_minor: int = 0


@dataclass(frozen=True)
class Situation:
    """A case under the rules that are shown, and under those they are compared with."""

    case: Case
    now: Outcome
    before: Outcome | None = None

    @property
    def differs(self) -> bool:
        """Whether the two sets of rules part here."""
        return self.before is not None and self.before != self.now


def played(game: str, rules: Rules, case: Case) -> Outcome:
    """The case under these house rules."""
    dealer = case.seats - 1 if case.dealer is None else case.dealer
    start = recording.Start(
        number=1, game=game, rules=rules, seats=case.seats, dealer=dealer, deal_number=1, pot_before=case.pot
    )
    result: Result = {}
    for hand in case.hands:
        record, _differs = recording.complete(start, hand)
        result = recording.replay(record)
        if not result["ok"]:
            return Outcome(refused=messages.sentence(result["error"]["clause"]))
        start = start.after(result)
    if case.asks:
        return Outcome(notes=(_("allowed"),))
    return Outcome(
        pot_minor=result["pot"],
        shares=tuple(_shares(result, game)),
        notes=tuple(_notes(result, start, same_dealer=start.dealer == dealer)),
        left_minor=result["pot_after"],
        next_pot_minor=recording.pot_in_play(start),
    )


def _shares(result: Result, game: str) -> list[Share]:
    """Cuts, payouts, penalties; who move the same amount stand together. Antes are not among them."""
    cut = [-line["amount"] for line in result["lines"] if line["kind"] == "cut"]
    shares = [
        Share(ngettext("a player, for the cut", "%(n)d players, each for the cut", count) % {"n": count}, -amount)
        for amount in sorted(set(cut))
        for count in [cut.count(amount)]
    ]
    for kind in ("payout", "penalty"):
        amounts = {line["seat"]: line["amount"] for line in result["lines"] if line["kind"] == kind}
        if result["declarer"] in amounts:
            who = pgettext("kratzen", "declarer") if game == recording.KRATZEN else _("declarer")
            shares.append(Share(who, amounts.pop(result["declarer"])))
        for amount in sorted(set(amounts.values()), reverse=True):
            count = sum(each == amount for each in amounts.values())
            shares.append(Share(ngettext("a joiner", "%(n)d joiners, each", count) % {"n": count}, amount))
    return shares


def _notes(result: Result, following: recording.Start, *, same_dealer: bool) -> list[str]:
    notes = []
    if result["outcome"] == "passed_out":
        who = _("the same dealer deals again") if same_dealer else _("the next player deals")
        counted = _("deal %(n)d") % {"n": following.deal_number}
        notes.append(f"{who}, {counted}" if following.deal_number > 1 else who)
    if result["susi"] is not None:
        notes.append(_("the last one asked is Susi"))
    if result["muss"] is not None:
        notes.append(_("then a Muss") if result["next"]["muss"] else _("then a free hand"))
    return notes
