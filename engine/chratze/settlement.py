"""C6: who takes the pot, who pays into it, and what comes next."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from engine.chratze.dealing import ante_of_deal, next_office
from engine.chratze.playing import Played
from engine.chratze.speaking import Spoken, last_asked
from engine.pot import Booked, book, equal_shares, limited, two_thirds
from engine.record import Table
from engine.rules import HouseRules


class Settled(NamedTuple):
    """A whole hand, verified: who played, the tricks, the money and what comes next. Amounts in Rappen."""

    spoken: Spoken
    tricks: list[int] | None
    pot: int
    booked: Booked
    next_dealer: int
    next_deal_number: int
    susi: int | None
    blind: str | None


def settle(table: Table, spoken: Spoken, played: Played) -> Settled:
    """C6: the payouts from the pot, then the penalties, the next pot and the next dealer."""
    rules = table.rules
    ante = ante_of_deal(rules, table.deal_number)
    pot = table.pot_before + ante * table.seats
    payouts: dict[int, int] = {}
    penalties: Mapping[int, int] = {}
    susi = None
    if spoken.declarer is not None:
        payouts = pay_out(rules, pot, spoken.declarer, spoken.joiners, played.made)
        if spoken.joiners:
            left = pot - sum(payouts.values())
            penalties = penalise(rules, pot, left, spoken.declarer, spoken.joiners, played.made)
        elif rules.susi == "label":
            susi = last_asked(table, spoken.declarer)
    antes = dict.fromkeys(range(table.seats), -ante)
    moved = (("ante", antes), ("payout", payouts), ("penalty", penalties))
    booked = book(table.seats, table.pot_before, moved)
    next_dealer, next_deal_number = next_office(table, spoken.declarer)
    return Settled(spoken, played.tricks, pot, booked, next_dealer, next_deal_number, susi, table.blind)


def pay_out(
    rules: HouseRules, pot: int, declarer: int, joiners: Sequence[int], made: Collection[int]
) -> dict[int, int]:
    """C6.3 to C6.6: what each seat takes from the pot P, in Rappen."""
    if not joiners:
        return {declarer: pot}
    if len(made) == 1:
        return dict.fromkeys(made, pot)
    winners = [seat for seat in joiners if seat in made]
    if declarer not in made:
        share, _stays_in_pot = equal_shares(pot, len(winners), rules.coin)
        return dict.fromkeys(winners, share)
    thirds = two_thirds(pot, rules.rounding)
    share, odd = equal_shares(pot - thirds, len(winners), rules.coin)
    return {declarer: thirds + odd} | dict.fromkeys(winners, share)


def penalise(
    rules: HouseRules, pot: int, left: int, declarer: int, joiners: Sequence[int], made: Collection[int]
) -> Mapping[int, int]:
    """C6.7: what each seat that failed pays (negative), in Rappen; reckoned from P, a limit looks at what is left."""
    if len(made) > len(joiners):
        return {}
    due = {seat: -pot for seat in joiners if seat not in made}
    if declarer not in made:
        due[declarer] = -2 * pot
    return limited(due, rules.pot_limit, left, rules.coin)
