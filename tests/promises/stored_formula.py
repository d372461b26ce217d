"""The stored points and ranks of a season with a formula, against the plain model. Rows are read as they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date

from league.models import (
    EveningScore,
    Player,
    ResultRow,
    Season,
    SeasonAdjustment,
    SeasonFormula,
    Standing,
    Team,
    TeamStanding,
    TeamStay,
)

from .formula_traits import Trait, without
from .plain_formula import PlainSeason, Played


def differences(season: Season) -> list[str]:
    """Return the differences of the stored rows from the plain model: games, standings, the course, teams."""
    plain = read(season)
    return [*_games(season, plain), *_standings(season, plain), *_course(season, plain), *_teams(season, plain)]


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
        adjustments=[
            (mains.get(adjustment.player_id, adjustment.player_id), adjustment.points, adjustment.day)
            for adjustment in given
        ],
        mains=mains,
        teams=list(Team.objects.filter(season=season).values_list("pk", flat=True)),
        stays={player: sorted(own.items()) for player, own in stays.items()},
    )


def decisive(season: Season, traits: Iterable[Trait]) -> set[Trait]:
    """Return those of a formula's traits without which a stored rank or value would be another one, now or after one of
    the evenings."""
    plain = read(season)
    deciding = set()
    for trait in traits:
        if trait[0] == "games":
            others = ResultRow.objects.filter(season=season).exclude(evening__game=plain.values["games"] or "chratze")
            differ = others.exists()
        else:
            differ = _differ(plain, replace(plain, values=without(plain.values, trait)))
        if differ:
            deciding.add(trait)
    return deciding


def _differ(plain: PlainSeason, other: PlainSeason) -> bool:
    if plain.ranking() != other.ranking() or plain.team_ranking() != other.team_ranking():
        return True
    return any(plain.until(evening).ranking() != other.until(evening).ranking() for evening in plain.evenings[:-1])


def _games(season: Season, plain: PlainSeason) -> Iterator[str]:
    """The plain model ranks the evenings that have scores: none of the other game has any."""
    game = plain.values["games"]
    if game and (others := EveningScore.objects.filter(season=season).exclude(evening__game=game).count()):
        yield f"{others} scores of another game than {game}"


def _standings(season: Season, plain: PlainSeason) -> Iterator[str]:
    ranking, amounts = plain.ranking(), plain.values["counts"] == "net"
    for standing in Standing.objects.filter(season=season):
        actual = (standing.rank, standing.counted_minor if amounts else standing.points, standing.unranked)
        if actual != ranking[standing.player_id]:
            yield f"standing of {standing.player_id}: {actual}, but {ranking[standing.player_id]} by {plain.values}"


def _course(season: Season, plain: PlainSeason) -> Iterator[str]:
    """An evening has no column for a value in money: with a formula of amounts it keeps the points of a season without
    one, which everybody may see. Its balance is the sum of all evenings, whatever the formula."""
    amounts = plain.values["counts"] == "net"
    for evening in plain.evenings:
        until = plain.until(evening)
        ranking = until.ranking()
        for score in EveningScore.objects.filter(season=season, evening=evening):
            rank, value, _why = ranking[score.player_id]
            expected = (rank, until.points(score.player_id) if amounts else value, until.balance(score.player_id))
            actual = (score.rank_after, score.points_after, score.balance_after_minor)
            if actual != expected:
                yield f"{score.player_id} after evening {evening}: {actual}, but {expected} by {plain.values}"


def _teams(season: Season, plain: PlainSeason) -> Iterator[str]:
    ranking, amounts = plain.team_ranking(), plain.values["counts"] == "net"
    for team_standing in TeamStanding.objects.filter(season=season):
        actual = (team_standing.rank, team_standing.counted_minor if amounts else team_standing.points)
        if actual != ranking[team_standing.team_id]:
            yield f"team {team_standing.team_id}: {actual}, but {ranking[team_standing.team_id]} by {plain.values}"
