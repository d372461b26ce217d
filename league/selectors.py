"""What pages and reports read of a club. Each call has a fixed number of queries, whatever the club's size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from .models import Balance, Club, Evening, NightScore, Player, ResultRow, Season, SeasonCount, Standing, Transfer

CHUNK = 2000


@dataclass(frozen=True)
class Freshness:
    """How far a season is counted: when (None: never), how many postings wait, and the mark counted so far."""

    counted_at: datetime | None
    waiting: int
    mark: int


@dataclass(frozen=True)
class EveningDay:
    """An evening as a chart names it."""

    evening_id: int
    number: int
    held_on: date
    game: str


@dataclass(frozen=True)
class CourseLine:
    """A player's way through the season: the value after each evening, None before the first one."""

    player_id: int
    nickname: str
    values: tuple[int | None, ...]


@dataclass(frozen=True)
class Course:
    """The season's course for a chart: evenings in order, a line a player, the leading one first."""

    evenings: tuple[EveningDay, ...]
    lines: tuple[CourseLine, ...]


def current_season(club: Club, today: date | None = None) -> Season | None:
    """The season that today falls into, else the newest that has begun, else the first to come."""
    return current_of(club.seasons.order_by("-starts_on", "-pk"), today)


def current_of(seasons: Iterable[Season], today: date | None = None) -> Season | None:
    """The current one of a club's seasons, given newest first."""
    today = today or timezone.localdate()
    seasons = list(seasons)
    begun = [season for season in seasons if season.starts_on <= today]
    running = [season for season in begun if season.ends_on is None or season.ends_on >= today]
    return next(iter(running or begun or seasons[::-1]), None)


def club_seasons(club: Club) -> list[Season]:
    """Seasons, newest first, each with `evenings_held`."""
    return list(club.seasons.annotate(evenings_held=Count("evenings")).order_by("-starts_on", "-pk"))


def evenings_with_counts(evenings: QuerySet[Evening]) -> QuerySet[Evening]:
    """Evenings, newest first, each with its `hands_count`."""
    # Somebody sat on the first seat of every hand; a part of a shared pot is no hand.
    hands = ResultRow.objects.filter(evening=OuterRef("pk"), seat=0).exclude(role=ResultRow.Role.SHARE).order_by()
    counted = hands.values("evening").annotate(count=Count("pk")).values("count")
    return evenings.annotate(hands_count=Coalesce(Subquery(counted), 0)).order_by("-held_on", "-number")


def season_standings(season: Season, *, top: int | None = None) -> list[Standing]:
    """The ranking, as last counted; only its first `top` lines, if given."""
    return list(season.standings.select_related("player").order_by("rank", "player__nickname")[:top])


def evenings_counted(season: Season) -> int:
    """How many evenings with hands the standings stand for."""
    return NightScore.objects.filter(season=season).aggregate(held=Count("evening", distinct=True))["held"]  # type: ignore[no-any-return]


def freshness(season: Season) -> Freshness:
    """How far the season is counted, read anew in one query."""
    return freshness_as_read(Season.objects.select_related("count").get(pk=season.pk))


def freshness_as_read(season: Season) -> Freshness:
    """How far the season is counted, from the season as it was read with its `count`: without a query."""
    count: SeasonCount = getattr(season, "count", None) or SeasonCount(counted_mark=0, counted_at=None)
    return Freshness(
        counted_at=count.counted_at, waiting=season.ledger_mark - count.counted_mark, mark=count.counted_mark
    )


def season_course(season: Season, *, by: str, top: int = 7) -> Course:
    """The leading players' points (`by` "points"), balances in Rappen ("balance") or ranks ("rank") after each evening.

    Two queries. Every reader of a season asks for it, so that rows stay rows and do not become objects.
    """
    value = {"points": "points_after", "balance": "balance_after_minor", "rank": "rank_after"}[by]
    leading = list(season.standings.order_by("rank", "player__nickname").values_list("player_id", flat=True)[:top])
    scores = (
        NightScore.objects.filter(season=season, player_id__in=leading)
        .order_by("evening__held_on", "evening__number")
        .values_list(
            "player_id", "player__nickname", value, "evening_id", "evening__number", "evening__held_on", "evening__game"
        )
    )
    evenings: dict[int, EveningDay] = {}
    values: dict[int, dict[int, int]] = {player_id: {} for player_id in leading}
    names: dict[int, str] = {}
    for player_id, nickname, after, evening_id, number, held_on, game in scores:
        evenings.setdefault(evening_id, EveningDay(evening_id, number, held_on, game))
        values[player_id][evening_id] = after
        names[player_id] = nickname
    return Course(
        evenings=tuple(evenings.values()),
        lines=tuple(
            CourseLine(player_id, names[player_id], tuple(values[player_id].get(evening) for evening in evenings))
            for player_id in leading
            if player_id in names
        ),
    )


