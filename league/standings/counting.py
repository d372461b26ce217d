"""Count standings, statistics and balances of a season in SQL, from result rows and transfers.

The result rows are read once, into one row for each evening and player; standings are counted from these.
"""

from __future__ import annotations

import time

from django.db import OperationalError, connection, transaction
from django.utils import timezone

from ..models import Balance, EveningScore, Player, Season, SeasonCount, Standing, Webhook
from ..webhooks.queue import Data, enqueue

SERIALIZATION_FAILURE = "40001"

COUNTERS = (
    ("hands", "COUNT(*) FILTER (WHERE role <> 'share')"),
    ("declared", "COUNT(*) FILTER (WHERE role = 'declarer' AND NOT muss)"),
    ("declared_made", "COUNT(*) FILTER (WHERE role = 'declarer' AND NOT muss AND made)"),
    ("joined", "COUNT(*) FILTER (WHERE role = 'joiner' AND NOT muss)"),
    ("joined_made", "COUNT(*) FILTER (WHERE role = 'joiner' AND NOT muss AND made)"),
    ("out", "COUNT(*) FILTER (WHERE role = 'out' AND NOT passed_out)"),
    ("blinds", "COUNT(*) FILTER (WHERE role = 'declarer' AND blind <> '')"),
    ("blinds_made", "COUNT(*) FILTER (WHERE role = 'declarer' AND blind <> '' AND made)"),
    ("walkovers", "COUNT(*) FILTER (WHERE role = 'declarer' AND walkover)"),
    ("susi", "COUNT(*) FILTER (WHERE susi)"),
    ("biggest_pot_minor", "MAX(pot_won_minor)"),
    ("musses", "COUNT(*) FILTER (WHERE muss)"),
    ("musses_made", "COUNT(*) FILTER (WHERE muss AND made)"),
)
NAMES = ", ".join(name for name, _ in COUNTERS)

# Nobody chooses to declare in a Muss: everybody gets the points of joining.
POINTS = """SUM(CASE WHEN muss AND made THEN %(joined)s
                     WHEN muss THEN %(joined_failed)s
                     WHEN role = 'declarer' AND walkover THEN %(walkover)s
                     WHEN role = 'declarer' AND made THEN %(declared)s
                     WHEN role = 'declarer' THEN %(declared_failed)s
                     WHEN role = 'joiner' AND made THEN %(joined)s
                     WHEN role = 'joiner' THEN %(joined_failed)s
                     ELSE 0 END)"""

ONE_GAME = " AND evening_id IN (SELECT id FROM league_evening WHERE game = %(games)s)"

# Merged players are one line. The statement for it is used only in clubs with merged players.
EACH_ALONE = "SELECT * FROM played"
ADDED_UP = ", ".join(
    f"CAST({'MAX' if name == 'biggest_pot_minor' else 'SUM'}(n.{name}) AS bigint) AS {name}"
    for name in (*(name for name, _ in COUNTERS), "points", "change_minor")
)
MERGED = f"""SELECT n.evening_id, COALESCE(p.main_id, n.player_id) AS player_id, {ADDED_UP}
    FROM played n JOIN league_player p ON p.id = n.player_id
    GROUP BY n.evening_id, COALESCE(p.main_id, n.player_id)"""

# All evenings count: a running sum. Only the best ones do: for each evening, the best of those up to it.
ALL_EVENINGS = """SELECT player_id, nth, SUM(points) OVER (PARTITION BY player_id ORDER BY nth) AS points FROM grid"""
BEST_EVENINGS = """SELECT player_id, nth, SUM(points) AS points FROM (
        SELECT g.player_id, g.nth, p.points,
               ROW_NUMBER() OVER (PARTITION BY g.player_id, g.nth ORDER BY p.points DESC, p.nth) AS place
        FROM grid g JOIN grid p ON p.player_id = g.player_id AND p.nth <= g.nth AND p.hands > 0
    ) upto WHERE place <= %(best)s GROUP BY player_id, nth"""

EVENING_SCORES = f"""
INSERT INTO league_eveningscore (season_id, evening_id, player_id, {NAMES}, points, change_minor,
                               points_after, balance_after_minor, rank_after)
WITH played AS (
    SELECT evening_id, player_id, {", ".join(f"{sql} AS {name}" for name, sql in COUNTERS)},
           {POINTS} AS points, SUM(change_minor) AS change_minor
    FROM league_resultrow WHERE season_id = %(season)s{{counted}} GROUP BY evening_id, player_id
), evening AS (
    {{persons}}
), held AS (
    SELECT id, ROW_NUMBER() OVER (ORDER BY held_on, number) AS nth
    FROM league_evening WHERE id IN (SELECT evening_id FROM evening)
), since AS (
    SELECT n.player_id, MIN(h.nth) AS nth FROM evening n JOIN held h ON h.id = n.evening_id GROUP BY n.player_id
), grid AS (
    SELECT h.id AS evening_id, h.nth, s.player_id,
           {", ".join(f"COALESCE(n.{name}, 0) AS {name}" for name, _ in COUNTERS)},
           COALESCE(n.points, 0) AS points, COALESCE(n.change_minor, 0) AS change_minor
    FROM held h JOIN since s ON s.nth <= h.nth
    LEFT JOIN evening n ON n.evening_id = h.id AND n.player_id = s.player_id
), scored AS (
    {{scored}}
), course AS (
    SELECT g.*, s.points AS points_after,
           SUM(g.change_minor) OVER (PARTITION BY g.player_id ORDER BY g.nth) AS balance_after_minor
    FROM grid g JOIN scored s ON s.player_id = g.player_id AND s.nth = g.nth
)
SELECT %(season)s, evening_id, player_id, {NAMES}, points, change_minor, points_after, balance_after_minor,
       RANK() OVER (PARTITION BY nth ORDER BY {{ranked}} DESC)
FROM course
"""

