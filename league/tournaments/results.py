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
        tournament_round
        for tournament_round in tournament.rounds.filter(state=Round.State.FINISHED)
        .select_related("draw")
        .order_by("number")
        if before is None or tournament_round.number < before
    ]
    if hide_last:
        finished = [
            tournament_round
            for tournament_round in finished
            if tournament_round.number < Format.read(tournament.format).all_rounds
        ]
    return _ranked(tournament, finished, courses_of(tournament, finished))


def rankings_of(tournaments: Iterable[Tournament]) -> dict[int, Ranking]:
    """Return the rankings of several tournaments by their finished rounds, by tournament. Four queries."""
    known = list(tournaments)
    rounds: dict[int, list[Round]] = defaultdict(list)
    entrants: dict[int, list[Entrant]] = defaultdict(list)
    finished = Round.objects.filter(tournament__in=known, state=Round.State.FINISHED).select_related("draw")
    for tournament_round in finished.order_by("number"):
        rounds[tournament_round.tournament_id].append(tournament_round)
    entered = Entrant.objects.filter(tournament__in=known, struck=False).prefetch_related("substitutions")
    for entrant in entered.order_by("number"):
        entrants[entrant.tournament_id].append(entrant)
    seasons = [tournament.season_id for tournament in known]
    evenings = [tournament_round.evening_id for of_one in rounds.values() for tournament_round in of_one]
    sums = _summed(ResultRow.objects.filter(season__in=seasons, evening__in=evenings), points_sum())
    return {
        tournament.pk: _ranked(
            tournament, rounds[tournament.pk], _courses(rounds[tournament.pk], entrants[tournament.pk], sums)
        )
        for tournament in known
    }


def _ranked(tournament: Tournament, finished: Sequence[Round], courses: Sequence[Course]) -> Ranking:
    final = next((tournament_round.number for tournament_round in finished if tournament_round.final), None)
    played = max((tournament_round.number for tournament_round in finished), default=0)
    format = Format.read(tournament.format)
    return rank(format, courses, played_rounds=played, lot_seed=tournament.lot_seed, final_round=final)


def courses_of(tournament: Tournament, finished: Iterable[Round]) -> list[Course]:
    """Return the results of these rounds of each entrant who is not struck."""
    rounds = list(finished)
    sums = sums_of(tournament, [tournament_round.evening_id for tournament_round in rounds])
    entrants = list(tournament.entrants.filter(struck=False).prefetch_related("substitutions").order_by("number"))
    return _courses(rounds, entrants, sums)


def _courses(
    rounds: Iterable[Round], entrants: Sequence[Entrant], sums: Mapping[tuple[int, int], PlayerSums]
) -> list[Course]:
    courses: dict[int, dict[int, Played | None]] = defaultdict(dict)
    for tournament_round in rounds:
        players = {entrant.number: player_in(entrant, tournament_round.number) for entrant in entrants}
        for table in tournament_round.draw.plan["tables"]:
            for number in table["seats"]:
                known = sums.get((tournament_round.evening_id, players.get(number, 0)))
                if known is not None:
                    courses[number][tournament_round.number] = Played(
                        table=table["number"],
                        chips=known.chips,
                        points=known.points,
                        made=known.made,
                        missed=known.missed,
                    )
        for number in tournament_round.draw.plan["out"]:
            courses[number][tournament_round.number] = None
    return [
        Course(
            number=person.number,
            rounds=courses[person.number],
            joined_round=person.joined_round,
            withdrawn_round=person.withdrawn_round,
            team=person.team,
        )
        for person in entrants
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
    for substitution in entrant.substitutions.all():
        if substitution.from_round > number:
            return substitution.left_id
    return entrant.player_id
