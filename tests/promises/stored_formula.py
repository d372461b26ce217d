"""The stored points and ranks of a season with a formula, against the plain model. Rows are read as they are."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from league.models import (
    EveningScore,
    Player,
    Season,
    SeasonAdjustment,
    SeasonFormula,
    Standing,
    Team,
    TeamStanding,
    TeamStay,
)

from .plain_formula import PlainSeason, Played


def differences(season: Season) -> list[str]:
    """Return the differences of the stored rows from the plain model: standings, the course, teams."""
    plain = read(season)
    return [*_standings(season, plain), *_course(season, plain), *_teams(season, plain)]


def read(season: Season) -> PlainSeason:
    """Return the plain model of a season whose evenings are counted."""
    version = Season.objects.get(pk=season.pk).formula_version
    mains = dict(Player.objects.filter(club=season.club_id, main__isnull=False).values_list("pk", "main_id"))
    rows = EveningScore.objects.filter(season=season).order_by("evening__held_on", "evening__number")
    columns = ("evening", "evening__held_on", "player", "hands", "points", "change_minor")
    stays: dict[int, dict[date, int | None]] = {}
    # Of merged players the main one's stays are valid where two begin on one day, else those of the last one.
    moved = TeamStay.objects.filter(season=season).order_by("player").values_list("player", "since", "team")
    for merged in (True, False):
        for player, since, team in moved:
            if (player in mains) is merged:
                stays.setdefault(mains.get(player, player), {})[since] = team
    given = SeasonAdjustment.objects.filter(season=season, undone_at__isnull=True)
    return PlainSeason(
        values=SeasonFormula.objects.get(season=season, version=version).values,
        scores=[Played(*row) for row in rows.values_list(*columns)],
        guests=frozenset(Player.objects.filter(club=season.club_id, guest=True).values_list("pk", flat=True)),
        adjustments=[(mains.get(one.player_id, one.player_id), one.points, one.day) for one in given],
        mains=mains,
        teams=list(Team.objects.filter(season=season).values_list("pk", flat=True)),
        stays={player: sorted(own.items()) for player, own in stays.items()},
    )


def _standings(season: Season, plain: PlainSeason) -> Iterator[str]:
    ranking, amounts = plain.ranking(), plain.values["counts"] == "net"
    for one in Standing.objects.filter(season=season):
        found = (one.rank, one.counted_minor if amounts else one.points, one.unranked)
        if found != ranking[one.player_id]:
            yield f"standing of {one.player_id}: {found}, but {ranking[one.player_id]} by {plain.values}"


def _course(season: Season, plain: PlainSeason) -> Iterator[str]:
    amounts = plain.values["counts"] == "net"
    for evening in plain.evenings:
        ranking = plain.until(evening).ranking()
        for one in EveningScore.objects.filter(season=season, evening=evening):
            rank, value, _why = ranking[one.player_id]
            if one.rank_after != rank or (one.points_after != value and not amounts):
                found = (one.rank_after, one.points_after)
                yield f"{one.player_id} after evening {evening}: {found}, but {(rank, value)} by {plain.values}"


def _teams(season: Season, plain: PlainSeason) -> Iterator[str]:
    ranking, amounts = plain.team_ranking(), plain.values["counts"] == "net"
    for one in TeamStanding.objects.filter(season=season):
        found = (one.rank, one.counted_minor if amounts else one.points)
        if found != ranking[one.team_id]:
            yield f"team {one.team_id}: {found}, but {ranking[one.team_id]} by {plain.values}"
