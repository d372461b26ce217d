"""The ranking of a season with a formula, written over that of the SQL.

The SQL of `league.standings.counting` gives everybody's score of each evening. From all these scores, and from nothing
else, the formula gives points and ranks after each evening: the order in which evenings were counted changes nothing.
A count of the newest evenings continues where the one before it was (`progress`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from django.db import connection

from ...models import Evening, Season, Standing, Team, TeamShare, TeamStanding
from .inputs import Circumstances, Evenings, circumstances_of, evenings_of, race_of, stays_of, stored_formula
from .parts import Formula
from .progress import Position, Progress, Stamp, kept
from .ranking import Race, points_and_amount, stored
from .teams import TeamLine, race_lines

SCORES = """UPDATE league_eveningscore SET points_after = due.column2, rank_after = due.column3
FROM (VALUES {rows}) AS due WHERE league_eveningscore.id = due.column1"""
AT_ONCE = 1000
"""The rows that one statement writes: on PostgreSQL a statement for each row takes twice as long."""
STANDING = """UPDATE league_standing SET rank = %s, rank_before = %s, points = %s, counted_minor = %s, unranked = %s
WHERE season_id = %s AND player_id = %s"""


def ranked_columns(formula: Formula | None) -> tuple[str, ...]:
    """Return the columns of an evening's scores that a formula writes: a formula of amounts leaves the points."""
    if formula is None:
        return ()
    return ("rank_after",) if formula.in_money else ("points_after", "rank_after")


def rank_by_formula(season: Season, *, stamp: Stamp | None = None, changed: Position | None = None) -> Progress | None:
    """Write points and ranks by the season's formula, if it has one, and the ranking of its teams. The caller has
    counted its evenings and holds the transaction.

    With the `stamp` of the count before and the first evening that `changed` since, it continues from the progress of
    that count, if this process kept it. Returns the progress of this one, None without a formula or an evening.
    """
    formula = stored_formula(season)
    if formula is None:
        return None
    circumstances = circumstances_of(season)
    known = None
    if stamp is not None and changed is not None:
        known = kept(season.pk, stamp=stamp, formula=formula, circumstances=circumstances, changed=changed)
    evenings = evenings_of(season, since=known.position if known else None)
    if known and not evenings.counted:
        # The newest evening has no hands any more: the one before it is the newest now.
        known, evenings = None, evenings_of(season)
    race = known.race.copied() if known else race_of(formula, circumstances)
    progress = known
    ranks_before: dict[int, int] = {}
    if evenings.counted:
        _write_course(formula, race, evenings, last=len(evenings.counted) - 1)
        if len(evenings.counted) > 1:
            before = evenings.counted[-2]
            progress = Progress(formula, circumstances, (before.held_on, before.number), race.copied())
        ranks_before = {player: rank for player, (rank, *_why) in race.ranks().items()}
        _write_course(formula, race, evenings, first=len(evenings.counted) - 1)
        _write_standings(season, formula, race, ranks_before)
    _rank_teams(season, formula, race, circumstances)
    return progress


def _rank_teams(season: Season, formula: Formula, race: Race, circumstances: Circumstances) -> None:
    teams = list(Team.objects.filter(season=season).order_by("pk").values_list("pk", flat=True))
    if not teams:
        return
    lines = race_lines(
        formula,
        race,
        teams=teams,
        stays=stays_of(season, circumstances.mains),
        days=dict(Evening.objects.filter(season=season).values_list("pk", "held_on")),
        adjustments=circumstances.adjustments,
    )
    _write_teams(season, formula, lines)


def forget_teams(season: Season) -> None:
    """Remove the counted rows of teams: a season without a formula ranks none."""
    for model in (TeamShare, TeamStanding):
        model.objects.filter(season=season)._raw_delete(using=connection.alias)


def _write_teams(season: Season, formula: Formula, lines: Sequence[TeamLine]) -> None:
    """Write the standings and shares of teams, if any of them differs."""
    standings = {(line.team, line.rank, *points_and_amount(formula, line.value)) for line in lines}
    shares = {
        (line.team, share.player, *points_and_amount(formula, share.value), share.counts)
        for line in lines
        for share in line.shares
    }
    columns = ("points", "counted_minor")
    known = TeamStanding.objects.filter(season=season).values_list("team_id", "rank", *columns)
    known_shares = TeamShare.objects.filter(season=season).values_list("team_id", "player_id", *columns, "counts")
    if set(known) == standings and set(known_shares) == shares:
        return
    forget_teams(season)
    TeamStanding.objects.bulk_create(
        TeamStanding(season=season, team_id=team, rank=rank, points=points, counted_minor=amount)
        for team, rank, points, amount in sorted(standings, key=lambda standing: standing[:2])
    )
    TeamShare.objects.bulk_create(
        TeamShare(season=season, team_id=team, player_id=player, points=points, counted_minor=amount, counts=counts)
        for team, player, points, amount, counts in sorted(shares, key=lambda share: share[:2])
    )


def _write_course(formula: Formula, race: Race, evenings: Evenings, *, first: int = 0, last: int | None = None) -> None:
    """Play these evenings, and write points and ranks after each of them, only in changed rows."""
    different: list[tuple[int, int, int]] = []
    for evening, rows in zip(evenings.counted[first:last], evenings.rows[first:last], strict=True):
        race.play(evening, last=evening is evenings.counted[-1])
        ranks = race.ranks()
        for row in rows:
            rank, value, *_why = ranks[row.player]
            # Amounts never become points, which everybody may see.
            points = row.points_after if formula.in_money else stored(formula, value)
            if (points, rank) != (row.points_after, row.rank_after):
                different.append((row.pk, points, rank))
    with connection.cursor() as cursor:
        for first_one in range(0, len(different), AT_ONCE):
            some = different[first_one : first_one + AT_ONCE]
            cursor.execute(SCORES.format(rows=", ".join(["(%s, %s, %s)"] * len(some))), list(chain(*some)))


def _write_standings(season: Season, formula: Formula, race: Race, before: dict[int, int]) -> None:
    ranks = race.ranks()
    rows = []
    for player, points in Standing.objects.filter(season=season).values_list("player_id", "points"):
        rank, value, unranked, _tie = ranks[player]
        amount = int(value) if formula.in_money else None
        counted = points if formula.in_money else stored(formula, value)
        rows.append((rank, before.get(player), counted, amount, unranked, season.pk, player))
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(STANDING, rows)
