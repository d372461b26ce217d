"""Chratze, one module for each section of its rulebook.

Each step checks its clauses (a `Fault` cites the broken one), applies the moves, and passes a frozen result to the
next step.
"""

from collections.abc import Mapping
from typing import Any, Final

from engine.cards import RANKS
from engine.chratze.dealing import ante_of_deal, deal
from engine.chratze.effects import effects
from engine.chratze.notation import NOTATION
from engine.chratze.players import FEWEST_SEATS, GOALS, MOST_SEATS, NAME_OF_GAME, TRICKS, check_players, check_seats
from engine.chratze.playing import play, tally_tricks
from engine.chratze.record import Full, read
from engine.chratze.rewind import REWIND
from engine.chratze.rules import DEFAULTS, house_rules
from engine.chratze.sample import SAMPLE
from engine.chratze.settlement import settle
from engine.chratze.speaking import speak, tally_speaking
from engine.chratze.steps import STEPS
from engine.game import Due, Game, Given, HandWorth, Start

__all__ = ["GAME"]


def _replay(record: dict[str, Any]) -> dict[str, Any]:
    """Replay a hand from the deal to the next pot; raise `Fault` for the first broken clause."""
    hand = read(record)
    table = hand.table
    check_players(table)
    if isinstance(hand, Full):
        dealt = deal(hand)
        spoken = speak(hand)
        played = play(hand, dealt, spoken)
    else:
        spoken = tally_speaking(hand)
        played = tally_tricks(hand, spoken)
    return settle(table, spoken, played)


def _ante_of_deal(rules: Given, deal_number: int) -> int:
    return ante_of_deal(house_rules(rules), deal_number)


def _due(start: Start) -> Due:
    """Return the antes, the same for each seat (C2.1)."""
    ante = _ante_of_deal(start.rules, start.deal_number)
    check_seats(start.seats, start.dealer)
    return Due((ante,) * start.seats, None, start.pot_before + ante * start.seats)


def _goal_of(_record: Mapping[str, Any], result: Mapping[str, Any], seat: int) -> int:
    """Return the tricks that a seat needs in a settled hand (C6.1)."""
    return GOALS.declarer if seat == result["declarer"] else GOALS.joiner


GAME: Final = Game(
    name=NAME_OF_GAME,
    title="Chratze",
    fewest_seats=FEWEST_SEATS,
    most_seats=MOST_SEATS,
    seats_clause="C1.1",
    tricks=TRICKS,
    goal=GOALS.joiner,
    declarer_goal=GOALS.declarer,
    goal_of=_goal_of,
    defaults=DEFAULTS,
    house_rules=house_rules,
    replay=_replay,
    due=_due,
    ante_of_deal=_ante_of_deal,
    after_cuts=None,
    effects=effects,
    notation=NOTATION,
    steps=STEPS,
    rewind=REWIND,
    sample=SAMPLE,
    hand_worth=HandWorth(RANKS, RANKS, MOST_SEATS, always_trump=None, one_trick_pays=False),
)
