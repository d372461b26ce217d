"""Zwicken, one module for each section of its rulebook (`speaking` holds Z4; Z1 is in `players`).

Each step checks its clauses (a `Fault` cites the broken one), applies the moves, and passes a frozen result to the
next step.
"""

from collections.abc import Sequence
from typing import Any, Final

from engine.cuts import Cuts
from engine.game import Due, Game, Start
from engine.zwicken.cutting import antes, cut
from engine.zwicken.dealing import deal
from engine.zwicken.effects import effects
from engine.zwicken.notation import NOTATION
from engine.zwicken.players import FEWEST_SEATS, GOAL, MOST_SEATS, NAME_OF_GAME, TRICKS, check_players
from engine.zwicken.playing import play, tally_tricks
from engine.zwicken.record import Tally, read
from engine.zwicken.rewind import REWIND
from engine.zwicken.rules import DEFAULTS, house_rules
from engine.zwicken.sample import SAMPLE
from engine.zwicken.settlement import settle
from engine.zwicken.speaking import is_forced, speak, tally_players
from engine.zwicken.steps import STEPS

__all__ = ["GAME"]


def _replay(record: dict[str, Any]) -> dict[str, Any]:
    """Replay a hand from the stake to the next pot; raise `Fault` for the first broken clause."""
    hand = read(record)
    table = hand.table
    rules, seats, dealer = table.rules, table.seats, table.dealer
    check_players(seats, dealer)
    paid = antes(rules, seats=seats, dealer=dealer)
    is_tally = isinstance(hand, Tally)
    cuts = cut(rules, seats=seats, dealer=dealer, cuts=table.cuts, with_symbols=is_tally)
    if isinstance(hand, Tally):
        spoken = tally_players(hand)
        played = tally_tricks(hand, spoken)
    else:
        dealt = deal(hand)
        spoken = speak(hand, cuts.dealer)
        played = play(hand, dealt, spoken, cuts.dealer)
    return settle(table, paid, cuts, spoken, played)


def _due(start: Start) -> Due:
    """Return the stake of the dealer (Z2.2); the hand is forced if the pot was empty (Z4.1)."""
    rules = house_rules(start.rules)
    check_players(start.seats, start.dealer)
    paid = antes(rules, seats=start.seats, dealer=start.dealer)
    return Due(paid, is_forced(start.pot_before), start.pot_before + sum(paid))


def _after_cuts(start: Start, cuts: Sequence[str]) -> Cuts:
    """Return the dealer and the payments after some cuts, finished or not (Z2.3)."""
    rules = house_rules(start.rules)
    check_players(start.seats, start.dealer)
    return cut(rules, seats=start.seats, dealer=start.dealer, cuts=cuts, with_symbols=True, is_over=False)


GAME: Final = Game(
    name=NAME_OF_GAME,
    title="Zwicken",
    fewest_seats=FEWEST_SEATS,
    most_seats=MOST_SEATS,
    seats_clause="Z1.1",
    tricks=TRICKS,
    goal=GOAL,
    declarer_goal=None,
    goal_of=lambda _record, _result, _seat: GOAL,
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
    hand_worth=None,
)
