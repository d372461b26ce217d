"""The ratings of a club's players after each evening, computed from the first evening that has changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import groupby
from typing import Any

from django.db import connection
from django.db.models import OuterRef, Q, QuerySet, Subquery

from ...models import Evening, EveningScore, Player, Rating, Season
from .rating_model import METHOD as METHOD
from .rating_model import Skill, after

BATCH = 500

Day = tuple[date, int]
"""The place of an evening in the order of the club: its day, and its key."""


def rate(club_id: int, changed: Sequence[int]) -> set[int]:
    """Rate again the first one of these evenings and all later ones of the club. Returns their seasons. The caller
    holds the club's lock.

    Evenings are in the order of their days; those of all seasons and games are one course."""
    first = _first(changed)
    if first is None:
        return set()
    ratings = Rating.objects.filter(club=club_id)
    # Each by its index.
    for gone in (_since(first, "evening"), Q(evening__in=changed)):
        ratings.filter(gone)._raw_delete(using=connection.alias)
    matches = list(nights(club_id, first))
    skills = _skills_before(ratings, {player for _evening, match in matches for player in match})
    rows = []
    for (held_on, evening, _season), match in matches:
        skills |= after(match, skills)
        rows += [
            Rating(club_id=club_id, evening_id=evening, player_id=player, held_on=held_on, **skills[player]._asdict())
            for player in match
        ]
    Rating.objects.bulk_create(rows, BATCH)
    return {season for (_held_on, _evening, season), _match in matches}


def _first(changed: Sequence[int]) -> Day | None:
    """Return the first of these evenings, by the day of now or that of the last rating."""
    now = Evening.objects.filter(pk__in=changed).values_list("held_on", "pk")
    then = Rating.objects.filter(evening__in=changed).values_list("held_on", "evening")
    return min([*now, *then.distinct()], default=None)


def _since(first: Day, evening: str = "pk") -> Q:
    """Evenings from this one on. `evening`: the column with their key."""
    held_on, key = first
    return Q(held_on__gte=held_on) & (Q(held_on__gt=held_on) | Q(**{f"{evening}__gte": key}))


def nights(club_id: int, first: Day | None = None) -> Iterator[tuple[tuple[date, int, int], dict[int, int]]]:
    """Yield each evening of a club from the first one on (day, key, season) with the results of its players: points, or
    money where the season ranks by it. One query, two with a first one."""
    scores = EveningScore.objects.filter(season__club=club_id, hands__gt=0)
    if first:
        # Named, so that not the scores of all evenings are read.
        later = Evening.objects.filter(_since(first), season__club=club_id)
        scores = scores.filter(evening__in=list(later.values_list("pk", flat=True)))
    rows = scores.order_by("evening__held_on", "evening", "player").values_list(
        "evening__held_on", "evening", "season", "player", "points", "change_minor", "season__ranking"
    )
    for day, some in groupby(rows, key=lambda row: row[:3]):
        yield day, {row[3]: row[4] if row[6] == Season.Ranking.POINTS else row[5] for row in some}


def _skills_before(ratings: QuerySet[Rating], players: Iterable[int]) -> dict[int, Skill]:
    """Return the newest rating of each of these players; `ratings` are those that were left."""
    newest = ratings.filter(player=OuterRef("pk")).order_by("-held_on", "-evening").values("pk")[:1]
    keys = Player.objects.filter(pk__in=set(players)).annotate(newest=Subquery(newest)).values("newest")
    newest_ratings = Rating.objects.filter(pk__in=[row["newest"] for row in keys if row["newest"]])
    return {player: Skill(*rest) for player, *rest in newest_ratings.values_list("player", "mu", "sigma", "evenings")}


def ratings_of(season: Season) -> dict[int, Skill]:
    """Return the ratings of the players of a season after its last evening with them. One query.

    They are of the club: earlier seasons are in them.
    """
    rows: Any = Rating.objects.filter(evening__season=season).order_by("held_on", "evening")
    values = rows.values_list("player", "mu", "sigma", "evenings")
    return {player: Skill(*rest) for player, *rest in values}
