"""From result rows to the ranking: the result of each entrant in each finished round. A fixed number of queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Count, Q, Sum

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
    format = Format.read(tournament.format)
    finished = [
        one
        for one in tournament.rounds.filter(state=Round.State.FINISHED).select_related("draw").order_by("number")
        if before is None or one.number < before
    ]
    if hide_last:
        finished = [one for one in finished if one.number < format.all_rounds]
    courses = courses_of(tournament, finished)
    final = next((one.number for one in finished if one.final), None)
    played = max((one.number for one in finished), default=0)
    return rank(format, courses, played_rounds=played, lot_seed=tournament.lot_seed, final_round=final)


def courses_of(tournament: Tournament, finished: Iterable[Round]) -> list[Course]:
    """Return the results of these rounds of each entrant who is not struck."""
    rounds = list(finished)
    sums = sums_of(tournament, [one.evening_id for one in rounds])
    entrants = list(tournament.entrants.filter(struck=False).prefetch_related("substitutions").order_by("number"))
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
    summed = (
        rows.values("evening_id", "player_id")
        .annotate(
            chips=Sum("change_minor"),
            points=points_sum(tournament.season),
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
