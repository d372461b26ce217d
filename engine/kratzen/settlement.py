"""K8: who takes the quarters of the pot, who pays into it, and what comes next."""

from collections.abc import Sequence
from typing import Any, Final

from engine.kratzen.choosing import Chosen
from engine.kratzen.cutting import Cuts, is_muss
from engine.kratzen.playing import Played
from engine.pot import book, equal_shares, limited
from engine.record import KratzenTable
from engine.rules import KratzenRules
from engine.tricks import TRICKS

TO_DECLARER: Final = "declarer"
"""``remainder``: what does not divide goes to the declarer."""


def settle(table: KratzenTable, antes: tuple[int, ...], cuts: Cuts, chosen: Chosen, played: Played) -> dict[str, Any]:
    """K8: the payouts from the pot, then the penalties, the next pot and the next dealer (K8.6, K8.7): the result of
    the hand.

    Its shape is docs/rulebook/hand-record.md's; amounts in Rappen.
    """
    rules = table.rules
    pot = table.pot_before + sum(antes) + sum(cuts.payments)
    at_stake = played_for(rules, pot, chosen.muss)
    outcome = "passed_out"
    payouts: list[int] = []
    penalties: Sequence[int] = ()
    if chosen.declarer is not None:
        outcome = "played" if chosen.joiners else "walkover"
        if not chosen.muss:
            payouts = pay_out(rules, at_stake, chosen.declarer, chosen.joiners, played.tricks)
        penalties = penalise(rules, at_stake, pot - sum(payouts), chosen, played)
    moved = (("ante", _paid(antes)), ("cut", _paid(cuts.payments)), ("payout", payouts), ("penalty", penalties))
    lines, deltas = book(table.seats, moved)
    pot_after = table.pot_before - sum(deltas)
    next_dealer = (cuts.dealer + 1) % table.seats
    return {
        "ok": True,
        "outcome": outcome,
        "declarer": chosen.declarer,
        "joiners": chosen.joiners,
        "muss": chosen.muss,
        "pot": pot,
        "tricks": played.tricks,
        "lines": lines,
        "deltas": deltas,
        "pot_after": pot_after,
        "next": {"dealer": next_dealer, "deal_number": 1, "muss": is_muss(rules, pot_after)},
        "susi": None,
        "blind": None,
    }


def _paid(amounts: tuple[int, ...]) -> list[int]:
    return [-amount for amount in amounts]


def played_for(rules: KratzenRules, pot: int, muss: bool) -> int:
    """K8.5: the whole pot, or half of a free hand's large one in whole coins, in Rappen."""
    if muss or rules.split_over is None or pot <= rules.split_over:
        return pot
    half, _stays_in_pot = equal_shares(pot, 2, rules.coin)
    return half


def pay_out(rules: KratzenRules, at_stake: int, declarer: int, joiners: list[int], tricks: list[int]) -> list[int]:
    """K8.2, K8.3: what each seat takes, in Rappen, by seat: a quarter a trick, and perhaps the remainder.

    The tricks that nobody plays in a walkover are the declarer's.
    """
    quarter, remainder = equal_shares(at_stake, TRICKS, rules.coin)
    payouts = [quarter * count for count in tricks]
    if not joiners:
        payouts[declarer] = quarter * TRICKS
    if rules.remainder == TO_DECLARER:
        payouts[declarer] += remainder
    return payouts


def penalise(rules: KratzenRules, at_stake: int, left: int, chosen: Chosen, played: Played) -> Sequence[int]:
    """K8.4: what each seat that failed pays (negative), in Rappen, by seat; a limit looks at what is left in the
    pot."""
    if not chosen.joiners:
        return ()
    due = [0] * len(played.tricks)
    for seat in chosen.active:
        if seat not in played.made:
            due[seat] = -2 * at_stake if seat == chosen.declarer else -at_stake
    return due if rules.pot_limit is None else limited(due, rules.pot_limit, left, rules.coin)
