"""The ranking of a season with a formula, written over that of the SQL.

The SQL of `league.standings.counting` gives what everybody played on each evening. From all of that, and only from
that, the formula gives points and ranks after each evening; so it does not matter in which order evenings were counted.
"""

from __future__ import annotations

from django.db import connection

from ...models import Season, Standing
from .evaluate import Race, stored
from .facts import Evenings, circumstances_of, evenings_of, formula_of, race_of
from .parts import Formula

SCORE = "UPDATE league_eveningscore SET points_after = %s, rank_after = %s WHERE id = %s"
STANDING = """UPDATE league_standing SET rank = %s, rank_before = %s, points = %s, counted_minor = %s, unranked = %s
WHERE season_id = %s AND player_id = %s"""


def rank_by_formula(season: Season) -> None:
    """Write points and ranks by the season's formula, if it has one. The caller has counted its evenings and holds the
    transaction."""
    formula = formula_of(season)
    if formula is None:
        return
    race = race_of(formula, circumstances_of(season))
    evenings = evenings_of(season)
    ranks_before = _write_course(formula, race, evenings)
    if evenings.nights:
        _write_standings(season, formula, race, ranks_before)


def _write_course(formula: Formula, race: Race, evenings: Evenings) -> dict[int, int]:
    """Write points and ranks after each evening, of rows that differ. Returns the ranks before the last evening."""
    different: list[tuple[int, int, int]] = []
    before: dict[int, int] = {}
    for night, rows in zip(evenings.nights, evenings.rows, strict=True):
        last = night is evenings.nights[-1]
        race.play(night, last=last)
        ranks = race.ranks()
        for row in rows:
            rank, value, *_why = ranks[row.player]
            # Amounts never become points, which everybody may see.
            points = row.points_after if formula.in_money else stored(formula, value)
            if (points, rank) != (row.points_after, row.rank_after):
                different.append((points, rank, row.pk))
        if not last:
            before = {player: rank for player, (rank, *_why) in ranks.items()}
    if different:
        with connection.cursor() as cursor:
            cursor.executemany(SCORE, different)
    return before


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
