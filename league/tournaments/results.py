"""From result rows to the ranking: the result of each entrant in each finished round. A fixed number of queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet, Sum

from ..models import Entrant, ResultRow, Round, Tournament
from ..standings.points import points_sum
from .formats import Format
from .ranking import Course, Played, Ranking, rank


@dataclass(frozen=True, slots=True)
class PlayerSums:
    """The sums of a player's result rows of a round: net chips, points of the season, goals made and missed."""

    chips: int
    points: int
    made: int
    missed: int


def ranking_of(tournament: Tournament, *, before: int | None = None, hide_last: bool = False) -> Ranking:
    """Return the ranking by the finished rounds; `before`: by those before this round only.

    `hide_last`: without the last round of the format, until the desk shows it (the tournament is finished).
    """
    finished = [
        one
        for one in tournament.rounds.filter(state=Round.State.FINISHED).select_related("draw").order_by("number")
        if before is None or one.number < before
    ]
    if hide_last:
        finished = [one for one in finished if one.number < Format.read(tournament.format).all_rounds]
    return _ranked(tournament, finished, courses_of(tournament, finished))


def rankings_of(tournaments: Iterable[Tournament]) -> dict[int, Ranking]:
    """Return the rankings of several tournaments by their finished rounds, by tournament. Four queries."""
    known = list(tournaments)
    rounds: dict[int, list[Round]] = defaultdict(list)
    entrants: dict[int, list[Entrant]] = defaultdict(list)
    finished = Round.objects.filter(tournament__in=known, state=Round.State.FINISHED).select_related("draw")
    for one in finished.order_by("number"):
        rounds[one.tournament_id].append(one)
    found = Entrant.objects.filter(tournament__in=known, struck=False).prefetch_related("substitutions")
    for entrant in found.order_by("number"):
        entrants[entrant.tournament_id].append(entrant)
    seasons = [one.season_id for one in known]
    evenings = [one.evening_id for of_one in rounds.values() for one in of_one]
    sums = _summed(ResultRow.objects.filter(season__in=seasons, evening__in=evenings), points_sum())
    return {one.pk: _ranked(one, rounds[one.pk], _courses(rounds[one.pk], entrants[one.pk], sums)) for one in known}


def _ranked(tournament: Tournament, finished: Sequence[Round], courses: Sequence[Course]) -> Ranking:
    final = next((one.number for one in finished if one.final), None)
    played = max((one.number for one in finished), default=0)
    format = Format.read(tournament.format)
    return rank(format, courses, played_rounds=played, lot_seed=tournament.lot_seed, final_round=final)


def courses_of(tournament: Tournament, finished: Iterable[Round]) -> list[Course]:
    """Return the results of these rounds of each entrant who is not struck."""
    rounds = list(finished)
    sums = sums_of(tournament, [one.evening_id for one in rounds])
    entrants = list(tournament.entrants.filter(struck=False).prefetch_related("substitutions").order_by("number"))
    return _courses(rounds, entrants, sums)


def _courses(
    rounds: Iterable[Round], entrants: Sequence[Entrant], sums: Mapping[tuple[int, int], PlayerSums]
) -> list[Course]:
    courses: dict[int, dict[int, Played | None]] = defaultdict(dict)
    for one in rounds:
        players = {entrant.number: player_in(entrant, one.number) for entrant in entrants}
        for table in one.draw.plan["tables"]:
            for number in table["seats"]:
                known = sums.get((one.evening_id, players.get(number, 0)))
                if known is not None:
                    courses[number][one.number] = Played(
                        table=table["number"],
                        chips=known.chips,
                        points=known.points,
                        made=known.made,
                        missed=known.missed,
                    )
        for number in one.draw.plan["out"]:
            courses[number][one.number] = None
    return [
        Course(
            number=one.number,
            rounds=courses[one.number],
            joined_round=one.joined_round,
            withdrawn_round=one.withdrawn_round,
            team=one.team,
        )
        for one in entrants
    ]


def sums_of(tournament: Tournament, evenings: Iterable[int]) -> Mapping[tuple[int, int], PlayerSums]:
    """Return the sums by evening and player. One query."""
    rows = ResultRow.objects.filter(season=tournament.season_id, evening__in=list(evenings))
    return _summed(rows, points_sum(tournament.season))


def _summed(rows: QuerySet[ResultRow], points: Sum) -> dict[tuple[int, int], PlayerSums]:
    summed = (
        rows.values("evening_id", "player_id")
        .annotate(
            chips=Sum("change_minor"),
            points=points,
            done=Count("pk", filter=Q(made=True)),
            failed=Count("pk", filter=Q(made=False)),
        )
        .order_by()
    )
    sums = {}
    for row in summed:
        key = (row["evening_id"], row["player_id"])
        sums[key] = PlayerSums(row["chips"] or 0, row["points"] or 0, row["done"], row["failed"])
    return sums


def player_in(entrant: Entrant, number: int) -> int:
    """Return the id of the player who played under this start number in a round. Substitutions are read with it."""
    for one in entrant.substitutions.all():
        if one.from_round > number:
            return one.left_id
    return entrant.player_id
