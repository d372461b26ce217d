"""Make a demo database large: copy one season's hands with all their rows under new ids.

Each copy is a table of an evening with five tables. A season has forty players; with `groups` they take turns, and it
has more. A small database of the same players has the newest evenings and their copies alone. Copied evenings are
earlier than those of the demo: a new evening is the latest of its season. Keys that are random in production are
random here, and ids that are ordered by time are so here: indexes are as deep and as scattered.
"""

import hashlib
import sqlite3
from pathlib import Path

CLUB = "roessli"
SEASONS = ("2025-26", "2026-27")
"""The season that is copied, and the one that can take half of the copies."""
TABLES = 5
"""The number of tables of an evening, each with different players."""
STEP = 1_000_000
"""The difference between an id and that of the next copy."""
TIME_DIGITS = 12
"""The hexadecimal digits of an id that are its time in milliseconds."""
SPAN = 1_000_000
"""The milliseconds between two copies: more than the demo needs to be stored."""

ROWS = {
    "league_evening": "SELECT id FROM league_evening WHERE season_id = :season"
    " ORDER BY held_on DESC, number DESC LIMIT :evenings",
    "games_table": "SELECT id FROM games_table WHERE evening_id IN (SELECT id FROM base_league_evening)",
    "games_place": "SELECT id FROM games_place WHERE table_id IN (SELECT id FROM base_games_table)",
    "league_account": "SELECT pot_account_id FROM base_games_table",
    "games_hand": "SELECT id FROM games_hand WHERE table_id IN (SELECT id FROM base_games_table)",
    "league_posting": "SELECT id FROM league_posting WHERE season_id = :season"
    " AND evening_id IN (SELECT id FROM base_league_evening)",
    "league_transfer": "SELECT id FROM league_transfer WHERE season_id = :season"
    " AND posting_id IN (SELECT id FROM base_league_posting)",
    "league_paymentday": "SELECT id FROM league_paymentday WHERE posting_id IN (SELECT id FROM base_league_posting)",
    "league_resultrow": "SELECT id FROM league_resultrow WHERE season_id = :season"
    " AND posting_id IN (SELECT id FROM base_league_posting)",
    "games_revision": "SELECT id FROM games_revision WHERE hand_id IN (SELECT id FROM base_games_hand)",
    "league_submission": "SELECT submission_id FROM base_games_revision",
    "games_seat": "SELECT id FROM games_seat WHERE revision_id IN (SELECT id FROM base_games_revision)",
}
"""The condition for the rows of each table that are copied; `:evenings` is below 0 if all evenings are."""

COPY, BLOCK, GROUP = f"+ :copy * {STEP}", f"+ :block * {STEP}", f"+ :grp * {STEP}"
ACCOUNT = (
    "{0} + CASE (SELECT kind FROM league_account a WHERE a.id = {0})"
    f" WHEN 'pot' THEN :copy * {STEP} WHEN 'player' THEN :grp * {STEP} ELSE 0 END"
)
SEASON = {"season_id": ":season"}
CHANGED = {
    "league_evening": {
        "id": f"id {BLOCK}",
        "number": "number + :block * 1000",
        "held_on": "date(held_on, (-400 * :block) || ' days')",
        **SEASON,
        "submission_id": "NULL",
    },
    "games_table": {
        "id": f"id {COPY}",
        "evening_id": f"evening_id {BLOCK}",
        "number": f"number + 10 * (:grp % {TABLES})",
        "pot_account_id": f"pot_account_id {COPY}",
        "dealer_id": f"dealer_id {GROUP}",
        "first_dealer_id": f"first_dealer_id {GROUP}",
    },
    "games_place": {"id": f"id {COPY}", "table_id": f"table_id {COPY}", "player_id": f"player_id {GROUP}"},
    "league_account": {"id": f"id {COPY}"},
    "games_hand": {"id": "earlier(id, :copy)", "table_id": f"table_id {COPY}"},
    "league_transfer": {
        **SEASON,
        "id": f"id {COPY}",
        "posting_id": "earlier(posting_id, :copy)",
        **{name: ACCOUNT.format(name) for name in ("from_account_id", "to_account_id")},
    },
    "league_resultrow": {
        **SEASON,
        "id": f"id {COPY}",
        "posting_id": "earlier(posting_id, :copy)",
        "source": "earlier(source, :copy)",
        "evening_id": f"evening_id {BLOCK}",
        "player_id": f"player_id {GROUP}",
    },
    "league_posting": {
        **SEASON,
        "id": "earlier(id, :copy)",
        "source": "earlier(source, :copy)",
        "reverses_id": "earlier(reverses_id, :copy)",
        "evening_id": f"evening_id {BLOCK}",
    },
    "league_paymentday": {
        "id": f"id {COPY}",
        "posting_id": "earlier(posting_id, :copy)",
        "day": "date(day, (-400 * :block) || ' days')",
    },
    "games_revision": {
        "id": f"id {COPY}",
        "hand_id": "earlier(hand_id, :copy)",
        "posting_id": "earlier(posting_id, :copy)",
        "submission_id": f"submission_id {COPY}",
    },
    "league_submission": {"id": f"id {COPY}", "key": "fresh(key, :copy)"},
    "games_seat": {"id": f"id {COPY}", "revision_id": f"revision_id {COPY}", "player_id": f"player_id {GROUP}"},
}
"""The columns of each table that differ in a copy."""


