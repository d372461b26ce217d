"""Queries for pages and files. Each has a fixed number of database queries, independent of the club's size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import starmap
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import (
    BooleanField,
    Count,
    Exists,
    ExpressionWrapper,
    F,
    JSONField,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Window,
)
from django.db.models.functions import Coalesce, JSONObject
from django.utils import timezone

from .. import keyset
from ..models import (
    Balance,
    Club,
    Evening,
    EveningScore,
    ImportedTotal,
    Player,
    ResultRow,
    Season,
    SeasonCount,
    Standing,
    Transfer,
)
from .evening_hands import hands_stored
from .formula.inputs import formula_of
from .points import ALONE, points_sum


@dataclass(frozen=True)
class Freshness:
    """The count of a season: its time (None: never), by how many marks it lags, and the counted mark."""

    counted_at: datetime | None
    waiting: int
    mark: int


@dataclass(frozen=True)
class EveningDay:
    """The data of an evening that a chart shows."""

    evening_id: int
    number: int
    held_on: date
    game: str
    backdated: bool = False
    """An evening of a later date has a lower number."""
    is_imported: bool = False


class CourseRow(NamedTuple):
    """A player's score of an evening (without hands: absent), and the sums after it."""

    player_id: int
    nickname: str
    evening_id: int
    number: int
    held_on: date
    game: str
    hands: int
    points: int
    change_minor: int
    points_after: int
    balance_after_minor: int
    rank_after: int
    import_id: UUID | None = None
    """The import that the evening came with."""


@dataclass(frozen=True)
class CourseLine:
    """A player's rows of each evening of a season, None before the player's first one."""

    player_id: int
    nickname: str
    rows: tuple[CourseRow | None, ...]

    def values(self, by: str) -> tuple[int | None, ...]:
        """Return the points, balances in Rappen or ranks after each evening (`by`: points, balance, rank)."""
        after = {"points": "points_after", "balance": "balance_after_minor", "rank": "rank_after"}[by]
        return tuple(None if row is None else getattr(row, after) for row in self.rows)


@dataclass(frozen=True)
class Course:
    """The data of a season's chart: evenings in order, one line for every player, the leader first."""

    evenings: tuple[EveningDay, ...]
    lines: tuple[CourseLine, ...]

    @property
    def held(self) -> int:
        """The number of evenings with hands."""
        return len({row.evening_id for line in self.lines for row in line.rows if row and row.hands})

    @property
    def with_imported(self) -> frozenset[int]:
        """The players with an imported evening."""
        rows = (row for line in self.lines for row in line.rows if row and row.hands)
        return frozenset(row.player_id for row in rows if row.import_id is not None)


def current_season(club: Club, today: date | None = None) -> Season | None:
    """Return the season of today, else the newest that has begun, else the first future one."""
    return current_of(club.seasons.order_by("-starts_on", "-pk"), today)


def current_of(seasons: Iterable[Season], today: date | None = None) -> Season | None:
    """Return the current one of a club's seasons, which are given newest first."""
    today = today or timezone.localdate()
    seasons = list(seasons)
    begun = [season for season in seasons if season.starts_on <= today]
    running = [season for season in begun if season.ends_on is None or season.ends_on >= today]
    return next(iter(running or begun or seasons[::-1]), None)


def club_seasons(club: Club) -> list[Season]:
    """Return the seasons, newest first, each with `evenings_held`."""
    held = Count("evenings", filter=Q(evenings__undone_at=None))
    return list(club.seasons.annotate(evenings_held=held).order_by("-starts_on", "-pk"))


def evenings_with_counts(evenings: QuerySet[Evening]) -> QuerySet[Evening]:
    """Return the evenings, newest first, each with its `hands_count`, and `backdated` if it was added later;
    `tournament_name` is set for one that stands for a tournament."""
    seasons = evenings.order_by().values("season")
    with_counts = evenings.annotate(
        hands_count=hands_stored(), backdated=backdated_in(seasons), tournament_name=F("awarding_tournament__name")
    )
    return with_counts.order_by("-held_on", "-number")


def evenings_counted(season: Season) -> int:
    """Return the number of evenings with hands in the standings."""
    scores = EveningScore.objects.filter(season=season, hands__gt=0)
    return int(scores.aggregate(held=Count("evening", distinct=True))["held"])


def freshness(season: Season) -> Freshness:
    """Return the count of the season. One query."""
    return freshness_as_read(Season.objects.select_related("count").get(pk=season.pk))


