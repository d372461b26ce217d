"""Chratze, one file a section of its rulebook: every step verifies (a `Fault` cites the clause), applies, and
hands a frozen fact to the next."""

from typing import Any

from engine.chratze.dealing import ante_of_deal, deal
from engine.chratze.players import check_players, check_seats
from engine.chratze.playing import play, tally_tricks
from engine.chratze.settlement import settle
from engine.chratze.speaking import speak, tally_speaking
from engine.record import Full, Tally

__all__ = ["ante_of_deal", "check_seats", "replay_hand"]


def replay_hand(hand: Tally | Full) -> dict[str, Any]:
    """A hand of Chratze from the deal to the next pot; a `Fault` for the first clause that it breaks."""
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
