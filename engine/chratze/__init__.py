"""Chratze, one module for each section of its rulebook.

Each step checks its clauses (a `Fault` cites the broken one), applies the moves, and passes a frozen result to the
next step.
"""

from typing import Any

from engine.chratze.dealing import ante_of_deal, deal
from engine.chratze.players import check_players, check_seats
from engine.chratze.playing import play, tally_tricks
from engine.chratze.settlement import settle
from engine.chratze.speaking import speak, tally_speaking
from engine.record import Full, Tally

__all__ = ["ante_of_deal", "check_seats", "replay_hand"]


def replay_hand(hand: Tally | Full) -> dict[str, Any]:
    """Replay a hand of Chratze from the deal to the next pot; raise `Fault` for the first broken clause."""
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
