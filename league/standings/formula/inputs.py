"""The inputs of a formula: the evenings of a season as counted, guests, merged players, penalties and bonuses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

from django.db.models import Q
from django.db.models.functions import Coalesce

from ...models import Evening, EveningScore, Player, Season, SeasonAdjustment, SeasonFormula, TeamStay
from .parts import Formula, read
from .ranking import Adjustment, CountedEvening, NightScore, Race
from .teams import Stay


@dataclass(frozen=True)
class Circumstances:
    """The inputs of a season's ranking besides its evenings. `mains`: the main player of each merged one."""

    guests: frozenset[int]
    mains: Mapping[int, int]
    adjustments: tuple[Adjustment, ...]


class ScoreRow(NamedTuple):
    """A player's evening as stored."""

    pk: int
    player: int
    points_after: int
    rank_after: int


@dataclass(frozen=True)
class Evenings:
    """The counted evenings of a season in order, and their stored rows."""

    counted: Sequence[CountedEvening]
    rows: Sequence[Sequence[ScoreRow]]


KEPT_FORMULA = "_kept_formula"
"""The attribute of a season with the version and the formula that were read."""


def stored_formula(season: Season) -> Formula | None:
    """Return the season's stored formula; None if it ranks by its own settings. One query for an object of the season:
    it keeps the formula of its version, which never changes."""
    version = season.formula_version
    if version is None:
        return None
    kept: tuple[int, Formula] | None = getattr(season, KEPT_FORMULA, None)
    if kept is None or kept[0] != version:
        kept = version, read(SeasonFormula.objects.get(season=season, version=version).values)
        setattr(season, KEPT_FORMULA, kept)
    return kept[1]


def own_formula(season: Season) -> Formula:
    """Return the own settings of a season as a formula. No query."""
    counts = "points" if season.ranking == Season.Ranking.POINTS else "net"
    best = season.best_evenings if counts == "points" else None
    return Formula(counts=counts, games=season.games, best=best)


def formula_of(season: Season) -> Formula:
    """Return the formula that ranks a season: the stored one, or its own settings as one. One query at most."""
    return stored_formula(season) or own_formula(season)


def circumstances_of(season: Season, *, by_formula: bool | None = None) -> Circumstances:
    """Return guests (of a closed season those of its last day), merged players and adjustments. Three queries at
    most. Adjustments count in a season with a formula only; `by_formula` says it for a season as it might be."""
    adjusted = season.has_formula if by_formula is None else by_formula
    players = Player.objects.filter(club=season.club_id)
    guests = season.final_guests
    if guests is None:
        guests = players.filter(guest=True).values_list("pk", flat=True)
    rows = SeasonAdjustment.objects.filter(season=season, undone_at__isnull=True).order_by("pk")
    rows = rows.annotate(person=Coalesce("player__main_id", "player_id"))
    given = rows.values_list("person", "points", "day") if adjusted else ()
    return Circumstances(
        guests=frozenset(guests),
        mains=dict(players.filter(main__isnull=False).values_list("pk", "main_id")),
        adjustments=tuple(Adjustment(*row) for row in given),
    )


def evenings_of(season: Season, *, since: tuple[date, int] | None = None) -> Evenings:
    """Return the counted evenings of a season, or those after the evening of this date and number. One query, which
    reads a row for each player and evening."""
    counted: list[CountedEvening] = []
    rows: list[list[ScoreRow]] = []
    scores = EveningScore.objects.filter(season=season).order_by("evening__held_on", "evening__number", "player_id")
    if since is not None:
        after = Evening.objects.filter(season=season).filter(
            Q(held_on__gte=since[0]) & (Q(held_on__gt=since[0]) | Q(number__gt=since[1]))
        )
        scores = scores.filter(evening__in=list(after.values_list("pk", flat=True)))
    columns = ("evening__held_on", "evening__number", "pk", "player_id", "hands", "points", "change_minor")
    of_evening: dict[int, NightScore] = {}
    score_rows = scores.values_list("evening_id", *columns, "points_after", "rank_after")
    for evening, held_on, number, pk, player, hands, points, change, *after_it in score_rows:
        if not counted or evening != counted[-1].evening:
            of_evening = {}
            counted.append(CountedEvening(evening, held_on, of_evening, number))
            rows.append([])
        of_evening[player] = NightScore(hands, points, change)
        rows[-1].append(ScoreRow(pk, player, *after_it))
    return Evenings(counted, rows)


def race_of(formula: Formula, circumstances: Circumstances, *, minimums: bool = True) -> Race:
    """Return the race of a season before its first evening, with or without the formula's least evenings and hands."""
    merged = of_persons(formula, circumstances.mains)
    return Race(merged, guests=circumstances.guests, adjustments=circumstances.adjustments, minimums=minimums)


def of_persons(formula: Formula, mains: Mapping[int, int]) -> Formula:
    """Return the formula with the handicaps by main player: of merged players the main one's is valid."""
    handicap: dict[int, int] = {}
    for player, points in formula.handicap:
        main = mains.get(player, player)
        if main == player or main not in handicap:
            handicap[main] = points
    return replace(formula, handicap=tuple(sorted(handicap.items())))


def stays_of(season: Season, mains: Mapping[int, int], *, without: Q | None = None) -> dict[int, list[Stay]]:
    """Return the stays of each player in teams, in order, leaving out the rows `without`. Of merged players the main
    one's are valid where two begin on one day. One query."""
    by_player: dict[int, dict[date, int | None]] = {}
    kept = TeamStay.objects.filter(season=season)
    if without is not None:
        kept = kept.exclude(without)
    rows = kept.values_list("player_id", "since", "team_id")
    for player, since, team in sorted(rows, key=lambda row: (row[0] not in mains, row[0])):
        by_player.setdefault(mains.get(player, player), {})[since] = team
    return {player: [Stay(*pair) for pair in sorted(stays.items())] for player, stays in by_player.items()}


def run(race: Race, evenings: Sequence[CountedEvening]) -> Race:
    """Play these evenings to the end."""
    for evening in evenings:
        race.play(evening, last=evening is evenings[-1])
    return race