def freshness_as_read(season: Season) -> Freshness:
    """Return the count of a season that was loaded with its `count`. No query."""
    count: SeasonCount = getattr(season, "count", None) or SeasonCount(counted_mark=0, counted_at=None)
    return Freshness(
        counted_at=count.counted_at, waiting=season.ledger_mark - count.counted_mark, mark=count.counted_mark
    )


def season_course(season: Season, players: Sequence[int]) -> Course:
    """Return the sums of these players after each evening. One query.

    Rows are read as tuples, as every view of a season calls this.
    """
    scores = EveningScore.objects.filter(season=season).order_by("evening__held_on", "evening__number")
    columns = ("evening_id", "evening__number", "evening__held_on", "evening__game", "hands", "points", "change_minor")
    after = ("points_after", "balance_after_minor", "rank_after", "evening__imported_id")
    return course_of(starmap(CourseRow, scores.values_list("player_id", "player__nickname", *columns, *after)), players)


def course_of(rows: Iterable[CourseRow], players: Sequence[int]) -> Course:
    """Return the course of these players; `rows` are in the order of the evenings."""
    evenings: dict[int, EveningDay] = {}
    known: dict[int, dict[int, CourseRow]] = {player: {} for player in players}
    for row in rows:
        if row.evening_id not in evenings:
            evenings[row.evening_id] = EveningDay(
                row.evening_id, row.number, row.held_on, row.game, is_imported=row.import_id is not None
            )
        known.setdefault(row.player_id, {})[row.evening_id] = row
    lines = [_course_line(player, known[player], evenings) for player in players if known[player]]
    return Course(evenings=tuple(_marked(list(evenings.values()))), lines=tuple(lines))


def _course_line(player: int, rows: Mapping[int, CourseRow], evenings: Iterable[int]) -> CourseLine:
    nickname = next(iter(rows.values())).nickname
    return CourseLine(player, nickname, tuple(rows.get(evening) for evening in evenings))


def _marked(evenings: list[EveningDay]) -> list[EveningDay]:
    """Mark the backdated ones of a season's evenings, which are in the order of their dates."""
    lowest: int | None = None
    marked = []
    for evening in reversed(evenings):
        marked.append(replace(evening, backdated=lowest is not None and evening.number > lowest))
        lowest = evening.number if lowest is None else min(lowest, evening.number)
    return marked[::-1]


def backdated() -> Exists:
    """For a query of one evening: true if an evening of a later date in the same season has a lower number, which means
    that this one was added later."""
    later = Evening.objects.filter(
        season=OuterRef("season"), number__lt=OuterRef("number"), held_on__gt=OuterRef("held_on")
    )
    return Exists(later)


def mark_backdated(evenings: Sequence[Evening]) -> None:
    """Set `backdated` on the evenings of a page. One query, which returns few evenings beside those of the page."""
    of_season: dict[int, list[Evening]] = {}
    for evening in evenings:
        of_season.setdefault(evening.season_id, []).append(evening)
    between = Q(pk__in=[])
    for season, shown in of_season.items():
        earliest, highest = min(evening.held_on for evening in shown), max(evening.number for evening in shown)
        between |= Q(season=season, held_on__gt=earliest, number__lt=highest)
    known = list(Evening.objects.filter(between).order_by().values_list("season_id", "held_on", "number"))
    for evening in evenings:
        evening.backdated = any(  # type: ignore[attr-defined]
            season == evening.season_id and day > evening.held_on and number < evening.number
            for season, day, number in known
        )


def backdated_in(seasons: Any, evening: str = "pk") -> ExpressionWrapper[Any]:
    """The same for a list of evenings, or of rows with an `evening`, of these seasons: each is read once, in order."""
    latest = Window(Max("held_on"), partition_by=F("season"), order_by=F("number").asc())
    known = Evening.objects.filter(season__in=seasons).annotate(latest=latest)
    late = known.filter(held_on__lt=F("latest")).values("pk")
    return ExpressionWrapper(Q(**{f"{evening}__in": late}), output_field=BooleanField())


def dropped_evenings(scores: Sequence[EveningScore], best: int | None) -> set[int]:
    """Return the ids of the evenings that do not count, because only the `best` ones do. `scores` are one player's, in
    order; of equal evenings the earlier ones count, as in the count of a season."""
    played = [score for score in scores if score.hands]
    ranked = sorted(played, key=lambda score: -score.points)
    return set() if best is None else {score.evening_id for score in ranked[best:]}


