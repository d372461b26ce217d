"""Database triggers that give an object another version number when the data of its pages change.

By triggers, because a page that is kept under its version is wrong as soon as one writer forgets it: a service, the
admin, a statement by hand. The number is random and below 2**40, so that the sum of many fits an integer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.backends.base.base import BaseDatabaseWrapper

RANDOM = {
    "sqlite": "abs(random()) % 1099511627776",
    "postgresql": "floor(random() * 1099511627776)::bigint",
}
EVENTS = ("INSERT", "UPDATE", "DELETE")


@dataclass(frozen=True)
class Versioned:
    """A table whose changes give the object named by its column `owner` another version.

    `updates`: only updates of these columns count (all, if empty). `late`: PostgreSQL takes the lock of the version at
    the end of the transaction, so that it waits for nothing while it holds that lock; for versions that transactions
    reach in any order. `suffix` tells apart the triggers of a table with two versions.
    """

    table: str
    owner: str
    version_table: str
    version_key: str
    updates: tuple[str, ...] = ()
    late: bool = False
    suffix: str = ""

    def trigger(self, event: str) -> str:
        """Return the name of the trigger of this event."""
        return f"{self.table}_version_{self.suffix}{event.lower()}"


def _club(table: str, owner: str = "club_id", updates: tuple[str, ...] = ()) -> Versioned:
    return Versioned(table, owner, "league_clubversion", "club_id", updates, late=True)


def _tournament(table: str, owner: str = "tournament_id") -> Versioned:
    return Versioned(table, owner, "league_tournamentversion", "tournament_id", late=True)


# Each posting raises `ledger_mark`: hands have versions of their own.
SEASON_COLUMNS = (
    *("club_id", "slug", "name", "starts_on", "ends_on", "planned_evenings", "ranking", "games", "best_evenings"),
    *("points_only", "points_declared", "points_joined", "points_walkover"),
    *("points_declared_failed", "points_joined_failed"),
)
LEAGUE_VERSIONED = (
    _club("league_club", "id"),
    _club("league_season", updates=SEASON_COLUMNS),
    _club("league_evening"),
    _club("league_player"),
)
# For migrations that alter the table of clubs.
CLUBS_VERSIONED = LEAGUE_VERSIONED[:1]
PLAN_VERSIONED = (_club("league_plannedevening"),)
# A substitution changes its entrant, a sheet the number of sheets of its round.
TOURNAMENTS_VERSIONED = (
    _tournament("league_tournament", "id"),
    _tournament("league_entrant"),
    _tournament("league_draw"),
    _tournament("league_round"),
    Versioned("league_tournament", "club_id", "league_clubversion", "club_id", late=True, suffix="club_"),
)


def triggers(vendor: str, versioned: Versioned) -> Iterator[str]:
    """Yield SQL that creates the triggers of a table."""
    for event in EVENTS:
        row = "OLD" if event == "DELETE" else "NEW"
        of = f" OF {', '.join(versioned.updates)}" if event == "UPDATE" and versioned.updates else ""
        name = versioned.trigger(event)
        write = (
            f"INSERT INTO {versioned.version_table} ({versioned.version_key}, number)"
            f" VALUES ({row}.{versioned.owner}, {RANDOM[vendor]})"
            f" ON CONFLICT ({versioned.version_key}) DO UPDATE SET number = excluded.number;"
        )
        if vendor == "sqlite":
            yield f"CREATE TRIGGER {name} AFTER {event}{of} ON {versioned.table} BEGIN {write} END"
            continue
        yield (
            f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN {write} RETURN NULL; END $$"
        )
        late = "DEFERRABLE INITIALLY DEFERRED " if versioned.late else ""
        yield (
            f"CREATE {'CONSTRAINT ' if late else ''}TRIGGER {name} AFTER {event}{of} ON {versioned.table} "
            f"{late}FOR EACH ROW EXECUTE FUNCTION {name}()"
        )


def create(connection: BaseDatabaseWrapper, tables: tuple[Versioned, ...]) -> None:
    """Create the triggers of these tables."""
    with connection.cursor() as cursor:
        for versioned in tables:
            for statement in triggers(connection.vendor, versioned):
                # Without parameters a % in the SQL stays a %.
                cursor.execute(statement, None)


def drop(connection: BaseDatabaseWrapper, tables: tuple[Versioned, ...]) -> None:
    """Drop the triggers of these tables."""
    with connection.cursor() as cursor:
        for versioned in tables:
            for event in EVENTS:
                on = "" if connection.vendor == "sqlite" else f" ON {versioned.table}"
                cursor.execute(f"DROP TRIGGER IF EXISTS {versioned.trigger(event)}{on}")
