"""K8: who takes the quarters of the pot, who pays into it, and what comes next."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.kratzen.choosing import Chosen
from engine.kratzen.cutting import Cuts, is_muss
from engine.kratzen.playing import Played
from engine.pot import Booked, book, equal_shares, limited
from engine.record import KratzenTable
from engine.rules import KratzenRules
from engine.tricks import TRICKS

TO_DECLARER: Final = "declarer"
"""``remainder``: what does not divide goes to the declarer."""


class Settled(NamedTuple):
    """A whole hand, verified: who played, the tricks, the money and what comes next. Amounts in Rappen."""

    chosen: Chosen
    tricks: list[int]
    pot: int
    booked: Booked
    next_dealer: int
    next_muss: bool


def settle(table: KratzenTable, antes: tuple[int, ...], cuts: Cuts, chosen: Chosen, played: Played) -> Settled:
    """K8: the payouts from the pot, then the penalties, the next pot and the next dealer (K8.6, K8.7)."""
    rules = table.rules
    pot = table.pot_before + sum(antes) + sum(cuts.payments)
    at_stake = played_for(rules, pot, chosen.muss)
    payouts: dict[int, int] = {}
    penalties: Mapping[int, int] = {}
    if chosen.declarer is not None:
        if not chosen.muss:
            payouts = pay_out(rules, at_stake, chosen.declarer, chosen.joiners, played.tricks)
        left = pot - sum(payouts.values())
        penalties = penalise(rules, at_stake, left, chosen, played)
    moved = (("ante", _paid(antes)), ("cut", _paid(cuts.payments)), ("payout", payouts), ("penalty", penalties))
    booked = book(table.seats, table.pot_before, moved)
    next_dealer = (cuts.dealer + 1) % table.seats
    return Settled(chosen, played.tricks, pot, booked, next_dealer, is_muss(rules, booked.pot_after))


def _paid(amounts: tuple[int, ...]) -> dict[int, int]:
    return {seat: -amount for seat, amount in enumerate(amounts)}


def played_for(rules: KratzenRules, pot: int, muss: bool) -> int:
    """K8.5: the whole pot, or half of a free hand's large one in whole coins, in Rappen."""
    if muss or rules.split_over is None or pot <= rules.split_over:
        return pot
    half, _stays_in_pot = equal_shares(pot, 2, rules.coin)
    return half


def pay_out(rules: KratzenRules, at_stake: int, declarer: int, joiners: list[int], tricks: list[int]) -> dict[int, int]:
    """K8.2, K8.3: what each seat takes, in Rappen: a quarter a trick, and perhaps the remainder."""
    quarter, remainder = equal_shares(at_stake, TRICKS, rules.coin)
    if joiners:
        payouts = {seat: quarter * count for seat, count in enumerate(tricks)}
    else:
        payouts = {declarer: quarter * TRICKS}
    if rules.remainder == TO_DECLARER:
        payouts[declarer] += remainder
    return payouts


def penalise(rules: KratzenRules, at_stake: int, left: int, chosen: Chosen, played: Played) -> Mapping[int, int]:
    """K8.4: what each seat that failed pays (negative), in Rappen; a limit looks at what is left in the pot."""
    if not chosen.joiners:
        return {}
    due = {
        seat: -2 * at_stake if seat == chosen.declarer else -at_stake
        for seat in chosen.active
        if seat not in played.made
    }
    return limited(due, rules.pot_limit, left, rules.coin)
