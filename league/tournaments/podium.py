"""The reveal of the podium on the big screen: a place at each tap of the desk, from the last one to the first."""

from __future__ import annotations

from collections.abc import Iterable

from ..models import Round, Tournament
from .formats import Format
from .ranking import Ranking

PLACES = 3


def podium_places(ranking: Ranking) -> list[int]:
    """Return the ranks of the podium in the order of the reveal. Equal entrants share one; teams come before people,
    and who withdrew is not on it."""
    people = (line.rank for line in ranking.lines if not line.withdrawn)
    return revealed_in_order(team.rank for team in ranking.teams) or revealed_in_order(people)


def revealed_in_order(ranks: Iterable[int]) -> list[int]:
    """Return the ranks of the podium among these, the last one first."""
    return sorted({rank for rank in ranks if rank <= PLACES}, reverse=True)


def may_be_revealed(tournament: Tournament, newest: Round | None) -> bool:
    """Return True once the ranking is final: all rounds are finished, or the tournament is."""
    if tournament.state == Tournament.State.FINISHED:
        return newest is not None
    played = newest is not None and newest.state == Round.State.FINISHED
    last = newest is not None and newest.number >= Format.read(tournament.format).all_rounds
    return tournament.state == Tournament.State.RUNNING and played and last
