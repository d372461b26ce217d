"""The seasons of a club that are over, with their champions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count
from django.utils import timezone

from ..access import ClubAccess
from ..models import EveningScore, Season, Standing
from .podium import PODIUM


@dataclass(frozen=True)
class Named:
    """A player of a list: the key and the name that the reader sees."""

    player_id: int
    name: str


@dataclass(frozen=True)
class PastSeason:
    """A season that is over. `closed` is False until its owners closed it: then its champions may still change.
    `behind` are the second and third ranks with their rank."""

    season: Season
    closed: bool
    champions: Sequence[Named]
    behind: Sequence[tuple[int, Named]]
    evenings: int
    players: int


@dataclass(frozen=True)
class AllChampions:
    """The seasons, newest first, and the winners of closed ones by number of titles, the most first."""

    seasons: Sequence[PastSeason]
    titles: Sequence[tuple[Named, int]]


def over(seasons: Iterable[Season]) -> list[Season]:
    """Return those seasons that were closed, or whose last day has passed."""
    today = timezone.localdate()
    return [
        season
        for season in seasons
        if season.closed_at is not None or (season.ends_on is not None and season.ends_on < today)
    ]


def all_champions(access: ClubAccess) -> AllChampions:
    """Return the champions of a club. Three queries, one more for visitors."""
    seasons = over(access.club.seasons.order_by("-starts_on", "-pk"))
    ranked = Standing.objects.filter(season__in=seasons, unranked="", rank__lte=PODIUM)
    champions: dict[int, list[tuple[int, Named]]] = {}
    rows = ranked.order_by("rank", "player__nickname").values_list("season", "rank", "player", "player__nickname")
    for season, rank, player, nickname in rows:
        champions.setdefault(season, []).append((rank, Named(player, access.names.show(player, nickname))))
    counts = _counts(seasons)
    closed = [_past(season, champions.get(season.pk, []), counts) for season in seasons]
    titles = Counter(champion for each in closed if each.closed for champion in each.champions)
    return AllChampions(closed, sorted(titles.items(), key=lambda pair: (-pair[1], pair[0].name.casefold())))


def _counts(seasons: Sequence[Season]) -> Mapping[int, tuple[int, int]]:
    """Return the numbers of evenings and of players of each season."""
    played = EveningScore.objects.filter(season__in=seasons, hands__gt=0).order_by().values_list("season")
    rows = played.annotate(evenings=Count("evening", distinct=True), players=Count("player", distinct=True))
    return {season: (evenings, players) for season, evenings, players in rows}


def _past(season: Season, ranks: Sequence[tuple[int, Named]], counts: Mapping[int, tuple[int, int]]) -> PastSeason:
    evenings, players = counts.get(season.pk, (0, 0))
    return PastSeason(
        season=season,
        closed=season.closed_at is not None,
        champions=[named for rank, named in ranks if rank == 1],
        behind=[(rank, named) for rank, named in ranks if rank > 1],
        evenings=evenings,
        players=players,
    )
