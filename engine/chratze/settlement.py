"""C6: payouts, penalties, the next pot and the next dealer."""

from collections.abc import Sequence
from typing import Any

from engine.chratze.dealing import ante_of_deal, next_deal
from engine.chratze.playing import Played
from engine.chratze.record import Table
from engine.chratze.rules import HouseRules
from engine.chratze.speaking import Spoken, last_to_answer
from engine.pot import book, equal_shares, limit_penalties, two_thirds


def settle(table: Table, spoken: Spoken, played: Played) -> dict[str, Any]:
    """Settle a hand: payouts, then penalties, the next pot and the next dealer (C6).

    Return the result that docs/rulebook/hand-record.md defines; amounts in Rappen.
    """
    rules, seats, _, pot_before, deal_number, blind = table
    declarer, joiners = spoken
    ante = ante_of_deal(rules, deal_number)
    pot = pot_before + ante * seats
    movements: list[tuple[str, Sequence[int]]] = [("ante", [-ante] * seats)]
    outcome, susi = "passed_out", None
    if declarer is not None:
        outcome = "played" if joiners else "walkover"
        payouts = pay_out(rules, seats, pot, declarer, played)
        movements.append(("payout", payouts))
        if joiners:
            penalties: Sequence[int] = penalties_before_limit(seats, pot, declarer, joiners, played)
            if rules.pot_limit is not None:
                penalties = limit_penalties(penalties, rules.pot_limit, pot - sum(payouts), rules.coin)
            movements.append(("penalty", penalties))
        elif rules.susi == "label":
            susi = last_to_answer(table, declarer)
    lines, deltas = book(seats, movements)
    next_dealer, next_deal_number = next_deal(table, declarer)
    return {
        "ok": True,
        "outcome": outcome,
        "declarer": declarer,
        "joiners": sorted(joiners),
        "muss": None,
        "pot": pot,
        "tricks": played.tricks,
        "lines": lines,
        "deltas": deltas,
        "pot_after": pot_before - sum(deltas),
        "next": {"dealer": next_dealer, "deal_number": next_deal_number, "muss": None},
        "susi": susi,
        "blind": blind,
    }


def pay_out(rules: HouseRules, seats: int, pot: int, declarer: int, played: Played) -> list[int]:
    """Return the payout of each seat from the pot P, in Rappen (C6.3 to C6.6)."""
    _, declarer_made, winners = played
    payouts = [0] * seats
    if not winners:  # nobody joined, or only the declarer made his goal
        payouts[declarer] = pot
        return payouts
    share = pot
    if declarer_made:
        thirds = two_thirds(pot, rules.rounding)
        share, remainder = equal_shares(pot - thirds, len(winners), rules.coin)
        payouts[declarer] = thirds + remainder
    elif len(winners) > 1:
        share, _stays_in_pot = equal_shares(pot, len(winners), rules.coin)
    for seat in winners:
        payouts[seat] = share
    return payouts


def penalties_before_limit(seats: int, pot: int, declarer: int, joiners: Sequence[int], played: Played) -> list[int]:
    """Return the penalty of each seat (0 or negative), in Rappen: computed from P, before any limit (C6.7)."""
    _, declarer_made, winners = played
    penalties = [0] * seats
    if not declarer_made:
        penalties[declarer] = -2 * pot
    for seat in joiners:
        if seat not in winners:
            penalties[seat] = -pot
    return penalties
