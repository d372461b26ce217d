"""Database triggers: they refuse changes of append-only rows, and postings that do not add up.

Used by migrations, and by tests that remove a guard. Each trigger exists for SQLite and PostgreSQL. Missing tables are
skipped: a migration may be older than the table. A trigger's name is `<table>_<guard>`. SQLite drops the triggers of a
table that it rebuilds: a migration that alters one of these tables must create them again, which a test checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

LEAGUE_APPEND_ONLY = (
    *("league_posting", "league_transfer", "league_submission", "league_houserules"),
    *("league_closing", "league_payment", "league_receipt"),
    *("league_playermerge", "league_auditentry"),
)
TOURNAMENTS_APPEND_ONLY = ("league_draw", "league_sheet", "league_substitution")
TREASURY_APPEND_ONLY = ("league_kittyentry",)
FORMULAS_APPEND_ONLY = ("league_seasonformula",)
IMPORTS_APPEND_ONLY = ("league_importedevening",)
GAMES_APPEND_ONLY = (
    "games_hand",
    "games_revision",
    "games_seat",
    "games_correction",
    "games_happening",
    "games_dispute",
)
FIRST_SEATS_APPEND_ONLY = ("games_firstseat",)

FREE_TEXT = {
    "league_posting": ("reason",),
    "league_closing": ("reason",),
    "league_playermerge": ("reason",),
    "league_auditentry": ("token",),
    "league_sheet": ("reason",),
    "games_revision": ("reason",),
    "games_correction": ("reason",),
    "games_dispute": ("text",),
}
"""Columns with free text in append-only rows. A text may name a person who is forgotten later, so it may be emptied;
it cannot be replaced, and no other column can change with it."""


@dataclass(frozen=True)
class Check:
    """A trigger before INSERT on `table` that refuses rows for which `broken` (SQL over NEW) is true."""

    table: str
    name: str
    broken: str
    message: str


LEAGUE_CHECKS = (
    Check(
        "league_transfer",
        "before_posting",
        "EXISTS (SELECT 1 FROM league_posting p WHERE p.id = NEW.posting_id)",
        "a stored posting takes no further transfer",
    ),
    Check(
        "league_transfer",
        "one_club",
        "NOT EXISTS (SELECT 1 FROM league_account a JOIN league_account b ON b.club_id = a.club_id"
        " JOIN league_season s ON s.club_id = a.club_id"
        " WHERE a.id = NEW.from_account_id AND b.id = NEW.to_account_id AND s.id = NEW.season_id)",
        "a transfer stays within one club",
    ),
    Check(
        "league_posting",
        "adds_up",
        # A reversal has no result rows: the reversed posting had them. Each player's change must be the sum of the
        # transfers, without payments between players.
        "NEW.reverses_id IS NULL AND EXISTS ("
        "SELECT 1 FROM (SELECT a.player_id AS player, SUM(m.amount) AS amount FROM ("
        "SELECT to_account_id AS account, amount_minor AS amount FROM league_transfer"
        " WHERE posting_id = NEW.id AND kind <> 'paid'"
        " UNION ALL SELECT from_account_id, -amount_minor FROM league_transfer"
        " WHERE posting_id = NEW.id AND kind <> 'paid'"
        ") m JOIN league_account a ON a.id = m.account WHERE a.player_id IS NOT NULL GROUP BY a.player_id"
        " UNION ALL SELECT player_id, -change_minor FROM league_resultrow WHERE posting_id = NEW.id"
        ") both_sides GROUP BY player HAVING SUM(amount) <> 0)",
        "result rows and transfers of a posting must add up",
    ),
)


CHIPS_CHECKS = (
    Check(
        "league_transfer",
        "chips_apart",
        "EXISTS (SELECT 1 FROM league_season s WHERE s.id = NEW.season_id AND s.in_chips) AND ("
        "NEW.kind = 'paid' OR EXISTS (SELECT 1 FROM league_account a"
        " WHERE a.id IN (NEW.from_account_id, NEW.to_account_id) AND a.kind IN ('kitty', 'box')))",
        "chips are never paid, and never in box or kitty",
    ),
)


def _refuse_sqlite(message: str) -> str:
    return f"BEGIN SELECT RAISE(ABORT, '{message}'); END"


def _emptied(texts: Sequence[str]) -> str:
    """Return SQL: at least one of the columns is emptied, and none gets another text."""
    none_new = " AND ".join(f"NEW.{text} IN ('', OLD.{text})" for text in texts)
    return f"{none_new} AND ({' OR '.join(f'NEW.{text} <> OLD.{text}' for text in texts)})"


def append_only(vendor: str, table: str, columns: Sequence[str] = ()) -> Iterator[str]:
    """Yield SQL that makes UPDATE, DELETE and TRUNCATE of a table fail, except for emptying its `FREE_TEXT`.

    `columns` are all columns of a table with free text. `INSERT OR REPLACE` fails by the DELETE trigger, which SQLite
    fires for it under `recursive_triggers`.
    """
    message = f"{table} is append-only"
    texts = FREE_TEXT.get(table, ())
    if vendor == "sqlite":
        same = [f"NEW.{column} IS OLD.{column}" for column in columns if column not in texts]
        when = f" WHEN NOT ({' AND '.join([*same, _emptied(texts)])})" if texts else ""
        yield f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table}{when} {_refuse_sqlite(message)}"
        yield f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} {_refuse_sqlite(message)}"
        return
    kept = f"to_jsonb(NEW) - ARRAY[{', '.join(repr(text) for text in texts)}]"
    allowed = (
        f"IF TG_OP = 'UPDATE' THEN IF {kept} = {kept.replace('NEW', 'OLD')} AND {_emptied(texts)}"
        " THEN RETURN NEW; END IF; END IF; "
        if texts
        else ""
    )
    yield (
        f"CREATE OR REPLACE FUNCTION {table}_append_only() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN {allowed}RAISE EXCEPTION '{message}' USING ERRCODE = 'restrict_violation'; END $$"
    )
    for event, level in (("UPDATE", "ROW"), ("DELETE", "ROW"), ("TRUNCATE", "STATEMENT")):
        yield (
            f"CREATE TRIGGER {table}_no_{event.lower()} BEFORE {event} ON {table} "
            f"FOR EACH {level} EXECUTE FUNCTION {table}_append_only()"
        )


def checked(vendor: str, check: Check) -> Iterator[str]:
    """Yield SQL that refuses rows which break the check."""
    name = f"{check.table}_{check.name}"
    if vendor == "sqlite":
        refuse = _refuse_sqlite(check.message)
        yield f"CREATE TRIGGER {name} BEFORE INSERT ON {check.table} WHEN {check.broken} {refuse}"
        return
    yield (
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF {check.broken} THEN "
        f"RAISE EXCEPTION '{check.message}' USING ERRCODE = 'check_violation'; END IF; RETURN NEW; END $$"
    )
    yield f"CREATE TRIGGER {name} BEFORE INSERT ON {check.table} FOR EACH ROW EXECUTE FUNCTION {name}()"


def dropped(vendor: str, table: str, name: str) -> str:
    """Return SQL that drops one trigger (for tests, and migrations that rebuild a table)."""
    if vendor == "sqlite":
        return f"DROP TRIGGER IF EXISTS {table}_{name}"
    return f"DROP TRIGGER IF EXISTS {table}_{name} ON {table}"


def _run(connection: BaseDatabaseWrapper, statements: Iterator[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            # Without parameters a % in the SQL stays a %.
            cursor.execute(statement, None)


def _columns(connection: BaseDatabaseWrapper, table: str) -> list[str]:
    """Return the columns of a table for `append_only`, which needs those of tables with `FREE_TEXT`."""
    if table not in FREE_TEXT:
        return []
    with connection.cursor() as cursor:
        return [column.name for column in connection.introspection.get_table_description(cursor, table)]


def create(connection: BaseDatabaseWrapper, tables: tuple[str, ...], checks: tuple[Check, ...] = ()) -> None:
    """Create the triggers of these tables."""
    there = set(connection.introspection.table_names())
    for table in tables:
        if table in there:
            _run(connection, append_only(connection.vendor, table, _columns(connection, table)))
    for check in checks:
        if check.table in there:
            _run(connection, checked(connection.vendor, check))


def drop(connection: BaseDatabaseWrapper, tables: tuple[str, ...], checks: tuple[Check, ...] = ()) -> None:
    """Drop the triggers of these tables."""
    there = set(connection.introspection.table_names())
    for table in tables:
        if table in there:
            gone = (dropped(connection.vendor, table, f"no_{e}") for e in ("update", "delete", "truncate"))
            _run(connection, gone)
    for check in checks:
        if check.table in there:
            _run(connection, iter([dropped(connection.vendor, check.table, check.name)]))


def create_league(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Migration step: the league's triggers."""
    create(editor.connection, LEAGUE_APPEND_ONLY, LEAGUE_CHECKS)