def player_seasons(player: Player) -> list[Standing]:
    """Return the player's standings, newest season first."""
    return list(player.standings.select_related("season").order_by("-season__starts_on", "-season_id"))


def player_evenings(player: Player, season: Season) -> list[EveningScore]:
    """Return the player's evenings of a season in order, with those of absence (0 hands), each `backdated` or not."""
    scores = EveningScore.objects.filter(player=player, season=season).select_related("evening")
    scores = scores.annotate(backdated=backdated_in([season.pk], "evening"))
    return list(scores.order_by("evening__held_on", "evening__number"))


def evening_totals(evening: Evening) -> list[dict[str, Any]]:
    """Return a row for each player of an evening, the best first, computed from the result rows (never outdated). One
    query, two for an imported evening.

    Keys: rank, player_id, nickname, hands, points, change_minor, declared, declared_made, joined, joined_made,
    walkovers, susi, musses, musses_made. The rank is by points or by change, as the season ranks.
    """
    return _totals([evening], points_sum(evening.season))[evening.pk]


def totals_of_evenings(evenings: Iterable[Evening]) -> dict[int, list[dict[str, Any]]]:
    """Return the rows of `evening_totals` for several evenings, by evening; their seasons are loaded. One query, two if
    some of them are imported."""
    return _totals(list(evenings), points_sum())


def _totals(evenings: Sequence[Evening], points: Sum) -> dict[int, list[dict[str, Any]]]:
    result_rows = (
        ResultRow.objects.filter(evening__in=[evening.pk for evening in evenings])
        .order_by()
        .values("evening_id", "player_id", nickname=F("player__nickname"))
        .annotate(
            hands=Count("pk", filter=~Q(role="share")),
            points=points,
            change_minor=Sum("change_minor"),
            declared=Count("pk", filter=(Q(role="declarer") | ALONE) & Q(muss=False)),
            declared_made=Count("pk", filter=Q(role="declarer", muss=False, made=True)),
            joined=Count("pk", filter=Q(role="joiner", muss=False, walkover=False)),
            joined_made=Count("pk", filter=Q(role="joiner", muss=False, made=True)),
            walkovers=Count("pk", filter=ALONE),
            susi=Count("pk", filter=Q(susi=True)),
            musses=Count("pk", filter=Q(muss=True)),
            musses_made=Count("pk", filter=Q(muss=True, made=True)),
        )
    )
    rows: dict[int, list[dict[str, Any]]] = {evening.pk: [] for evening in evenings}
    for row in result_rows:
        rows[row["evening_id"]].append({name: value for name, value in row.items() if name != "evening_id"})
    _add_imported([evening for evening in evenings if evening.is_imported], rows)
    for evening in evenings:
        _rank(rows[evening.pk], "points" if evening.season.by_points else "change_minor")
    return rows


def _rank(rows: list[dict[str, Any]], value: str) -> None:
    """Sort the rows of an evening and set their ranks; equal players share one."""
    rows.sort(key=lambda row: (-row[value], row["nickname"].casefold()))
    for row in rows:
        row["rank"] = 1 + sum(other[value] > row[value] for other in rows)


def _add_imported(evenings: Sequence[Evening], rows: Mapping[int, Sequence[dict[str, Any]]]) -> None:
    """Add the hands and points of the files of imported evenings; their amounts are in the result rows."""
    if not evenings:
        return
    totals = ImportedTotal.objects.filter(evening__in=[imported.pk for imported in evenings], undone=False)
    columns = totals.values_list("evening_id", "player_id", "hands", "points")
    known = {(evening, player): numbers for evening, player, *numbers in columns}
    for imported in evenings:
        for row in rows[imported.pk]:
            hands, points = known.get((imported.pk, row["player_id"]), (0, 0))
            row["hands"] += hands
            row["points"] += points


def evening_beside(*, later: bool) -> Subquery:
    """For a query of evenings: `pk` and `number` of the one before or after it in its season, by date; None if none."""
    step = "gt" if later else "lt"
    same_day = Q(held_on=OuterRef("held_on"), **{f"number__{step}": OuterRef("number")})
    beside = Evening.objects.filter(
        Q(**{f"held_on__{step}": OuterRef("held_on")}) | same_day, season=OuterRef("season"), undone_at__isnull=True
    )
    order = ("held_on", "number") if later else ("-held_on", "-number")
    nearest = beside.order_by(*order).values(found=JSONObject(pk="pk", number="number"))[:1]
    return Subquery(nearest, output_field=JSONField())


