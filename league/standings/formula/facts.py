"""What a formula is applied to: the evenings of a season as counted, guests, merged players, penalties and bonuses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

from django.db.models import Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from ...models import Evening, EveningScore, Player, Season, SeasonAdjustment, SeasonFormula, TeamStay
from .evaluate import Adjustment, Fact, Night, Race
from .parts import Formula, read
from .teams import Stay


@dataclass(frozen=True)
class Circumstances:
    """What a season's ranking depends on besides its evenings. `mains`: the main player of each merged one."""

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

    nights: Sequence[Night]
    rows: Sequence[Sequence[ScoreRow]]


def formula_of(season: Season) -> Formula | None:
    """Return the season's formula; None if it ranks by its own columns. One query."""
    if season.formula_version is None:
        return None
    stored = SeasonFormula.objects.get(season=season, version=season.formula_version)
    return read(stored.values)


def circumstances_of(season: Season) -> Circumstances:
    """Return guests (of a closed season those of its last day), merged players and adjustments. Three queries at
    most."""
    players = Player.objects.filter(club=season.club_id)
    guests = season.final_guests
    if guests is None:
        guests = players.filter(guest=True).values_list("pk", flat=True)
    rows = SeasonAdjustment.objects.filter(season=season, undone_at__isnull=True).order_by("pk")
    rows = rows.annotate(person=Coalesce("player__main_id", "player_id"))
    return Circumstances(
        guests=frozenset(guests),
        mains=dict(players.filter(main__isnull=False).values_list("pk", "main_id")),
        adjustments=tuple(
            Adjustment(player, points, timezone.localdate(at))
            for player, points, at in rows.values_list("person", "points", "at")
        ),
    )


def evenings_of(season: Season, *, since: tuple[date, int] | None = None) -> Evenings:
    """Return the counted evenings of a season, or those after the evening of this date and number. One query, which
    reads a row for each player and evening."""
    nights: list[Night] = []
    rows: list[list[ScoreRow]] = []
    scores = EveningScore.objects.filter(season=season).order_by("evening__held_on", "evening__number", "player_id")
    if since is not None:
        after = Evening.objects.filter(season=season).filter(
            Q(held_on__gte=since[0]) & (Q(held_on__gt=since[0]) | Q(number__gt=since[1]))
        )
        scores = scores.filter(evening__in=list(after.values_list("pk", flat=True)))
    columns = ("evening__held_on", "evening__number", "pk", "player_id", "hands", "points", "change_minor")
    facts: dict[int, Fact] = {}
    found = scores.values_list("evening_id", *columns, "points_after", "rank_after")
    for evening, held_on, number, pk, player, hands, points, change, *after_it in found:
        if not nights or evening != nights[-1].evening:
            facts = {}
            nights.append(Night(evening, held_on, facts, number))
            rows.append([])
        facts[player] = Fact(hands, points, change)
        rows[-1].append(ScoreRow(pk, player, *after_it))
    return Evenings(nights, rows)


def race_of(formula: Formula, found: Circumstances, *, minimums: bool = True) -> Race:
    """Return the race of a season before its first evening, with or without what a formula asks of everybody."""
    handicap: dict[int, int] = {}
    for player, points in formula.handicap:
        main = found.mains.get(player, player)
        # Of merged players the main one's handicap is valid.
        if main == player or main not in handicap:
            handicap[main] = points
    merged = replace(formula, handicap=tuple(sorted(handicap.items())))
    return Race(merged, guests=found.guests, adjustments=found.adjustments, minimums=minimums)


def stays_of(season: Season, mains: Mapping[int, int]) -> dict[int, list[Stay]]:
    """Return the stays of each player in teams, in order. Of merged players the main one's are valid where two begin on
    one day. One query."""
    found: dict[int, dict[date, int | None]] = {}
    rows = TeamStay.objects.filter(season=season).values_list("player_id", "since", "team_id")
    for player, since, team in sorted(rows, key=lambda row: (row[0] not in mains, row[0])):
        found.setdefault(mains.get(player, player), {})[since] = team
    return {player: [Stay(*one) for one in sorted(stays.items())] for player, stays in found.items()}


def run(race: Race, nights: Sequence[Night]) -> Race:
    """Play these evenings to the end."""
    for night in nights:
        race.play(night, last=night is nights[-1])
    return race