class Growing:
    """A database file that grows. Triggers, indexes and the journal are off meanwhile, as they only slow it down."""

    def __init__(self, file: Path, *, groups: int = 1) -> None:
        self.groups = groups
        self.db = sqlite3.connect(file, isolation_level=None)
        self.db.create_function("fresh", 2, _fresh, deterministic=True)
        self.db.create_function("earlier", 2, _earlier, deterministic=True)
        for pragma in ("journal_mode=OFF", "synchronous=OFF", "cache_size=-1000000", "foreign_keys=OFF"):
            self.db.execute(f"PRAGMA {pragma}")
        (self.club,) = self.db.execute("SELECT id FROM league_club WHERE slug = ?", (CLUB,)).fetchone()
        query = "SELECT id FROM league_season WHERE club_id = ? AND slug = ?"
        self.season, self.other = (self.db.execute(query, (self.club, slug)).fetchone()[0] for slug in SEASONS)

    def grow(self, table: str, rows: int, *, halves: bool = False, evenings: int = -1) -> None:
        """Copy the season until `table` has this number of its rows; with `halves` they are those of two seasons. Each
        season gets all players. With `evenings` both seasons first lose all but their newest ones."""
        away = self.db.execute(
            "SELECT type, name, sql FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql IS NOT NULL"
        ).fetchall()
        for kind, name, _sql in away:
            self.db.execute(f"DROP {kind} {name}")
        self.db.execute("BEGIN")
        if evenings >= 0:
            self._forget_all_but(evenings)
        for name, chosen in ROWS.items():
            make = f"CREATE TEMP TABLE base_{name} AS SELECT * FROM {name} WHERE id IN ({chosen})"
            values = {"season": self.season, "evenings": evenings}
            self.db.execute(make, {key: value for key, value in values.items() if f":{key}" in chosen})
        for group in range(1, TABLES * self.groups):
            self._people(group)
        (base,) = self.db.execute(f"SELECT COUNT(*) FROM base_{table}").fetchone()
        of_all_players = TABLES * self.groups * (2 if halves else 1)
        copies = max(of_all_players, -(-rows // base))
        for copy in range(1, copies):
            # The tables of one evening are in one season.
            half = halves and copy - copy % TABLES >= copies / 2
            self._copy(copy, self.other if half else self.season)
        self._number_evenings()
        self.db.execute("COMMIT")
        for _kind, _name, sql in away:
            self.db.execute(sql)
        self.db.close()

    def _forget_all_but(self, evenings: int) -> None:
        """Delete all evenings but the newest of each season, and whatever refers to one that is gone."""
        for season in (self.season, self.other):
            newest = "SELECT id FROM league_evening WHERE season_id = ? ORDER BY held_on DESC, number DESC LIMIT ?"
            self.db.execute(
                f"DELETE FROM league_evening WHERE season_id = ? AND id NOT IN ({newest})", (season, season, evenings)
            )
        tables = [name for (name,) in self.db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        references = [
            (table, column, target, key)
            for table in tables
            for _id, _place, target, column, key, *_ in self.db.execute(f"PRAGMA foreign_key_list({table})")
        ]
        gone = 1
        while gone:
            gone = sum(
                self.db.execute(
                    f"DELETE FROM {table} WHERE {column} IS NOT NULL AND {column} NOT IN (SELECT {key} FROM {target})"
                ).rowcount
                for table, column, target, key in references
            )

    def _people(self, group: int) -> None:
        """Copy the players, each with a ledger account."""
        mine = f"club_id = {self.club} AND id < {STEP}"
        player = {"id": f"id {GROUP}", "nickname": "nickname || ' ' || :grp", "user_id": "NULL"}
        self._insert("league_player", f"league_player WHERE {mine}", player, grp=group)
        account = {"id": f"id {GROUP}", "player_id": f"player_id {GROUP}"}
        self._insert("league_account", f"league_account WHERE {mine} AND kind = 'player'", account, grp=group)

    def _copy(self, copy: int, season: int) -> None:
        block, table = divmod(copy, TABLES)
        group = table + TABLES * (block % self.groups)
        for name, changed in CHANGED.items():
            # The tables of one evening share it; the first block uses the existing evenings.
            if name == "league_evening" and (table != 0 or block == 0):
                continue
            self._insert(name, f"base_{name}", changed, copy=copy, block=block, grp=group, season=season)

    def _number_evenings(self) -> None:
        """Number the evenings of each season by date, as if none had been added later."""
        seasons = f"season_id IN ({self.season}, {self.other})"
        self.db.execute(f"UPDATE league_evening SET number = number + {STEP} WHERE {seasons}")
        ordered = "ROW_NUMBER() OVER (PARTITION BY season_id ORDER BY held_on, number)"
        self.db.execute(
            f"UPDATE league_evening SET number = o.number FROM (SELECT id, {ordered} AS number FROM league_evening"
            f" WHERE {seasons}) o WHERE o.id = league_evening.id"
        )

    def _insert(self, table: str, source: str, changed: dict[str, str], **values: int) -> None:
        columns = [column[1] for column in self.db.execute(f"PRAGMA table_info({table})")]
        values_sql = ", ".join(changed.get(column, f'"{column}"') for column in columns)
        names = ", ".join(f'"{column}"' for column in columns)
        self.db.execute(f"INSERT INTO {table} ({names}) SELECT {values_sql} FROM {source}", values)


def _fresh(key: str | None, copy: int) -> str | None:
    """Return the hexadecimal digits of a UUID for this copy of a row."""
    return None if key is None else hashlib.md5(f"{key}{copy}".encode(), usedforsecurity=False).hexdigest()


def _earlier(key: str | None, copy: int) -> str | None:
    """Return the hexadecimal digits of a UUID for this copy of a row whose id is ordered by time: the copies are
    stored before it, the last one first."""
    if key is None:
        return None
    return f"{int(key[:TIME_DIGITS], 16) - copy * SPAN:012x}7{(_fresh(key, copy) or '')[TIME_DIGITS + 1 :]}"
