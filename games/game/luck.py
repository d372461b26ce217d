"""How the luck of a hand is measured: its situation, and how another outcome would have been settled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..engine_bridge import Record, Result


def nothing_apart(result: Result) -> Sequence[int]:
    """Return the changes of a hand in which tricks and goals decide everything."""
    return [0] * len(result["deltas"])


@dataclass(frozen=True)
class Luck:
    """How the hands of a game are measured (`league.luck`).

    `call` returns what was said, as situations have it. `tally` returns the fields of a tally that say who plays and
    what was said, without tricks and without those of every game. `apart` returns the change of each seat, in Rappen,
    that is paid besides and stays the same in every outcome.
    """

    call: Callable[[Record, Result], str]
    tally: Callable[[Record, Result], Record]
    apart: Callable[[Result], Sequence[int]] = nothing_apart
