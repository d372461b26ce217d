"""Kratzen, one module for each section of its rulebook (`cutting` holds K2 and K3).

Each step checks its clauses (a `Fault` cites the broken one), applies the moves, and passes a frozen result to the
next step.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.cuts import Cuts
from engine.game import Due, Game, HandWorth, Start
from engine.kratzen.choosing import choose, tally_choice, was_siebenermuss
from engine.kratzen.cutting import antes, cut, is_muss
from engine.kratzen.dealing import deal
from engine.kratzen.effects import effects
from engine.kratzen.notation import NOTATION
from engine.kratzen.players import (
    FEWEST_SEATS,
    GOALS,
    MOST_SEATS,
    NAME_OF_GAME,
    SEVEN_GOALS,
    TRICKS,
    WELI,
    check_players,
)
from engine.kratzen.playing import play, tally_tricks
from engine.kratzen.record import Tally, check_whole_coins, read
from engine.kratzen.rewind import REWIND
from engine.kratzen.rules import DEFAULTS, house_rules
from engine.kratzen.sample import SAMPLE
from engine.kratzen.settlement import settle
from engine.kratzen.steps import STEPS

__all__ = ["GAME"]


def _replay(record: dict[str, Any]) -> dict[str, Any]:
    """Replay a hand from the antes to the next pot; raise `Fault` for the first broken clause."""
    hand = read(record)
    table = hand.table
    check_players(table.seats, table.dealer)
    muss = is_muss(table.rules, table.pot_before)
    paid = antes(table.rules, seats=table.seats, dealer=table.dealer, muss=muss)
    is_tally = isinstance(hand, Tally)
    cuts = cut(table.rules, seats=table.seats, dealer=table.dealer, cuts=table.cuts, with_symbols=is_tally)
    if isinstance(hand, Tally):
        chosen = tally_choice(hand, cuts.dealer, muss)
        played = tally_tricks(hand, chosen)
    else:
        dealt = deal(hand, cuts.dealer)
        chosen, trump = choose(hand, dealt, cuts.dealer, muss)
        played = play(hand, dealt, chosen, trump, cuts.dealer)
    return settle(table, paid, cuts, chosen, played)


def _due(start: Start) -> Due:
    """Return the antes of a Muss or a free hand (K2.1 to K2.3)."""
    rules = house_rules(start.rules)
    check_whole_coins(rules, start.pot_before)
    check_players(start.seats, start.dealer)
    muss = is_muss(rules, start.pot_before)
    paid = antes(rules, seats=start.seats, dealer=start.dealer, muss=muss)
    return Due(paid, muss, start.pot_before + sum(paid))


def _after_cuts(start: Start, cuts: Sequence[Sequence[str]]) -> Cuts:
    """Return the dealer and the payments after some cuts, finished or not (K3)."""
    rules = house_rules(start.rules)
    check_players(start.seats, start.dealer)
    return cut(rules, seats=start.seats, dealer=start.dealer, cuts=cuts, with_symbols=True, is_over=False)


def _goal_of(record: Mapping[str, Any], result: Mapping[str, Any], seat: int) -> int:
    """Return the tricks that a seat needs in a settled hand (K8.1)."""
    goals = SEVEN_GOALS if was_siebenermuss(record, result) else GOALS
    return goals.declarer if seat == result["declarer"] else goals.joiner


GAME: Final = Game(
    name=NAME_OF_GAME,
    title="Kratzen",
    fewest_seats=FEWEST_SEATS,
    most_seats=MOST_SEATS,
    seats_clause="K1.1",
    tricks=TRICKS,
    goal=GOALS.joiner,
    declarer_goal=GOALS.declarer,
    goal_of=_goal_of,
    defaults=DEFAULTS,
    house_rules=house_rules,
    replay=_replay,
    due=_due,
    ante_of_deal=None,
    after_cuts=_after_cuts,
    effects=effects,
    notation=NOTATION,
    steps=STEPS,
    rewind=REWIND,
    sample=SAMPLE,
    hand_worth=HandWorth("789TJQKA", "789TJQKWA", MOST_SEATS, always_trump=(WELI, "W"), one_trick_pays=True),
)
