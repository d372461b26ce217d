"""The database of a run: created, filled, measured, dropped."""

import argparse
import json
import shutil
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg

from bench.databases import OUTSIDE_URL, POSTGRES, Database, close
from bench.scale.loader import Loader, NotEmpty
from bench.scale.plan import planned
from bench.scale.template import KINDS, TINY_KINDS

SERVER = urlunsplit(urlsplit(OUTSIDE_URL)._replace(path="/postgres"))
SIZES = """SELECT relname, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY pg_total_relation_size(oid) DESC"""
SHOWN = 8


def run(options: argparse.Namespace, folder: Path) -> int:
    """Make the server of the options, or measure one that was made; return the exit status."""
    name = options.database or f"scale_{options.clubs}_{options.hands}"
    data = Database(POSTGRES, folder, name, SERVER)
    try:
        if not options.keep_rows and not _filled(data, options):
            return 1
        if options.measure:
            _measure(data, folder)
        if options.night:
            _play_nights(data)
    finally:
        close()
        if options.drop:
            data.remove()
        shutil.rmtree(folder, ignore_errors=True)
    return 0


def _filled(data: Database, options: argparse.Namespace) -> bool:
    with psycopg.connect(SERVER) as server:
        exists = server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [data.name]).fetchone()
    if not exists:
        data.create()
    kinds = TINY_KINDS if options.tiny else KINDS
    clubs = planned(options.clubs, options.hands, kinds=kinds, seed=options.seed)
    print(f"{len(clubs)} clubs, {sum(club.hands for club in clubs):,} hands into {data.name}", flush=True)
    try:
        Loader(data, seed=options.seed, say=lambda line: print(line, flush=True)).load(clubs)
    except NotEmpty as fault:
        print(fault)
        return False
    print(f"filled: {data.url}")
    return True


def _measure(data: Database, folder: Path) -> None:
    from league.management.commands.serve import collect_static

    data.use()
    (folder / "static").mkdir(exist_ok=True)
    collect_static()
    from bench.scale import costs

    measured = list(costs.costs())
    print(costs.table(measured))
    print(json.dumps([cost._asdict() for cost in measured]))
    close()
    with psycopg.connect(data.url) as there:
        sizes = there.execute(SIZES).fetchall()
        (hands,) = there.execute("SELECT COUNT(*) FROM games_hand").fetchone() or (1,)
    for name, table, indexes in sizes[:SHOWN]:
        print(f"{name:28} {table / hands:8.0f} bytes a hand, indexes {indexes / hands:8.0f}")
    print(f"all tables: {sum(table + indexes for _name, table, indexes in sizes) / hands:.0f} bytes a hand")


def _play_nights(data: Database) -> None:
    from bench.scale import night

    for played_night in night.nights(data):
        print(played_night, flush=True)
