"""Kratzen, one module for each section of its rulebook (`cutting` holds K2 and K3).

Each step checks its clauses (a `Fault` cites the broken one), applies the moves, and passes a frozen result to the
next step.
"""

from typing import Any

from engine.kratzen.choosing import Chosen, choose, tally_choice
from engine.kratzen.cutting import Cuts, antes, cut, is_muss
from engine.kratzen.dealing import deal
from engine.kratzen.players import check_players
from engine.kratzen.playing import play, tally_tricks
from engine.kratzen.settlement import settle
from engine.record import KratzenFull, KratzenTally

__all__ = ["Chosen", "Cuts", "antes", "check_players", "cut", "is_muss", "replay_hand"]


def replay_hand(hand: KratzenTally | KratzenFull) -> dict[str, Any]:
    """Replay a hand of Kratzen from the antes to the next pot; raise `Fault` for the first broken clause."""
    table = hand.table
    check_players(table.seats, table.dealer)
    muss = is_muss(table.rules, table.pot_before)
    paid = antes(table.rules, seats=table.seats, dealer=table.dealer, muss=muss)
    is_tally = isinstance(hand, KratzenTally)
    cuts = cut(table.rules, seats=table.seats, dealer=table.dealer, cuts=table.cuts, with_symbols=is_tally)
    if isinstance(hand, KratzenTally):
        chosen = tally_choice(hand, cuts.dealer, muss)
        played = tally_tricks(hand, chosen)
    else:
        dealt = deal(hand, cuts.dealer)
        chosen, trump = choose(hand, dealt, cuts.dealer, muss)
        played = play(hand, dealt, chosen, trump, cuts.dealer)
    return settle(table, paid, cuts, chosen, played)
