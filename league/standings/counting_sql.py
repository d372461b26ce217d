"""The statements that count a season: from scratch, or only the evenings with new postings and the sums after them.

The result rows are read once, into one row for each evening and player; standings are counted from these.
"""

# Who plays alone takes the pot without play. In a game without a declarer this is a joiner; such a hand counts as a
# declared one that nobody joined, so that those who joined are the hands with a goal.
ALONE = "(walkover AND role <> 'out')"

COUNTERS = (
    ("hands", "COUNT(*) FILTER (WHERE role <> 'share')"),
    ("declared", f"COUNT(*) FILTER (WHERE NOT muss AND (role = 'declarer' OR {ALONE}))"),
    ("declared_made", "COUNT(*) FILTER (WHERE made AND NOT muss AND role = 'declarer')"),
    ("joined", "COUNT(*) FILTER (WHERE NOT muss AND role = 'joiner' AND NOT walkover)"),
    ("joined_made", "COUNT(*) FILTER (WHERE made AND NOT muss AND role = 'joiner')"),
    ("out", "COUNT(*) FILTER (WHERE NOT passed_out AND role = 'out')"),
    ("blinds", "COUNT(*) FILTER (WHERE blind <> '' AND role = 'declarer')"),
    ("blinds_made", "COUNT(*) FILTER (WHERE made AND blind <> '' AND role = 'declarer')"),
    ("walkovers", f"COUNT(*) FILTER (WHERE {ALONE})"),
    ("susi", "COUNT(*) FILTER (WHERE susi)"),
    ("biggest_pot_minor", "MAX(pot_won_minor)"),
    ("musses", "COUNT(*) FILTER (WHERE muss)"),
    ("musses_made", "COUNT(*) FILTER (WHERE muss AND made)"),
)
NAMES = ", ".join(name for name, _ in COUNTERS)
SUMS = ("evenings", *(name for name, _ in COUNTERS if name != "biggest_pot_minor"))

# The points are computed from the counters, which is cheaper than a CASE for each row. Nobody chooses to declare in a
# Muss: everybody gets the points of joining. Of the walkovers, those in no Muss have their own points.
WALKED = f"""COUNT(*) FILTER (WHERE {ALONE} AND NOT muss) AS walked,
           COUNT(*) FILTER (WHERE {ALONE} AND made AND NOT muss) AS walked_made"""
POINTS = """%(joined)s * (joined_made + musses_made)
           + %(joined_failed)s * (joined - joined_made + musses - musses_made)
           + %(walkover)s * walked + %(declared)s * (declared_made - walked_made)
           + %(declared_failed)s * (declared - walked - declared_made + walked_made)"""

ONE_GAME = " AND evening_id IN (SELECT id FROM league_evening WHERE game = %(games)s)"

# The points that a tournament gave: the evening that stands for it has no hands.
AWARDED = f"""SELECT evening_id, player_id, {", ".join("0" for _ in COUNTERS)}, points, 0
    FROM league_seasonaward WHERE season_id = %(season)s{{counted}}"""

# The totals of imported evenings; their amounts are in the result rows of these evenings.
IMPORTED = f"""
    UNION ALL SELECT evening_id, player_id, hands, {", ".join("0" for _ in COUNTERS[1:])}, points, 0
    FROM league_importedtotal WHERE season_id = %(season)s AND NOT undone{{counted}}"""

# Whether a player can have several lines for one evening.
HAS_SEVERAL = """SELECT EXISTS (SELECT 1 FROM league_player WHERE club_id = %(club)s AND main_id IS NOT NULL),
    EXISTS (SELECT 1 FROM league_importedtotal WHERE season_id = %(season)s)"""

# Merged players are one line, and so is an imported evening. The statement for it is used only where there are such.
EACH_ALONE = "SELECT * FROM played"
ADDED_UP = ", ".join(
    f"CAST({'MAX' if name == 'biggest_pot_minor' else 'SUM'}(n.{name}) AS bigint) AS {name}"
    for name in (*(name for name, _ in COUNTERS), "points", "change_minor")
)
MERGED = f"""SELECT n.evening_id, COALESCE(p.main_id, n.player_id) AS player_id, {ADDED_UP}
    FROM played n JOIN league_player p ON p.id = n.player_id
    GROUP BY n.evening_id, COALESCE(p.main_id, n.player_id)"""

