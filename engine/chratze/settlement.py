"""C6: who takes the pot, who pays into it, and what comes next."""

from collections.abc import Sequence
from typing import Any

from engine.chratze.dealing import ante_of_deal, next_office
from engine.chratze.playing import Played
from engine.chratze.speaking import Spoken, last_asked
from engine.pot import book, equal_shares, limited, two_thirds
from engine.record import Table
from engine.rules import HouseRules


def settle(table: Table, spoken: Spoken, played: Played) -> dict[str, Any]:
    """C6: the payouts from the pot, then the penalties, the next pot and the next dealer: the result of the hand.

    Its shape is docs/rulebook/hand-record.md's; amounts in Rappen.
    """
    rules, seats, _, pot_before, deal_number, blind = table
    declarer, joiners = spoken
    ante = ante_of_deal(rules, deal_number)
    pot = pot_before + ante * seats
    moved: list[tuple[str, Sequence[int]]] = [("ante", [-ante] * seats)]
    outcome, susi = "passed_out", None
    if declarer is not None:
        outcome = "played" if joiners else "walkover"
        payouts = pay_out(rules, seats, pot, declarer, played)
        moved.append(("payout", payouts))
        if joiners:
            penalties: Sequence[int] = penalties_due(seats, pot, declarer, joiners, played)
            if rules.pot_limit is not None:
                penalties = limited(penalties, rules.pot_limit, pot - sum(payouts), rules.coin)
            moved.append(("penalty", penalties))
        elif rules.susi == "label":
            susi = last_asked(table, declarer)
    lines, deltas = book(seats, moved)
    next_dealer, next_deal_number = next_office(table, declarer)
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
    """C6.3 to C6.6: what each seat takes from the pot P, in Rappen, by seat."""
    _, declarer_made, winners = played
    payouts = [0] * seats
    if not winners:  # nobody joined, or the declarer alone made it
        payouts[declarer] = pot
        return payouts
    share = pot
    if declarer_made:
        thirds = two_thirds(pot, rules.rounding)
        share, odd = equal_shares(pot - thirds, len(winners), rules.coin)
        payouts[declarer] = thirds + odd
    elif len(winners) > 1:
        share, _stays_in_pot = equal_shares(pot, len(winners), rules.coin)
    for seat in winners:
        payouts[seat] = share
    return payouts


def penalties_due(seats: int, pot: int, declarer: int, joiners: Sequence[int], played: Played) -> list[int]:
    """C6.7: what each seat that failed owes (negative), in Rappen, by seat; reckoned from P, before any limit."""
    _, declarer_made, winners = played
    due = [0] * seats
    if not declarer_made:
        due[declarer] = -2 * pot
    for seat in joiners:
        if seat not in winners:
            due[seat] = -pot
    return due
