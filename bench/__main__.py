"""`python -m bench` prints the table of speeds and exits with 1 if a promise is missed."""

import argparse
import sys
from collections.abc import Iterator

from bench.measure import ROUNDS, Row, measure, table

PARTS = ("engine", "data", "server")


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench", description="The table of speeds.")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="these parts alone")
    parser.add_argument(
        "--long", action="store_true", help="record among a million hands, too: some minutes more, and 6 GB in var/"
    )
    options = parser.parse_args()
    rows = []
    for row in measured(options.only, long=options.long):
        print(*row.cells(), sep="  ", flush=True)
        rows.append(row)
    print(f"\n{table(rows)}")
    print(f"Median of {ROUNDS} rounds, both sides by turns; Python {sys.version.split()[0]}.")
    return any(row.verdict == "MISSED" for row in rows)


def measured(parts: list[str], *, long: bool) -> Iterator[Row]:
    """Yield the rows as they are measured; each part imports its own modules."""
    if "engine" in parts:
        from bench.engine_rows import comparisons

        yield from map(measure, comparisons())
    if {"data", "server"} & set(parts):
        from bench import demo_server

        with demo_server.folder() as league:
            # These modules can be imported only after Django is set up.
            from bench import data_rows, server_rows

            if "data" in parts:
                yield from data_rows.rows(league, long=long)
            if "server" in parts:
                yield from server_rows.rows(league)


if __name__ == "__main__":
    sys.exit(main())
