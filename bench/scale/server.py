"""The database of a run: created, filled, measured, dropped."""

import argparse
import datetime
import shutil
from pathlib import Path

import psycopg

from bench.databases import OUTSIDE_URL, POSTGRES, Database, close
from bench.scale.loader import Loader, NotEmpty
from bench.scale.plan import planned


def run(options: argparse.Namespace, folder: Path) -> int:
    """Make the server of the options; return the exit status."""
    name = options.database or f"scale_{options.clubs}_{options.hands}"
    data = Database(POSTGRES, folder, name, OUTSIDE_URL)
    with psycopg.connect(OUTSIDE_URL) as server:
        exists = server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone()
    if not exists:
        data.create()
    try:
        clubs = planned(options.clubs, options.hands, seed=options.seed)
        print(f"{len(clubs)} clubs, {sum(club.hands for club in clubs):,} hands into {name}", flush=True)
        try:
            Loader(data, today=datetime.date.today(), seed=options.seed).load(clubs)  # noqa: DTZ011
        except NotEmpty as fault:
            print(fault)
            return 1
        print(f"filled: {data.url}")
    finally:
        close()
        if options.drop:
            data.remove()
        shutil.rmtree(folder, ignore_errors=True)
    return 0