def player_seasons(player: Player) -> list[Standing]:
    """The player's line in each season, newest season first."""
    return list(player.standings.select_related("season").order_by("-season__starts_on", "-season_id"))


def player_nights(player: Player, season: Season) -> list[NightScore]:
    """The player's evenings of a season in order, those missed among them (0 hands)."""
    nights = NightScore.objects.filter(player=player, season=season).select_related("evening")
    return list(nights.order_by("evening__held_on", "evening__number"))


def night_totals(evening: Evening) -> list[Mapping[str, Any]]:
    """Each player's evening from the result rows themselves, so that it is never behind: player_id, nickname, hands,
    change_minor, declared, declared_made, joined, joined_made, walkovers, musses, musses_made; the best first."""
    return list(
        ResultRow.objects.filter(evening=evening)
        .values("player_id", nickname=F("player__nickname"))
        .annotate(
            hands=Count("pk", filter=~Q(role="share")),
            change_minor=Sum("change_minor"),
            declared=Count("pk", filter=Q(role="declarer", muss=False)),
            declared_made=Count("pk", filter=Q(role="declarer", muss=False, made=True)),
            joined=Count("pk", filter=Q(role="joiner", muss=False)),
            joined_made=Count("pk", filter=Q(role="joiner", muss=False, made=True)),
            walkovers=Count("pk", filter=Q(walkover=True)),
            musses=Count("pk", filter=Q(muss=True)),
            musses_made=Count("pk", filter=Q(muss=True, made=True)),
        )
        .order_by("-change_minor", "nickname")
    )


def player_balances(club: Club) -> QuerySet[Any, Any]:
    """What is still open of each person over all seasons, as last counted: won and lost, less what was paid; rows of
    player_id, nickname, total_minor."""
    return (
        Balance.objects.filter(season__club=club, account__kind="player")
        .order_by()
        .values(
            player_id=Coalesce("account__player__main_id", "account__player_id"),
            nickname=Coalesce("account__player__main__nickname", "account__player__nickname"),
        )
        .annotate(total_minor=Coalesce(Sum("balance_minor"), 0))
    )


def result_rows(season: Season) -> Iterator[Mapping[str, Any]]:
    """The season's result rows in the order in which they were stored, streamed."""
    rows = ResultRow.objects.filter(season=season).order_by("pk")
    yield from rows.values(
        "evening__number",
        "evening__held_on",
        "evening_id",
        "source",
        "revision",
        "seat",
        "player_id",
        "player__nickname",
        "role",
        "made",
        "tricks",
        "walkover",
        "passed_out",
        "blind",
        "susi",
        "pot_won_minor",
        "change_minor",
        "muss",
        "player__main_id",
    ).iterator(chunk_size=CHUNK)


def ledger_rows(season: Season) -> Iterator[Mapping[str, Any]]:
    """The season's transfers in the order in which they were stored, streamed."""
    rows = Transfer.objects.filter(season=season).order_by("pk")
    yield from rows.values(
        "pk",
        "posting_id",
        "posting__created_at",
        "posting__evening__number",
        "posting__evening__held_on",
        "posting__source",
        "posting__revision",
        "posting__reverses_id",
        "posting__author__email",
        "posting__author__first_name",
        "posting__author__last_name",
        "posting__reason",
        "kind",
        "from_account_id",
        "from_account__kind",
        "from_account__player__nickname",
        "to_account_id",
        "to_account__kind",
        "to_account__player__nickname",
        "amount_minor",
    ).iterator(chunk_size=CHUNK)


@dataclass(frozen=True)
class QueueLine:
    """A season's marks: what waits to be counted, since when it was counted, and how long that took."""

    season: Season
    ledger_mark: int
    counted_mark: int
    counted_at: datetime | None
    took_ms: int

    @property
    def waiting(self) -> int:
        """Postings that the count does not know yet."""
        return self.ledger_mark - self.counted_mark


def queue_lines() -> list[QueueLine]:
    """All seasons with hands, those that wait longest first."""
    counts = {count.season_id: count for count in SeasonCount.objects.all()}
    nothing = SeasonCount(counted_mark=0, counted_at=None, took_ms=0)
    seasons = Season.objects.filter(ledger_mark__gt=0).select_related("club")
    lines = [
        QueueLine(s, s.ledger_mark, c.counted_mark, c.counted_at, c.took_ms)
        for s in seasons
        for c in [counts.get(s.pk, nothing)]
    ]
    return sorted(lines, key=lambda line: (-line.waiting, line.season.club.slug, line.season.slug))
