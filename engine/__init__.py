"""The rules of Chratze and Kratzen as a library: a hand record in, its result or its first fault out.

Standard library only. The rulebooks in docs/rulebook/ are the norm; every clause they name is cited by the code
that checks it.
"""

from engine.errors import Fault
from engine.kratzen import Cuts
from engine.pot import Unbalanced, check_balanced
from engine.replay import Due, after_cuts, ante_of_deal, due, effective_rules, pot_in_play, replay, replay_line
from engine.rules import GAMES, RULE_DEFAULTS

__all__ = [
    "GAMES",
    "RULE_DEFAULTS",
    "Cuts",
    "Due",
    "Fault",
    "Unbalanced",
    "after_cuts",
    "ante_of_deal",
    "check_balanced",
    "due",
    "effective_rules",
    "pot_in_play",
    "replay",
    "replay_line",
]
