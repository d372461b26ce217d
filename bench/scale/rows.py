"""Read the rows of a club from PostgreSQL as the cells of COPY, with the club, season or evening they belong to."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import psycopg
from psycopg.sql import SQL, Identifier

NULL = r"\N"
Cells = list[str]

OF_EVENING = {
    "league_evening": "SELECT t.id AS evening, t.* FROM league_evening t WHERE t.club_id = {club}",
    "games_table": "SELECT t.evening_id, t.* FROM games_table t {table}",
    "games_tableversion": "SELECT g.evening_id, t.* FROM games_tableversion t"
    " JOIN games_table g ON g.id = t.table_id {g}",
    "games_place": "SELECT g.evening_id, t.* FROM games_place t JOIN games_table g ON g.id = t.table_id {g}",
    "games_firstseat": "SELECT g.evening_id, t.* FROM games_firstseat t JOIN games_table g ON g.id = t.table_id {g}",
    "league_account": "SELECT g.evening_id, t.* FROM league_account t"
    " JOIN games_table g ON g.pot_account_id = t.id {g}",
    "games_hand": "SELECT g.evening_id, t.* FROM games_hand t JOIN games_table g ON g.id = t.table_id {g}",
    "games_revision": "SELECT g.evening_id, t.* FROM games_revision t JOIN games_hand h ON h.id = t.hand_id"
    " JOIN games_table g ON g.id = h.table_id {g}",
    "games_seat": "SELECT g.evening_id, t.* FROM games_seat t JOIN games_revision r ON r.id = t.revision_id"
    " JOIN games_hand h ON h.id = r.hand_id JOIN games_table g ON g.id = h.table_id {g}",
    "games_happening": "SELECT g.evening_id, t.* FROM games_happening t JOIN games_table g ON g.id = t.table_id {g}",
    "league_posting": "SELECT t.evening_id, t.* FROM league_posting t"
    " WHERE t.club_id = {club} AND t.evening_id IS NOT NULL",
    "league_transfer": "SELECT p.evening_id, t.* FROM league_transfer t JOIN league_posting p ON p.id = t.posting_id"
    " WHERE p.club_id = {club} AND p.evening_id IS NOT NULL",
    "league_resultrow": "SELECT t.evening_id, t.* FROM league_resultrow t {evening}",
    "league_closing": "SELECT t.evening_id, t.* FROM league_closing t {evening}",
    "league_payment": "SELECT c.evening_id, t.* FROM league_payment t JOIN league_closing c ON c.id = t.closing_id {c}",
    "league_paymentday": "SELECT p.evening_id, t.* FROM league_paymentday t"
    " JOIN league_posting p ON p.id = t.posting_id"
    " WHERE p.club_id = {club} AND p.evening_id IS NOT NULL",
    "league_receipt": "SELECT c.evening_id, t.* FROM league_receipt t JOIN league_closing c ON c.id = t.closing_id {c}",
    "league_receiptname": "SELECT c.evening_id, t.* FROM league_receiptname t"
    " JOIN league_closing c ON c.id = t.receipt_id {c}",
    "league_auditentry": "SELECT substring(t.about FROM 9)::bigint, t.* FROM league_auditentry t"
    " WHERE t.club_id = {club} AND t.about LIKE 'evening:%'",
    "league_submission": "SELECT c.evening, t.* FROM league_submission t JOIN ("
    "SELECT submission_id AS id, t.id AS evening FROM league_evening t WHERE t.club_id = {club}"
    " UNION SELECT t.submission_id, t.evening_id FROM league_closing t {evening}"
    " UNION SELECT r.submission_id, g.evening_id FROM games_revision r JOIN games_hand h ON h.id = r.hand_id"
    " JOIN games_table g ON g.id = h.table_id {g}) c ON c.id = t.id",
}
"""The rows that an evening has before it is counted, each behind the evening's id; in the order in which they are
copied."""
COUNTED_OF_EVENING = {
    name: f"SELECT t.evening_id, t.* FROM {name} t {{evening}}"
    for name in ("league_eveningscore", "league_eveningfacts", "league_feat", "league_rating")
}
OF_SEASON = {"league_season": "SELECT t.id AS season, t.* FROM league_season t WHERE t.club_id = {club}"}
COUNTED_OF_SEASON = {
    name: f"SELECT t.season_id, t.* FROM {name} t {{season}}"
    for name in (
        "league_seasoncount",
        "league_seasonfacts",
        "league_standing",
        "league_balance",
        "league_decisioncount",
    )
}
OF_CLUB = {
    "league_club": "SELECT 0, t.* FROM league_club t WHERE t.id = {club}",
    "league_clubversion": "SELECT 0, t.* FROM league_clubversion t WHERE t.club_id = {club}",
    "league_user": "SELECT 0, t.* FROM league_user t"
    " JOIN league_membership m ON m.user_id = t.id WHERE m.club_id = {club}",
    "league_membership": "SELECT 0, t.* FROM league_membership t WHERE t.club_id = {club}",
    "league_houserules": "SELECT 0, t.* FROM league_houserules t WHERE t.club_id = {club}",
    "league_player": "SELECT 0, t.* FROM league_player t WHERE t.club_id = {club}",
    "league_account": "SELECT 0, t.* FROM league_account t WHERE t.club_id = {club} AND t.kind <> 'pot'",
}
CONDITIONS = {
    "table": "WHERE t.evening_id IN ({evenings})",
    "evening": "WHERE t.evening_id IN ({evenings})",
    "season": "WHERE t.season_id IN (SELECT id FROM league_season WHERE club_id = {club})",
    "g": "WHERE g.evening_id IN ({evenings})",
    "c": "WHERE c.evening_id IN ({evenings})",
}
EVENINGS = "SELECT id FROM league_evening WHERE club_id = {club}"


@dataclass
class Schema:
    """The columns of the tables with their types, the targets of foreign keys, and the primary keys."""

    columns: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    foreign: dict[tuple[str, str], str] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)


def schema(there: psycopg.Connection) -> Schema:
    """Read the schema of the database."""
    schema = Schema()
    for table, column, kind in there.execute(
        "SELECT c.relname, attname, format_type(atttypid, NULL) FROM pg_attribute"
        " JOIN pg_class c ON c.oid = attrelid WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
        " AND attnum > 0 AND NOT attisdropped ORDER BY c.relname, attnum"
    ).fetchall():
        schema.columns[table][column] = kind
    for table, column, target, kind in there.execute(
        "SELECT c.conrelid::regclass::text, attname, c.confrelid::regclass::text, contype FROM pg_constraint c"
        " JOIN pg_attribute ON attrelid = c.conrelid AND attnum = conkey[1]"
        " WHERE contype IN ('f', 'p') AND connamespace = 'public'::regnamespace"
    ).fetchall():
        if kind == "p":
            schema.keys[table] = column
        else:
            schema.foreign[table, column] = target
    return schema


def read(there: psycopg.Connection, statements: dict[str, str], club: int) -> Iterator[tuple[str, str, list[Cells]]]:
    """Yield each table with the owner's id and its rows, in the order of their keys."""
    for table, statement in statements.items():
        filled = statement
        for name, condition in CONDITIONS.items():
            filled = filled.replace(f"{{{name}}}", condition)
        filled = filled.replace("{evenings}", EVENINGS).replace("{club}", str(club))
        owned: dict[str, list[Cells]] = defaultdict(list)
        for cells in _copied(there, f"COPY (SELECT * FROM ({filled}) x ORDER BY 2) TO STDOUT"):
            owned[cells[0]].append(cells[1:])
        for owner, rows in owned.items():
            yield table, owner, rows


def _copied(there: psycopg.Connection, statement: str) -> Iterator[Cells]:
    with there.cursor().copy(statement.encode()) as copy:
        text = b"".join(copy).decode()
    for line in text.split("\n")[:-1]:
        yield line.split("\t")


def write_into(there: psycopg.Connection, table: str, columns: Sequence[str]) -> psycopg.Copy:
    """Begin to copy rows with these columns into the table."""
    names = SQL(", ").join(map(Identifier, columns))
    return there.cursor().copy(SQL("COPY {} ({}) FROM STDIN").format(Identifier(table), names))  # type: ignore[return-value]