# All evenings count: a running sum. Only the best ones do: for each evening, the best of those up to it, and the points
# of tournaments.
ALL_EVENINGS = "COALESCE(b.points_after, 0) + SUM(g.points) OVER upto"
BEST_ONLY = """COALESCE(s.points, 0) + SUM(CASE WHEN g.hands = 0 THEN g.points ELSE 0 END) OVER upto{earlier_awards}"""
# A share of a pot is no part in a season: whoever has nothing else is ranked after all others and has no standing.
TAKES_PART = "hands > 0 OR points <> 0"
TOOK_PART = """CASE WHEN EXISTS (SELECT 1 FROM league_eveningscore m WHERE m.season_id = %(season)s
        AND m.player_id = n.player_id AND m.hands > 0 AND m.evening_id NOT IN ({counted}))
    OR EXISTS (SELECT 1 FROM league_eveningscore m WHERE m.season_id = %(season)s
        AND m.player_id = n.player_id AND m.points <> 0 AND m.evening_id NOT IN ({counted})
        AND m.evening_id IN (SELECT evening_id FROM league_seasonaward WHERE season_id = %(season)s))
    THEN 1 ELSE 0 END"""
# Tournaments are few: their evenings are named, so that not all evenings of each player are read.
EARLIER_AWARDS = """ + COALESCE((SELECT SUM(m.points) FROM league_eveningscore m WHERE m.season_id = %(season)s
    AND m.player_id = g.player_id AND m.hands = 0 AND m.evening_id NOT IN ({counted})
    AND m.evening_id IN (SELECT evening_id FROM league_seasonaward WHERE season_id = %(season)s)), 0)"""
BEST_EVENINGS = """LEFT JOIN (SELECT player_id, nth, SUM(points) AS points FROM (
        SELECT g.player_id, g.nth, p.points,
               ROW_NUMBER() OVER (PARTITION BY g.player_id, g.nth ORDER BY p.points DESC, p.nth) AS place
        FROM grid g JOIN (
            SELECT player_id, nth, points FROM grid WHERE hands > 0
            {earlier}
        ) p ON p.player_id = g.player_id AND p.nth <= g.nth
    ) ranked WHERE place <= %(best)s GROUP BY player_id, nth
    ) s ON s.player_id = g.player_id AND s.nth = g.nth"""

# Without these parts a season is counted from scratch: all its evenings, and nothing before them.
# Of the evenings before, those that may still be among a player's best: the index of points gives them at once.
EARLIER = """UNION ALL SELECT n.player_id, 0, n.points FROM (
                SELECT b.player_id, (
                    SELECT m.points FROM league_eveningscore m
                    WHERE m.season_id = %(season)s AND m.player_id = b.player_id AND m.hands > 0
                    AND m.evening_id NOT IN ({counted}) ORDER BY m.points DESC LIMIT 1 OFFSET %(best)s - 1
                ) AS points FROM before b
            ) nth_best JOIN league_eveningscore n
            ON n.player_id = nth_best.player_id AND n.points >= COALESCE(nth_best.points, -1000000000)
            WHERE n.season_id = %(season)s AND n.hands > 0 AND n.evening_id NOT IN ({counted})"""
LATER = f"""UNION ALL SELECT evening_id, player_id, {NAMES}, points, change_minor FROM league_eveningscore
    WHERE season_id = %(season)s AND evening_id IN ({{kept}})"""
IN_PLACE = f"""INSERT INTO league_eveningscore (season_id, evening_id, player_id, {NAMES}, points, change_minor,
                               points_after, balance_after_minor, rank_after)
SELECT %(season)s, score.* FROM ({{scores}}) score WHERE true
ON CONFLICT (season_id, evening_id, player_id) DO UPDATE SET points_after = excluded.points_after,
    balance_after_minor = excluded.balance_after_minor, rank_after = excluded.rank_after"""

