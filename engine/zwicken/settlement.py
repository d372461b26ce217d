"""Z7: payouts by thirds of the pot, bêtes, the seven of Schellen, the next pot and the next dealer."""

from collections.abc import Iterable, Sequence
from typing import Any

from engine.cuts import Cuts
from engine.pot import book, equal_shares, limit_penalties
from engine.zwicken.players import GOAL, TRICKS
from engine.zwicken.playing import Played
from engine.zwicken.record import Table
from engine.zwicken.rules import DEALER, POT, HouseRules
from engine.zwicken.speaking import Spoken, is_forced


def settle(table: Table, antes: Sequence[int], cuts: Cuts, spoken: Spoken, played: Played) -> dict[str, Any]:
    """Settle a hand: payouts, then payments, the next pot and the next dealer (Z4.3, Z7).

    Return the result that docs/rulebook/hand-record.md defines; amounts in Rappen.
    """
    rules, seats, players = table.rules, table.seats, spoken.players
    pot = table.pot_before + sum(antes) + sum(cuts.payments)
    payouts = pay_out(rules, pot, cuts.dealer, players, played.tricks)
    outcome, betes, sevens = "passed_out", list[int](), list[int]()
    if players:
        outcome = "played" if len(players) > 1 else "walkover"
    if len(players) > 1:
        betes = pay_in(rules, pot, pot - sum(payouts), players, played.tricks)
        sevens = [-rules.stake if seat == played.seven_lost else 0 for seat in range(seats)]
    movements = (
        ("ante", _negative(antes)),
        ("cut", _negative(cuts.payments)),
        ("payout", payouts),
        ("penalty", betes),
        ("seven", sevens),
    )
    lines, deltas = book(seats, movements)
    pot_after = table.pot_before - sum(deltas)
    return {
        "ok": True,
        "outcome": outcome,
        "declarer": None,
        "joiners": players,
        "muss": spoken.forced,
        "pot": pot,
        "tricks": played.tricks,
        "lines": lines,
        "deltas": deltas,
        "pot_after": pot_after,
        "next": {"dealer": (cuts.dealer + 1) % seats, "deal_number": 1, "muss": is_forced(pot_after)},
        "susi": None,
        "blind": None,
    }


def _negative(amounts: Iterable[int]) -> list[int]:
    return [-amount for amount in amounts]


def pay_out(rules: HouseRules, pot: int, dealer: int, players: Sequence[int], tricks: Sequence[int]) -> list[int]:
    """Return the payout of each seat from the pot P, in Rappen: a third for each trick (Z4.3, Z7.1)."""
    if len(players) > 1:
        third, _stays_in_pot = equal_shares(pot, TRICKS, rules.coin)
        return [third * count for count in tricks]
    payouts = [0] * len(tricks)
    if players:
        payouts[players[0]] = pot
    elif rules.nobody == DEALER:
        payouts[dealer], _stays_in_pot = equal_shares(pot, 1, rules.coin)
    return payouts


def pay_in(rules: HouseRules, pot: int, left: int, players: Sequence[int], tricks: Sequence[int]) -> list[int]:
    """Return the bête of each seat (0 or negative), in Rappen, reduced by the limit of the pot (Z7.2).

    ``left`` is the pot after the payouts. The limit does not reduce what Z7.3 asks.
    """
    bete = pot if rules.bete == POT else rules.stake
    betes = [-bete if seat in players and count < GOAL else 0 for seat, count in enumerate(tricks)]
    return betes if rules.pot_limit is None else [*limit_penalties(betes, rules.pot_limit, left, rules.coin)]
