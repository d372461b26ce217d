"""The rules of the games as a library: it replays a hand record and returns the result or the first fault.

The package needs the standard library only. The rulebooks in docs/rulebook/ are the norm: code that checks a clause
cites it.
"""

from engine.cuts import Cuts
from engine.effects import Effect, effects
from engine.errors import Fault
from engine.game import Due
from engine.games import GAMES, RULE_DEFAULTS
from engine.pot import Unbalanced, check_balanced
from engine.replay import after_cuts, ante_of_deal, due, effective_rules, pot_in_play, replay, replay_line

__all__ = [
    "GAMES",
    "RULE_DEFAULTS",
    "Cuts",
    "Due",
    "Effect",
    "Fault",
    "Unbalanced",
    "after_cuts",
    "ante_of_deal",
    "check_balanced",
    "due",
    "effective_rules",
    "effects",
    "pot_in_play",
    "replay",
    "replay_line",
]
