"""K8: payouts by quarters of the pot, penalties, the next pot and the next dealer."""

from collections.abc import Sequence
from typing import Any, Final

from engine.cuts import Cuts
from engine.kratzen.choosing import Chosen
from engine.kratzen.cutting import is_muss
from engine.kratzen.players import TRICKS
from engine.kratzen.playing import Played
from engine.kratzen.record import Table
from engine.kratzen.rules import HouseRules
from engine.pot import book, equal_shares, limit_penalties

TO_DECLARER: Final = "declarer"
"""The value of ``remainder`` that gives the indivisible remainder to the declarer."""


def settle(table: Table, antes: tuple[int, ...], cuts: Cuts, chosen: Chosen, played: Played) -> dict[str, Any]:
    """Settle a hand: payouts, then penalties, the next pot and the next dealer (K8).

    Return the result that docs/rulebook/hand-record.md defines; amounts in Rappen.
    """
    rules = table.rules
    pot = table.pot_before + sum(antes) + sum(cuts.payments)
    at_stake = amount_at_stake(rules, pot, chosen.muss)
    outcome = "passed_out"
    payouts: list[int] = []
    penalties: Sequence[int] = ()
    if chosen.declarer is not None:
        outcome = "played" if chosen.joiners else "walkover"
        if not chosen.muss:
            payouts = pay_out(rules, at_stake, chosen.declarer, chosen.joiners, played.tricks)
        penalties = penalise(rules, at_stake, pot - sum(payouts), chosen, played)
    movements = (
        ("ante", _negative(antes)),
        ("cut", _negative(cuts.payments)),
        ("payout", payouts),
        ("penalty", penalties),
    )
    lines, deltas = book(table.seats, movements)
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


def _negative(amounts: tuple[int, ...]) -> list[int]:
    return [-amount for amount in amounts]


def amount_at_stake(rules: HouseRules, pot: int, muss: bool) -> int:
    """Return the amount at stake, in Rappen: the pot, or half of a large pot in a free hand, in whole coins (K8.5)."""
    if muss or rules.split_over is None or pot <= rules.split_over:
        return pot
    half, _stays_in_pot = equal_shares(pot, 2, rules.coin)
    return half


def pay_out(rules: HouseRules, at_stake: int, declarer: int, joiners: list[int], tricks: list[int]) -> list[int]:
    """Return the payout of each seat, in Rappen: a quarter a trick, and the remainder by house rule (K8.2, K8.3).

    In a walkover the declarer gets all four quarters without play.
    """
    quarter, remainder = equal_shares(at_stake, TRICKS, rules.coin)
    payouts = [quarter * count for count in tricks]
    if not joiners:
        payouts[declarer] = quarter * TRICKS
    if rules.remainder == TO_DECLARER:
        payouts[declarer] += remainder
    return payouts


def penalise(rules: HouseRules, at_stake: int, left: int, chosen: Chosen, played: Played) -> Sequence[int]:
    """Return the penalty of each seat (0 or negative), in Rappen, reduced by the pot limit (K8.4).

    ``left`` is the pot after the payouts.
    """
    if not chosen.joiners:
        return ()
    penalties = [0] * len(played.tricks)
    for seat in chosen.active:
        if seat not in played.made:
            penalties[seat] = -2 * at_stake if seat == chosen.declarer else -at_stake
    return penalties if rules.pot_limit is None else limit_penalties(penalties, rules.pot_limit, left, rules.coin)