EVENING_SCORES = f"""
WITH played AS (
    SELECT evening_id, player_id, {NAMES}, {POINTS} AS points, change_minor FROM (
        SELECT evening_id, player_id, {", ".join(f"{sql} AS {name}" for name, sql in COUNTERS)},
               {WALKED}, CAST(SUM(change_minor) AS bigint) AS change_minor
        FROM league_resultrow WHERE season_id = %(season)s{{counted}} GROUP BY evening_id, player_id
    ) summed
    UNION ALL {AWARDED}{{imported}}
), evening AS (
    {{persons}}
    {{later}}
), before AS (
    SELECT n.player_id, n.points_after, n.balance_after_minor, {{took_part}} AS took_part FROM league_eveningscore n
    WHERE n.season_id = %(season)s AND n.evening_id = %(before)s
), held AS (
    SELECT id, ROW_NUMBER() OVER (ORDER BY held_on, number) AS nth
    FROM league_evening WHERE id IN (SELECT evening_id FROM evening)
), since AS (
    SELECT player_id, MIN(nth) AS nth FROM (
        SELECT n.player_id, h.nth FROM evening n JOIN held h ON h.id = n.evening_id
        UNION ALL SELECT player_id, 0 FROM before
    ) seen GROUP BY player_id
), grid AS (
    SELECT h.id AS evening_id, h.nth, s.player_id,
           {", ".join(f"COALESCE(n.{name}, 0) AS {name}" for name, _ in COUNTERS)},
           COALESCE(n.points, 0) AS points, COALESCE(n.change_minor, 0) AS change_minor
    FROM held h JOIN since s ON s.nth <= h.nth
    LEFT JOIN evening n ON n.evening_id = h.id AND n.player_id = s.player_id
), course AS (
    SELECT g.*, CAST({{points_after}} AS bigint) AS points_after,
           CAST(COALESCE(b.balance_after_minor, 0) + SUM(g.change_minor) OVER upto AS bigint) AS balance_after_minor,
           COALESCE(b.took_part, 0)
               + SUM(CASE WHEN g.hands > 0 OR g.points <> 0 THEN 1 ELSE 0 END) OVER upto > 0 AS took_part
    FROM grid g LEFT JOIN before b ON b.player_id = g.player_id {{best}}
    WINDOW upto AS (PARTITION BY g.player_id ORDER BY g.nth)
)
SELECT evening_id, player_id, {NAMES}, points, change_minor, points_after, balance_after_minor,
       RANK() OVER (PARTITION BY nth ORDER BY took_part DESC, {{ranked}} DESC) AS rank_after
FROM course
"""

SCORES_IN_ORDER = """SELECT e.id, e.held_on, e.number, score.player_id, score.hands, score.points, score.change_minor
FROM ({scores}) score JOIN league_evening e ON e.id = score.evening_id ORDER BY e.held_on, e.number, score.player_id
"""