def drop_league(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Migration step backwards."""
    drop(editor.connection, LEAGUE_APPEND_ONLY, LEAGUE_CHECKS)


def create_tournaments(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Migration step: the triggers of tournaments."""
    create(editor.connection, TOURNAMENTS_APPEND_ONLY, CHIPS_CHECKS)


def drop_tournaments(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Migration step backwards."""
    drop(editor.connection, TOURNAMENTS_APPEND_ONLY, CHIPS_CHECKS)


def pause_ledger_on_sqlite(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Migration step: drop the triggers that name the tables of accounts and postings, before SQLite builds these
    tables again. PostgreSQL alters a table with its triggers."""
    if editor.connection.vendor == "sqlite":
        drop(editor.connection, ("league_posting",), LEAGUE_CHECKS + CHIPS_CHECKS)


def resume_ledger_on_sqlite(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Migration step: create the same triggers again."""
    if editor.connection.vendor == "sqlite":
        create(editor.connection, ("league_posting",), LEAGUE_CHECKS + CHIPS_CHECKS)


def create_treasury(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Migration step: the triggers of kitty entries."""
    create(editor.connection, TREASURY_APPEND_ONLY)


def drop_treasury(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Migration step backwards."""
    drop(editor.connection, TREASURY_APPEND_ONLY)


def create_formulas(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Migration step: the triggers of formulas."""
    create(editor.connection, FORMULAS_APPEND_ONLY)


def drop_formulas(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Migration step backwards."""
    drop(editor.connection, FORMULAS_APPEND_ONLY)


def create_imports(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Migration step: the triggers of imported evenings."""
    create(editor.connection, IMPORTS_APPEND_ONLY)


def drop_imports(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Migration step backwards."""
    drop(editor.connection, IMPORTS_APPEND_ONLY)


def create_games(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Migration step: the triggers of hands, revisions and seats."""
    create(editor.connection, GAMES_APPEND_ONLY)


def drop_games(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Migration step backwards."""
    drop(editor.connection, GAMES_APPEND_ONLY)


def create_first_seats(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Migration step: the triggers of the seats with which evenings began."""
    create(editor.connection, FIRST_SEATS_APPEND_ONLY)


def drop_first_seats(apps: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Migration step backwards."""
    drop(editor.connection, FIRST_SEATS_APPEND_ONLY)
