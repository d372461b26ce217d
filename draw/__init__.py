"""The draw of a tournament as a library: the seating of each round.

The package needs the standard library only. The same input gives the same output on every machine.
"""

from draw.bounds import REASONS
from draw.changes import redraw_round, swap
from draw.judge import judge
from draw.model import (
    MODES,
    ORDERS,
    Changes,
    Entrant,
    Mode,
    Move,
    Order,
    PastRound,
    Plan,
    Report,
    Round,
    Sizes,
    Slip,
    Table,
)
from draw.plans import plan
from draw.rounds import draw_round
from draw.sizes import table_sizes
from draw.slip_order import round_of_slips, slips

__all__ = [
    "MODES",
    "ORDERS",
    "REASONS",
    "Changes",
    "Entrant",
    "Mode",
    "Move",
    "Order",
    "PastRound",
    "Plan",
    "Report",
    "Round",
    "Sizes",
    "Slip",
    "Table",
    "draw_round",
    "judge",
    "plan",
    "redraw_round",
    "round_of_slips",
    "slips",
    "swap",
    "table_sizes",
]