STANDINGS = f"""
INSERT INTO league_standing (season_id, player_id, rank, rank_before, points, balance_minor, evenings, {NAMES},
                             best_night_minor, worst_night_minor, best_night_points, worst_night_points)
WITH held AS (
    SELECT e.id, ROW_NUMBER() OVER (ORDER BY e.held_on DESC, e.number DESC) AS back
    FROM league_evening e WHERE e.id IN (SELECT evening_id FROM league_eveningscore WHERE season_id = %(season)s)
), now AS (
    SELECT n.* FROM league_eveningscore n JOIN held h ON h.id = n.evening_id AND h.back = 1
    WHERE n.season_id = %(season)s
), before AS (
    SELECT n.player_id, n.rank_after FROM league_eveningscore n JOIN held h ON h.id = n.evening_id AND h.back = 2
    WHERE n.season_id = %(season)s
), total AS (
    SELECT player_id, COUNT(*) AS evenings,
           {", ".join(f"{'MAX' if name == 'biggest_pot_minor' else 'SUM'}({name}) AS {name}" for name, _ in COUNTERS)},
           MAX(change_minor) AS best_night_minor, MIN(change_minor) AS worst_night_minor,
           MAX(points) AS best_night_points, MIN(points) AS worst_night_points
    FROM league_eveningscore WHERE season_id = %(season)s AND hands > 0 GROUP BY player_id
)
SELECT %(season)s, t.player_id, n.rank_after, b.rank_after, n.points_after, n.balance_after_minor, t.evenings,
       {", ".join(f"t.{name}" for name, _ in COUNTERS)},
       t.best_night_minor, t.worst_night_minor, t.best_night_points, t.worst_night_points
FROM total t JOIN now n ON n.player_id = t.player_id LEFT JOIN before b ON b.player_id = t.player_id
"""

BALANCES = """
INSERT INTO league_balance (season_id, account_id, balance_minor)
SELECT %(season)s, account_id, SUM(amount) FROM (
    SELECT to_account_id AS account_id, amount_minor AS amount FROM league_transfer WHERE season_id = %(season)s
    UNION ALL
    SELECT from_account_id, -amount_minor FROM league_transfer WHERE season_id = %(season)s
) moved GROUP BY account_id
"""


def count_season(season_id: int) -> bool:
    """Count a season if its ledger mark is above its counted mark. Returns True if it was counted now.

    Safe to run twice and at once: one counts, the other returns. If it is killed, the old count and mark stay.
    """
    try:
        return _count_once(season_id)
    except OperationalError as fault:
        if getattr(fault.__cause__, "sqlstate", None) != SERIALIZATION_FAILURE:
            raise
        # Another worker counted the season between our snapshot and our lock; it checks the marks after its commit.
        return False


def _count_once(season_id: int) -> bool:
    outermost = not connection.in_atomic_block
    with transaction.atomic():
        if connection.vendor == "postgresql" and outermost:
            # All statements must read the same hands, or a standing could be counted from two states.
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        season = Season.objects.filter(pk=season_id).first()
        count = _claim(season) if season else None
        if count is None or season is None or count.counted_mark >= season.ledger_mark:
            return False
        started = time.monotonic()
        recount(season)
        count.counted_mark = season.ledger_mark
        count.counted_at = timezone.now()
        count.took_ms = round((time.monotonic() - started) * 1000)
        count.save()
        subject = f"season:{season.pk}:{count.counted_mark}"
        data: Data = {"season": season.slug, "mark": count.counted_mark}
        enqueue(Webhook.Event.COUNTED, club_id=season.club_id, subject=subject, data=data)
    return True


def _claim(season: Season) -> SeasonCount | None:
    """The season's count, locked; None while another worker counts it."""
    counts = SeasonCount.objects.filter(pk=season.pk)
    skips = connection.features.has_select_for_update_skip_locked
    locked = counts.select_for_update(skip_locked=True) if skips else counts
    found = locked.first()
    if found is None and not counts.exists():
        SeasonCount.objects.bulk_create([SeasonCount(season=season)], ignore_conflicts=True)
        found = locked.first()
    return found


def recount(season: Season) -> None:
    """Count the season's evenings, standings and balances from scratch. The caller holds the transaction.

    On PostgreSQL without just-in-time compilation until the transaction ends: it would take fifty times as long as the
    statements themselves.
    """
    values: dict[str, int | str | None] = {
        "season": season.pk,
        "games": season.games,
        "best": season.best_evenings,
        "declared": season.points_declared,
        "declared_failed": season.points_declared_failed,
        "joined": season.points_joined,
        "joined_failed": season.points_joined_failed,
        "walkover": season.points_walkover,
    }
    evening_scores = EVENING_SCORES.format(
        counted=ONE_GAME if season.games else "",
        persons=MERGED if Player.objects.filter(club=season.club_id, main__isnull=False).exists() else EACH_ALONE,
        scored=ALL_EVENINGS if season.best_evenings is None else BEST_EVENINGS,
        ranked="points_after" if season.ranking == Season.Ranking.POINTS else "balance_after_minor",
    )
    for model in (Standing, EveningScore, Balance):
        # Raw, as no row refers to these: Django need not collect what would cascade.
        model.objects.filter(season=season)._raw_delete(using=connection.alias)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL jit = off")
        for statement in (evening_scores, STANDINGS, BALANCES):
            cursor.execute(statement, values)