# The scores of some tables only: `{hands}` is a query of the postings of their hands.
TABLE_HANDS = """
WITH picked AS MATERIALIZED ({hands})
SELECT evening_id, COUNT(DISTINCT picked.posting_id) FROM picked
JOIN league_resultrow ON league_resultrow.posting_id = picked.posting_id
WHERE season_id = %(season)s AND role <> 'share' GROUP BY evening_id
"""
TABLE_SCORES = f"""
WITH picked AS MATERIALIZED ({{hands}}), played AS (
    SELECT evening_id, player_id, {NAMES}, {POINTS} AS points, change_minor FROM (
        SELECT evening_id, player_id, {", ".join(f"{sql} AS {name}" for name, sql in COUNTERS)},
               {WALKED}, CAST(SUM(change_minor) AS bigint) AS change_minor
        FROM picked JOIN league_resultrow ON league_resultrow.posting_id = picked.posting_id
        WHERE season_id = %(season)s GROUP BY evening_id, player_id
    ) summed
)
SELECT e.id, e.number, e.held_on, e.game, p.id, p.nickname, {", ".join(f"score.{name}" for name, _ in COUNTERS)},
       score.points, score.change_minor, e.imported_id
FROM ({{persons}}) score JOIN league_evening e ON e.id = score.evening_id JOIN league_player p ON p.id = score.player_id
WHERE %(games)s IN ('', e.game) ORDER BY e.held_on, e.number, p.id
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
    SELECT player_id, COUNT(*) FILTER (WHERE hands > 0) AS evenings,
           {", ".join(f"{'MAX' if name == 'biggest_pot_minor' else 'SUM'}({name}) AS {name}" for name, _ in COUNTERS)},
           COALESCE(MAX(change_minor) FILTER (WHERE hands > 0), 0) AS best_night_minor,
           COALESCE(MIN(change_minor) FILTER (WHERE hands > 0), 0) AS worst_night_minor,
           COALESCE(MAX(points) FILTER (WHERE hands > 0), 0) AS best_night_points,
           COALESCE(MIN(points) FILTER (WHERE hands > 0), 0) AS worst_night_points
    FROM league_eveningscore WHERE season_id = %(season)s AND ({TAKES_PART}) GROUP BY player_id
)
SELECT %(season)s, t.player_id, n.rank_after, b.rank_after, n.points_after, n.balance_after_minor, t.evenings,
       {", ".join(f"t.{name}" for name, _ in COUNTERS)},
       t.best_night_minor, t.worst_night_minor, t.best_night_points, t.worst_night_points
FROM total t JOIN now n ON n.player_id = t.player_id LEFT JOIN before b ON b.player_id = t.player_id
"""

# Accounts are few: it is cheaper to add up the transfers between each two of them first than to read every transfer
# twice.
BALANCES = """
WITH moved AS (
    SELECT from_account_id, to_account_id, SUM(amount_minor) AS amount
    FROM league_transfer WHERE season_id = %(season)s GROUP BY from_account_id, to_account_id
)
SELECT account_id, CAST(SUM(amount) AS bigint) AS balance_minor FROM (
    SELECT to_account_id AS account_id, amount FROM moved UNION ALL SELECT from_account_id, -amount FROM moved
) either GROUP BY account_id
"""

# --- The lines that differ from the stored ones ----------------------------------------------------------

# A query is computed into a temporary table: there PostgreSQL uses several processes, which it never does in an INSERT.
# Lines that are stored already are not written again: to write and to check foreign keys takes longer than to count.
COMPUTED = "CREATE TEMPORARY TABLE computed AS {query}"
GONE = """
DELETE FROM {table} WHERE season_id = %(season)s AND ({keys}) IN (
    SELECT {keys} FROM {table} WHERE season_id = %(season)s EXCEPT SELECT {keys} FROM computed
)
"""
DIFFERENT = """
INSERT INTO {table} (season_id, {columns})
SELECT %(season)s, {columns} FROM computed WHERE ({keys}) IN (SELECT {keys} FROM (
    SELECT {compared} FROM computed EXCEPT SELECT {compared} FROM {table} WHERE season_id = %(season)s
) different)
ON CONFLICT (season_id, {keys}) DO UPDATE SET {changes}
"""
FORGOTTEN = "DROP TABLE computed"

# --- Incremental count -----------------------------------------------------------------------------------

WAITING = "SELECT posting_id FROM league_uncountedposting WHERE season_id = %(season)s"
# The postings of one transaction may share a mark.
WAITING_MARKS = (
    "SELECT COUNT(DISTINCT ledger_mark), MIN(ledger_mark) FROM league_uncountedposting WHERE season_id = %(season)s"
)
DELETE_WAITING = "DELETE FROM league_uncountedposting WHERE season_id = %(season)s"

CHANGED_EVENINGS = """
SELECT DISTINCT p.evening_id FROM league_posting p
WHERE p.id IN ({postings}) AND p.evening_id IS NOT NULL{counted}
AND NOT EXISTS (SELECT 1 FROM league_transfer t WHERE t.posting_id = p.id AND t.kind = 'paid')
"""

