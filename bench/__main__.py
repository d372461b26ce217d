"""`python -m bench`: the table of speeds; exits with 1 where a promise is missed."""

import sys

from bench.engine_rows import comparisons
from bench.measure import ROUNDS, measure, table


def main() -> int:
    rows = [measure(comparison) for comparison in comparisons()]
    print(table(rows))
    print(f"Median of {ROUNDS} rounds, both sides by turns; Python {sys.version.split()[0]}.")
    return any(row.verdict == "MISSED" for row in rows)


if __name__ == "__main__":
    sys.exit(main())
