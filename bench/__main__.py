"""`python -m bench` prints the table of speeds and exits with 1 if a promise is missed."""

import argparse
import signal
import sys
from collections.abc import Callable, Iterator

from bench.measure import ROUNDS, Row, measure, not_measured, table

PARTS = (
    "engine",
    "draw",
    "rating",
    "luck",
    "files",
    "data",
    "pages",
    "stream",
    "server",
    "worker",
    "growth",
    "million",
    "scale",
    "phone",
    "fresh",
    "krcg",
)
LONG = ("million", "fresh", "krcg")
"""The parts that need a million hands on PostgreSQL, a new clone, or `krcg`: `--long` measures them, too."""
DATABASES = ("sqlite", "postgresql")
APART = "`make test` on two cores (must ≤ 10 min) is not measured here: its last line has its time."


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench", description="The table of speeds.")
    parser.add_argument("--only", nargs="+", choices=PARTS, help="these parts alone")
    parser.add_argument("--database", nargs="+", choices=DATABASES, default=DATABASES, help="these databases alone")
    parser.add_argument("--long", action="store_true", help=f"also {', '.join(LONG)}: two hours, and 20 GB of the disk")
    options = parser.parse_args()
    # An ended run removes its databases and servers, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    parts = options.only or [part for part in PARTS if options.long or part not in LONG]
    rows = []
    for row in measured(parts, options.database):
        print(*row.cells(), sep="  ", flush=True)
        rows.append(row)
    print(f"\n{table(rows)}")
    print(f"Median of {ROUNDS} rounds, both sides by turns; Python {sys.version.split()[0]}.\n{APART}")
    return any(row.failed for row in rows)


def measured(parts: list[str], databases: list[str]) -> Iterator[Row]:
    """Yield the rows as they are measured; each part imports its own modules."""
    if "engine" in parts:
        from bench import engine_rows

        yield from map(measure, engine_rows.comparisons())
        yield engine_rows.best_play()
    if "draw" in parts:
        from bench import draw_rows

        yield from draw_rows.rows()
    if "rating" in parts:
        from bench import rating_rows

        yield from rating_rows.rows()
    if "krcg" in parts:
        from bench import draw_rows

        yield from draw_rows.all_against_krcg()
    if set(parts) <= {"engine", "draw", "krcg"}:
        return
    from bench import demo_server

    with demo_server.demo() as demo:
        # These modules can be imported only after Django is set up.
        from bench import (
            data_rows,
            file_rows,
            fresh_rows,
            growth_rows,
            luck_rows,
            page_rows,
            phone_rows,
            scale_rows,
            server_rows,
            stream_rows,
            worker_rows,
        )

        if "files" in parts:
            yield from file_rows.rows()

        for part, rows in (
            ("data", data_rows.rows),
            ("pages", page_rows.rows),
            ("stream", stream_rows.rows),
            ("server", server_rows.rows),
            ("worker", worker_rows.rows),
            ("growth", growth_rows.rows),
            ("million", growth_rows.of_a_million),
            ("scale", scale_rows.rows),
        ):
            for database in databases if part in parts else ():
                yield from _tried(part, database, lambda: rows(demo, database))  # noqa: B023 - called at once
        if "rating" in parts:
            demo.sqlite.use()
            yield from rating_rows.of_database("the demo league")
        if "luck" in parts:
            yield from luck_rows.rows()
            demo.sqlite.use()
            yield from luck_rows.of_database("the demo league")
        if "phone" in parts:
            yield from phone_rows.rows(demo)
        if "fresh" in parts:
            yield from fresh_rows.rows()


def _tried(part: str, database: str, rows: Callable[[], Iterator[Row]]) -> Iterator[Row]:
    """Yield the rows of a part; without a server, a row that says so."""
    from tests.servers import NoServer

    try:
        yield from rows()
    except NoServer as reason:
        yield not_measured(f"{part}, {database}", reason)


if __name__ == "__main__":
    sys.exit(main())