# On the day of the first changed evening other evenings may come before it.
EVENINGS_SINCE = """
SELECT id, held_on, number FROM league_evening
WHERE season_id = %(season)s AND held_on >= (SELECT MIN(held_on) FROM league_evening WHERE id IN ({changed}))
ORDER BY held_on, number
"""

NEWEST_WITH_SCORES = """
SELECT e.id FROM league_evening e WHERE e.season_id = %(season)s{earlier} AND EXISTS (
    SELECT 1 FROM league_eveningscore n WHERE n.season_id = %(season)s AND n.evening_id = e.id
) ORDER BY e.held_on DESC, e.number DESC LIMIT %(limit)s
"""
# The first condition is redundant: an index of dates can use only that one.
BEFORE = " AND e.held_on <= %(held_on)s AND (e.held_on < %(held_on)s OR e.number < %(number)s)"

NOT_KEPT = """
DELETE FROM league_eveningscore WHERE season_id = %(season)s AND evening_id IN ({changed}, {kept})
AND (evening_id IN ({changed}) OR hands = 0 AND change_minor = 0 AND points = 0)
"""

# The part of these evenings in the sums of each standing: taken out before they are counted, put in afterwards.
# `STANDINGS_NOW` writes the other columns.
STANDINGS_PART = f"""
INSERT INTO league_standing (season_id, player_id, rank, points, balance_minor, evenings, {NAMES},
                             best_night_minor, worst_night_minor, best_night_points, worst_night_points)
SELECT %(season)s, player_id, 0, 0, 0, COUNT(*) FILTER (WHERE hands > 0),
       {", ".join(f"SUM({name})" for name, _ in COUNTERS)}, 0, 0, 0, 0
FROM league_eveningscore WHERE season_id = %(season)s AND evening_id IN ({{changed}}) AND ({TAKES_PART})
GROUP BY player_id
ON CONFLICT (season_id, player_id) DO UPDATE SET
    {", ".join(f"{name} = league_standing.{name} {{sign}} excluded.{name}" for name in SUMS)}
"""

NOBODY = """DELETE FROM league_standing WHERE season_id = %(season)s AND evenings = 0 AND NOT EXISTS (
    SELECT 1 FROM league_eveningscore n WHERE n.season_id = %(season)s AND n.player_id = league_standing.player_id
    AND n.points <> 0)"""

_OWN = "FROM league_eveningscore n WHERE n.season_id = %(season)s AND n.player_id = league_standing.player_id"
_PLAYED = f"{_OWN} AND n.hands > 0"
STANDINGS_NOW = f"""
UPDATE league_standing SET
    (rank, points, balance_minor) =
        (SELECT n.rank_after, n.points_after, n.balance_after_minor {_OWN} AND n.evening_id = %(newest)s),
    rank_before = (SELECT n.rank_after {_OWN} AND n.evening_id = %(second)s),
    biggest_pot_minor = (SELECT COALESCE(MAX(n.biggest_pot_minor), 0) {_PLAYED}),
    best_night_minor = (SELECT COALESCE(MAX(n.change_minor), 0) {_PLAYED}),
    worst_night_minor = (SELECT COALESCE(MIN(n.change_minor), 0) {_PLAYED}),
    best_night_points = (SELECT COALESCE(MAX(n.points), 0) {_PLAYED}),
    worst_night_points = (SELECT COALESCE(MIN(n.points), 0) {_PLAYED})
WHERE season_id = %(season)s
"""

# These postings are named: a join with those that wait would read all transfers when the statistics of the database are
# of a moment in which many waited.
NEW_BALANCES = """
INSERT INTO league_balance (season_id, account_id, balance_minor)
SELECT %(season)s, account_id, SUM(amount) FROM (
    SELECT t.to_account_id AS account_id, t.amount_minor AS amount
    FROM league_transfer t WHERE t.posting_id IN ({postings})
    UNION ALL
    SELECT t.from_account_id, -t.amount_minor FROM league_transfer t WHERE t.posting_id IN ({postings})
) moved WHERE true GROUP BY account_id
ON CONFLICT (season_id, account_id) DO UPDATE SET balance_minor = league_balance.balance_minor + excluded.balance_minor
"""
