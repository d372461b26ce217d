"""The rules of Chratze as a library: a hand record in, its result or its first fault out.

Standard library only. The rulebook in docs/rulebook/ is the norm; every clause it names is cited by the code
that checks it.
"""

from engine.errors import Fault
from engine.pot import Unbalanced, check_balanced
from engine.replay import ante_of_deal, effective_rules, pot_in_play, replay, replay_line
from engine.rules import GAMES, RULE_DEFAULTS

__all__ = [
    "GAMES",
    "RULE_DEFAULTS",
    "Fault",
    "Unbalanced",
    "ante_of_deal",
    "check_balanced",
    "effective_rules",
    "pot_in_play",
    "replay",
    "replay_line",
]