def season_ranks(evening: Evening) -> dict[int, tuple[int, int | None]]:
    """Return each player's rank of the season after an evening and after the evening before it, as last counted.

    Players who were absent are left out, and those who are not ranked. One query, and three more with a formula.
    """
    unranked = Standing.objects.filter(season=evening.season_id).exclude(unranked="")
    counted = EveningScore.objects.filter(season=evening.season_id).exclude(player__in=unranked.values("player"))
    same_day = Q(evening__held_on=evening.held_on, evening__number__lt=evening.number)
    earlier = counted.filter(Q(evening__held_on__lt=evening.held_on) | same_day)
    before = earlier.order_by("-evening__held_on", "-evening__number").values("evening_id")[:1]
    scores = counted.filter(Q(evening=evening) | Q(evening_id=Subquery(before)))
    rows = list(scores.values_list("player_id", "evening_id", "rank_after", "hands"))
    hidden = _after_too_few(evening, earlier)
    ranks = {(player, of): rank for player, of, rank, _hands in rows if (player, of) not in hidden}
    ranked_before = {player: rank for (player, of), rank in ranks.items() if of != evening.pk}
    return {
        player: (ranks[player, of], ranked_before.get(player))
        for player, of, _rank, hands in rows
        if of == evening.pk and hands and (player, of) in ranks
    }


def _after_too_few(evening: Evening, earlier: QuerySet[EveningScore]) -> set[tuple[int, int]]:
    """Return (player, evening) for this evening and the `earlier` ones after which a player had not reached the least
    numbers of the formula."""
    formula = formula_of(evening.season)
    if not (formula.attendance_minimum or formula.hands_minimum):
        return set()
    nights: dict[int, list[tuple[int, int]]] = {}
    scores = earlier.order_by("evening__held_on", "evening__number").values_list("player_id", "evening_id", "hands")
    of_evening = EveningScore.objects.filter(season=evening.season_id, evening=evening)
    for player, of, hands in (*scores, *of_evening.values_list("player_id", "evening_id", "hands")):
        nights.setdefault(player, []).append((of, hands))
    return {(player, of) for player, own in nights.items() for of in formula.too_few_after(own)}


def player_balances(club: Club) -> QuerySet[Any, Any]:
    """Return the outstanding balance of each person over all seasons, as last counted: won and lost, less payments.

    Keys: player_id, nickname, total_minor.
    """
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
    """Stream the season's result rows in the order of storage."""
    rows = ResultRow.objects.filter(season=season).values(
        "pk",
        "evening__number",
        "evening__held_on",
        "evening__imported_id",
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
    )
    yield from keyset.each(rows)


def ledger_rows(season: Season) -> Iterator[Mapping[str, Any]]:
    """Stream the season's transfers in the order of storage."""
    return transfer_values(Transfer.objects.filter(season=season))


def transfer_values(transfers: QuerySet[Transfer], *more: str) -> Iterator[Mapping[str, Any]]:
    """Stream transfers in the order of storage, with the columns of the ledger's file, and `more` of them."""
    rows = transfers.values(
        *more,
        "pk",
        "posting_id",
        "posting__created_at",
        "posting__evening__number",
        "posting__evening__held_on",
        "posting__evening__imported_id",
        "posting__payment_day__day",
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
    )
    yield from keyset.each(rows)


@dataclass(frozen=True)
class QueueLine:
    """A season's marks, with the time and the duration of its last count."""

    season: Season
    ledger_mark: int
    counted_mark: int
    counted_at: datetime | None
    took_ms: int

    @property
    def waiting(self) -> int:
        """By how many marks the count lags."""
        return self.ledger_mark - self.counted_mark


def queue_lines() -> list[QueueLine]:
    """Return all seasons with postings, those whose counts lag most first."""
    counts = {count.season_id: count for count in SeasonCount.objects.all()}
    nothing = SeasonCount(counted_mark=0, counted_at=None, took_ms=0)
    seasons = Season.every.filter(ledger_mark__gt=0).select_related("club")
    lines = [
        QueueLine(s, s.ledger_mark, c.counted_mark, c.counted_at, c.took_ms)
        for s in seasons
        for c in [counts.get(s.pk, nothing)]
    ]
    return sorted(lines, key=lambda line: (-line.waiting, line.season.club.slug, line.season.slug))
