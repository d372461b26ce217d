"""`python -m bench.scale CLUBS HANDS`: make a server of this size on PostgreSQL, in a database of its own."""

import argparse
import os
import sys
import tempfile
from pathlib import Path

import django


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench.scale", description="A server of many clubs on PostgreSQL.")
    parser.add_argument("clubs", type=int)
    parser.add_argument("hands", type=int, help="about how many hands all clubs have together")
    parser.add_argument("--database", help="its name (default: scale_CLUBS_HANDS); it must not exist, or be empty")
    parser.add_argument("--seed", type=int, default=1291)
    parser.add_argument("--measure", action="store_true", help="also measure it, and print the table")
    parser.add_argument("--night", action="store_true", help="also play a Friday night on it (REDIS_URL)")
    parser.add_argument("--keep-rows", action="store_true", help="do not fill it: it is the database of an earlier run")
    parser.add_argument("--tiny", action="store_true", help="seasons of a few hands, for a test")
    parser.add_argument("--drop", action="store_true", help="drop the database at the end")
    options = parser.parse_args()
    # Read before Django is set up, which reads DATABASE_URL.
    from bench import databases

    if not databases.OUTSIDE_URL.startswith("postgres"):
        print("DATABASE_URL must name a PostgreSQL on which databases may be created.", file=sys.stderr)
        return 2
    folder = Path(tempfile.mkdtemp(prefix="scale-"))
    os.environ |= {"DJANGO_SETTINGS_MODULE": "bench.settings", "DATA_DIR": str(folder), "LOG_LEVEL": "WARNING"}
    os.environ["SECRET_KEY"] = "only-for-this-run"
    django.setup()
    from bench.scale import server

    return server.run(options, folder)


if __name__ == "__main__":
    sys.exit(main())
