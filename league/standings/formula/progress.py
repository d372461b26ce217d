"""The progress of a season's ranking: the race before its newest evening, kept in the memory of the process that
counted it.

A count after a hand continues from there, so it costs the players × the evenings since, not all evenings of the season.
A process without a kept race, or with an outdated one, ranks from the first evening on: the result is
the same.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import TypeAlias

from .inputs import Circumstances
from .parts import Formula
from .ranking import Race

MAX_SEASONS = 8
"""The seasons whose race a process keeps. A race has a few hundred bytes for each evening of each player."""

Stamp: TypeAlias = "tuple[int, datetime | None]"
"""Counted mark and time of a stored count. No two counts of a season have the same."""
Position: TypeAlias = "tuple[date, int]"
"""Date and number of an evening: their order in a season."""


@dataclass(frozen=True)
class Progress:
    """A race after the evening at `position`, with the inputs of its making. Immutable: a count works on a copy."""

    formula: Formula
    circumstances: Circumstances
    position: Position
    race: Race


_KEPT: OrderedDict[int, tuple[Stamp, Progress]] = OrderedDict()


def keep(season_id: int, progress: Progress | None, *, now: Stamp) -> None:
    """Keep the progress of the count `now`; without one drop that of an earlier count."""
    _KEPT.pop(season_id, None)
    if progress is not None:
        _KEPT[season_id] = (now, progress)
    while len(_KEPT) > MAX_SEASONS:
        _KEPT.popitem(last=False)


def unchanged(season_id: int, stamp: Stamp | None) -> Progress | None:
    """Return the progress of the count with this stamp, for a count that ranks nothing: it is still valid."""
    known: Mapping[int, tuple[Stamp, Progress]] = _KEPT
    entry = known.get(season_id)
    return entry[1] if entry is not None and entry[0] == stamp else None


def kept(
    season_id: int, *, stamp: Stamp, formula: Formula, circumstances: Circumstances, changed: Position
) -> Progress | None:
    """Return the progress of the count with this stamp; None if one of its inputs changed. `changed`: the
    first evening that changed."""
    progress = unchanged(season_id, stamp)
    if progress is None:
        return None
    same = (progress.formula, progress.circumstances) == (formula, circumstances)
    return progress if same and progress.position < changed else None


def all_kept() -> dict[int, tuple[Stamp, Progress]]:
    """Return the kept races by season, for a process with several databases (`bench/`)."""
    return dict(_KEPT)


def recall(known: Mapping[int, tuple[Stamp, Progress]]) -> None:
    """Replace all kept races by `known` (from `all_kept`)."""
    _KEPT.clear()
    _KEPT.update(known)
