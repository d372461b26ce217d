"""Hands of an import in one transaction: the last ones against the first ones."""

import datetime
import statistics
import time
import uuid
from typing import Any
from unittest.mock import patch

from bench.databases import Database
from bench.demo_server import Demo
from bench.evening import OTHER_CLUB, OTHER_RECORDER
from bench.measure import Row, milliseconds
from games.imports.port import FileHands
from league.imports import services
from league.models import Club, Player, Season, User
from tests.factories import SeasonFactory
from tests.imported import uploaded

EVENINGS, HANDS = 50, 100
COMPARED = 10
YEAR = 2020
HEADING = "Datum;Spiel;Name;Ansage;Gemacht"


def row(demo: Demo, vendor: str) -> Row:
    """Return the row, measured on a copy of the demo league: medians of the first and of the last evenings."""
    data = demo.on(vendor).copy("import")
    took = _evenings(data)
    data.remove()
    first, last = (1000 * statistics.median(some) / HANDS for some in (took[:COMPARED], took[-COMPARED:]))
    hands = EVENINGS * HANDS
    what = f"hands of an import, the {hands:,}th against the first, {vendor}"
    sides = (f"{milliseconds(each / 1000)} a hand" for each in (last, first))
    return Row(what, *sides, last / first, 1.3, 1.1, at_most=True)


def _evenings(data: Database) -> list[float]:
    """Import the file, and return the seconds of each evening."""
    data.use()
    club = Club.objects.get(slug=OTHER_CLUB)
    recorder = User.objects.get(email=OTHER_RECORDER)
    days = {"starts_on": datetime.date(YEAR, 1, 1), "ends_on": datetime.date(YEAR, 12, 31)}
    season: Season = SeasonFactory(club=club, **days)
    names = Player.objects.filter(club=club).order_by("pk").values_list("nickname", flat=True)[:3]
    upload = uploaded(season, recorder, _file(list(names)), kind="hands")
    took: list[float] = []
    store = FileHands.store

    def timed(*args: Any, **more: Any) -> None:
        begun = time.perf_counter()
        store(*args, **more)
        took.append(time.perf_counter() - begun)

    with patch.object(FileHands, "store", timed):
        services.import_store(upload=upload, author=recorder, key=uuid.uuid4())
    if len(took) != EVENINGS:
        raise RuntimeError(f"{len(took)} evenings were stored")
    return took


def _file(names: list[str]) -> str:
    """Return a file of evenings with one table, at which two hands in three are passed out."""
    first, second, third = names
    played = ((first, "chratzt", "1"), (second, "metcho", "0"), (third, "weg", ""))
    lines = [HEADING]
    for nth in range(EVENINGS):
        day = datetime.date(YEAR, 1, 1) + datetime.timedelta(days=7 * nth)
        for number in range(1, HANDS + 1):
            seats = played if number % 3 == 1 else [(name, "weg", "") for name in names]
            lines += [f"{day:%d.%m.%Y};{number};{name};{call};{made}" for name, call, made in seats]
    return "\n".join(lines)
