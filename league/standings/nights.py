"""The nights of players: a row for each player and evening of some seasons, and figures derived from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q

from ..models import Club, EveningScore, Season, Tournament
from .formula.measures import measures_of
from .formula.ranking import NightScore, Race

NOT_AN_AWARD = ~Exists(Tournament.objects.filter(award_evening=OuterRef("evening")))
"""The scores of evenings that were played. With a join instead, PostgreSQL expects hardly any row where there are no
tournaments, and reads the evenings of all clubs."""


class Night(NamedTuple):
    """A player's night, as last counted. `worth` ranks the players of an evening as the season does: points with the
    handicap, or Rappen. `counts`: the formula of the season counts it; evenings of guests and of few hands may not.
    `present` is False for an evening without this player, from the player's first one on. `is_imported`: the evening
    came from a file."""

    season_id: int
    evening_id: int
    number: int
    held_on: date
    game: str
    player_id: int
    nickname: str
    hands: int
    points: int
    change_minor: int
    susi: int
    blinds_made: int
    rank_after: int
    worth: int
    counts: bool
    is_imported: bool

    @property
    def present(self) -> bool:
        """True if the player had a hand."""
        return self.hands > 0


@dataclass(frozen=True)
class Run:
    """Nights in a row that have something in common."""

    nights: tuple[Night, ...]

    @property
    def length(self) -> int:
        """The number of nights."""
        return len(self.nights)


def nights_of(seasons: Sequence[Season], player_id: int | None = None) -> list[Night]:
    """Return the nights of these seasons in the order of their dates; with a player only that player's, and those of
    everybody who was there as well. One query; up to three more where a season has a formula.

    Evenings that stand for a tournament have no hands of anybody and are left out.
    """
    # Season and club of what is joined follow from the scores; PostgreSQL would read the evenings of all clubs.
    of_club = {"evening__season__in": seasons, "player__club__in": {season.club_id for season in seasons}}
    scores = EveningScore.objects.filter(NOT_AN_AWARD, season__in=seasons, **of_club)
    if player_id is not None:
        own = EveningScore.objects.filter(season__in=seasons, player=player_id, hands__gt=0).values("evening")
        scores = scores.filter(Q(player=player_id) | Q(evening__in=own))
    rows = scores.order_by("evening__held_on", "season_id", "evening__number", "-points", "player_id").values_list(
        "season_id",
        "evening_id",
        "evening__number",
        "evening__held_on",
        "evening__game",
        "player_id",
        "player__nickname",
        "hands",
        "points",
        "change_minor",
        "susi",
        "blinds_made",
        "rank_after",
        "evening__imported_id",
    )
    measures = measures_of(seasons)
    return [_night(measures[row[0]], row) for row in rows]


def _night(measure: Race, row: tuple[Any, ...]) -> Night:
    player, played = row[5], NightScore(*row[7:10])
    figures = (measure.measure(player, played), measure.counts(player, played), row[-1] is not None)
    return Night._make((*row[:-1], *figures))


def by_evening(nights: Iterable[Night]) -> dict[int, list[Night]]:
    """Return the nights of each evening, of those who were present, in the order of the evenings."""
    evenings: dict[int, list[Night]] = {}
    for night in nights:
        if night.present:
            evenings.setdefault(night.evening_id, []).append(night)
    return evenings


def by_player(nights: Iterable[Night]) -> dict[int, list[Night]]:
    """Return the nights of each player in order, with the evenings of absence."""
    players: dict[int, list[Night]] = {}
    for night in nights:
        players.setdefault(night.player_id, []).append(night)
    return players


def ranks_of_night(night: Sequence[Night]) -> dict[int, int]:
    """Return the rank of one evening of each player for whom it counts; equal players share a rank."""
    counted = [score for score in night if score.counts]
    return {score.player_id: 1 + sum(other.worth > score.worth for other in counted) for score in counted}


def evenings_won(nights: Iterable[Night]) -> set[tuple[int, int]]:
    """Return (evening, player) for the winners of each evening; several, if they were equal. Nobody wins alone at the
    table; guests whom the formula does not rank win nothing."""
    return {
        (evening, player)
        for evening, present in by_evening(nights).items()
        if len(present) > 1
        for player, rank in ranks_of_night(present).items()
        if rank == 1
    }


def places_of(nights: Iterable[Night]) -> dict[int, int]:
    """Return the place of each evening with hands in the order of the evenings; `nights` are those of all players."""
    return {evening: place for place, evening in enumerate(by_evening(nights))}


def places_in(club: Club) -> dict[int, int]:
    """Return the place of each evening with hands among all evenings of a club. One query."""
    scores = EveningScore.objects.filter(NOT_AN_AWARD, season__in=Season.objects.filter(club=club), hands__gt=0)
    ordered = scores.order_by("evening__held_on", "season_id", "evening__number")
    return {evening: place for place, evening in enumerate(ordered.values_list("evening_id", flat=True).distinct())}


def longest_runs(
    nights: Iterable[Night], holds: Callable[[Night], bool], places: Mapping[int, int] | None = None
) -> list[Run]:
    """Return the longest runs of nights that match a condition, one a player; none if no night matches. `places` as in
    `longest_run`."""
    best: list[Run] = []
    for own in by_player(nights).values():
        run = longest_run(own, holds, places)
        if run.length and (not best or run.length >= best[0].length):
            best = [*(equal for equal in best if equal.length == run.length), run]
    return best


def longest_run(own: Sequence[Night], holds: Callable[[Night], bool], places: Mapping[int, int] | None = None) -> Run:
    """Return the first longest run of one player's nights.

    Nights of several seasons need the `places` of all evenings: the evenings of a season before the player's first one
    have no night of this player, and end a run.
    """
    best: list[Night] = []
    running: list[Night] = []
    for night in own:
        if running and places and places.get(night.evening_id) != places[running[-1].evening_id] + 1:
            running = []
        running = [*running, night] if holds(night) else []
        if len(running) > len(best):
            best = running
    return Run(tuple(best))


def current_run(own: Sequence[Night], holds: Callable[[Night], bool]) -> int:
    """Return the length of the run that ends with the player's newest night."""
    length = 0
    for night in reversed(own):
        if not holds(night):
            break
        length += 1
    return length


def meetings(nights: Iterable[Night]) -> dict[tuple[int, int], tuple[int, int, int]]:
    """Return, for each ordered pair of players who met, the numbers of evenings with the first one ahead, behind and
    equal."""
    tallies: dict[tuple[int, int], list[int]] = {}
    for present in by_evening(nights).values():
        for night in present:
            for other in present:
                if night.player_id != other.player_id:
                    tally = tallies.setdefault((night.player_id, other.player_id), [0, 0, 0])
                    tally[0 if night.worth > other.worth else 1 if night.worth < other.worth else 2] += 1
    return {pair: (ahead, behind, equal) for pair, (ahead, behind, equal) in tallies.items()}
