"""Database triggers: they refuse changes of append-only rows, and postings that do not add up.

The rows of a practice club (`Club.practice_until`) may be deleted. A club is one from its creation on or never.

Used by the migrations that create them, and by tests that remove a guard. A table that is added later has a
tuple and a migration of its own. Each trigger exists for SQLite and PostgreSQL; its name is `<table>_<guard>`. SQLite
drops the triggers of a table that it rebuilds: a migration that alters one of these tables must create them again,
which a test checks. It rebuilds no table to which the trigger of another one refers, such as those on the ways to the
club (`CLUB_OF`): such a migration drops all triggers of append-only tables before, and creates them after.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.backends.base.base import BaseDatabaseWrapper

LEAGUE_APPEND_ONLY = (
    *("league_posting", "league_transfer", "league_submission", "league_houserules"),
    *("league_closing", "league_payment", "league_receipt"),
    *("league_playermerge", "league_auditentry"),
    *("league_draw", "league_sheet", "league_substitution"),
    *("league_kittyentry", "league_paymentday", "league_bankentry"),
    *("league_seasonformula", "league_importedevening"),
)
FEES_APPEND_ONLY = ("league_memberfee",)
GAMES_APPEND_ONLY = (
    *("games_hand", "games_revision", "games_seat", "games_correction"),
    *("games_happening", "games_dispute", "games_firstseat"),
)

FREE_TEXT = {
    "league_posting": ("reason",),
    "league_closing": ("reason",),
    "league_playermerge": ("reason",),
    "league_auditentry": ("token",),
    "league_sheet": ("reason",),
    "league_memberfee": ("name",),
    "games_revision": ("reason",),
    "games_correction": ("reason",),
    "games_dispute": ("text",),
}
"""Columns with free text in append-only rows. A text may name a person who is forgotten later, so it may be emptied;
it cannot be replaced, and no other column can change with it."""

CLUB_OF = {
    **dict.fromkeys(("league_posting", "league_submission", "league_houserules", "league_playermerge"), "club_id"),
    **dict.fromkeys(("league_auditentry", "league_paymentday", "league_receipt", "league_kittyentry"), "club_id"),
    **dict.fromkeys(("league_bankentry", "league_memberfee"), "club_id"),
    "league_transfer": "posting_id league_posting.club_id",
    "league_closing": "evening_id league_evening.club_id",
    "league_payment": "payer_id league_account.club_id",
    "league_importedevening": "posting_id league_posting.club_id",
    "league_draw": "tournament_id league_tournament.club_id",
    "league_sheet": "round_id league_round.tournament_id league_tournament.club_id",
    "league_substitution": "entrant_id league_entrant.tournament_id league_tournament.club_id",
    "league_seasonformula": "season_id league_season.club_id",
    "games_hand": "table_id games_table.evening_id league_evening.club_id",
    "games_firstseat": "table_id games_table.evening_id league_evening.club_id",
    "games_happening": "table_id games_table.evening_id league_evening.club_id",
    "games_revision": "posting_id league_posting.club_id",
    "games_seat": "revision_id games_revision.posting_id league_posting.club_id",
    "games_correction": "submission_id league_submission.club_id",
    "games_dispute": "submission_id league_submission.club_id",
}
"""The way from a row of each append-only table to its club: a column, then a column of the table it refers to, …"""


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
        # transfers, without payments between players and member fees.
        "NEW.reverses_id IS NULL AND EXISTS ("
        "SELECT 1 FROM (SELECT a.player_id AS player, SUM(m.amount) AS amount FROM ("
        "SELECT to_account_id AS account, amount_minor AS amount FROM league_transfer"
        " WHERE posting_id = NEW.id AND kind NOT IN ('paid', 'fee')"
        " UNION ALL SELECT from_account_id, -amount_minor FROM league_transfer"
        " WHERE posting_id = NEW.id AND kind NOT IN ('paid', 'fee')"
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


def _of_practice_club(table: str) -> str:
    """Return SQL: the deleted row belongs to a practice club."""
    column, *steps = CLUB_OF[table].split()
    value = f"OLD.{column}"
    for step in steps:
        parent, column = step.split(".")
        value = f"(SELECT {column} FROM {parent} WHERE id = {value})"  # noqa: S608 - names of this file
    return f"EXISTS (SELECT 1 FROM league_club WHERE id = {value} AND practice_until IS NOT NULL)"  # noqa: S608 - the same


def append_only(vendor: str, table: str, columns: Sequence[str] = (), *, practice: bool = True) -> Iterator[str]:
    """Yield SQL that makes UPDATE, DELETE and TRUNCATE of a table fail, except for emptying its `FREE_TEXT`, and, with
    `practice`, for deleting rows of practice clubs.

    `columns` are all columns of a table with free text. `INSERT OR REPLACE` fails by the DELETE trigger, which SQLite
    fires for it under `recursive_triggers`.
    """
    message = f"{table} is append-only"
    texts = FREE_TEXT.get(table, ())
    if vendor == "sqlite":
        same = [f"NEW.{column} IS OLD.{column}" for column in columns if column not in texts]
        when = f" WHEN NOT ({' AND '.join([*same, _emptied(texts)])})" if texts else ""
        yield f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table}{when} {_refuse_sqlite(message)}"
        when = f" WHEN NOT {_of_practice_club(table)}" if practice else ""
        yield f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table}{when} {_refuse_sqlite(message)}"
        return
    kept = f"to_jsonb(NEW) - ARRAY[{', '.join(repr(text) for text in texts)}]"
    allowed = (
        f"IF TG_OP = 'UPDATE' THEN IF {kept} = {kept.replace('NEW', 'OLD')} AND {_emptied(texts)}"
        " THEN RETURN NEW; END IF; END IF; "
        if texts
        else ""
    )
    if practice:
        allowed += f"IF TG_OP = 'DELETE' THEN IF {_of_practice_club(table)} THEN RETURN OLD; END IF; END IF; "
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


PRACTICE = (
    # A club with rows is not deleted either: SQLite's `INSERT OR REPLACE` would give it the column.
    ("practice_kept", "UPDATE OF practice_until", "NEW.practice_until IS DISTINCT FROM OLD.practice_until"),
    (
        "practice_only",
        "DELETE",
        "OLD.practice_until IS NULL AND EXISTS (SELECT 1 FROM league_houserules r WHERE r.club_id = OLD.id)",
    ),
)


def practice_fixed(vendor: str) -> Iterator[str]:
    """Yield SQL that fixes which clubs are practice clubs, on the table of clubs."""
    message = "a club is a practice club from its creation on, or never"
    for name, event, broken in PRACTICE:
        trigger = f"league_club_{name}"
        before = f"CREATE TRIGGER {trigger} BEFORE {event} ON league_club"
        if vendor == "sqlite":
            yield f"{before} WHEN {broken.replace('IS DISTINCT FROM', 'IS NOT')} {_refuse_sqlite(message)}"
            continue
        row = "OLD" if event == "DELETE" else "NEW"
        yield (
            f"CREATE OR REPLACE FUNCTION {trigger}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF {broken} THEN "
            f"RAISE EXCEPTION '{message}' USING ERRCODE = 'restrict_violation'; END IF; RETURN {row}; END $$"
        )
        yield f"{before} FOR EACH ROW EXECUTE FUNCTION {trigger}()"


def create_practice(connection: BaseDatabaseWrapper) -> None:
    """Create the triggers of the table of clubs, for migrations that alter it as well."""
    _run(connection, practice_fixed(connection.vendor))


def drop_practice(connection: BaseDatabaseWrapper) -> None:
    """Drop the triggers of the table of clubs."""
    _run(connection, (dropped(connection.vendor, "league_club", name) for name, _event, _broken in PRACTICE))


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


def create(
    connection: BaseDatabaseWrapper, tables: tuple[str, ...], checks: tuple[Check, ...] = (), *, practice: bool = True
) -> None:
    """Create the triggers of these tables. `practice` is False before clubs have `practice_until`."""
    for table in tables:
        columns = _columns(connection, table)
        _run(connection, append_only(connection.vendor, table, columns, practice=practice))
    for check in checks:
        _run(connection, checked(connection.vendor, check))


def drop(connection: BaseDatabaseWrapper, tables: tuple[str, ...], checks: tuple[Check, ...] = ()) -> None:
    """Drop the triggers of these tables."""
    for table in tables:
        _run(connection, (dropped(connection.vendor, table, f"no_{e}") for e in ("update", "delete", "truncate")))
    _run(connection, (dropped(connection.vendor, check.table, check.name) for check in checks))
