"""Imports on the screens: a file at each step, wrong cells, an imported evening, an import that was undone."""

from __future__ import annotations

import io
from datetime import date

from openpyxl import Workbook

from league.imports import services
from league.models import Club, Season, User
from tests.imported import imported, uploaded
from tests.screens.screen import Screen, World

HEADING = ("Datum", "Name", "Betrag", "Punkte", "Spiele")
EVENINGS = (
    (date(2019, 3, 1), (("Anna", 1250, 14), ("Jo", -850, 3), ("Bartholomäus von Arx", -400, -2))),
    (date(2019, 3, 15), (("Anna", -320, 5), ("Jo", 420, 9), ("Änneli Grossenbacher-Zimmermann", -100, 0))),
    (date(2019, 3, 29), (("Ueli", 2400, 21), ("Jo", -2400, -6))),
)
WRONG = """Datum;Name;Betrag;Punkte;Spiele
31.4.2019;Anna;4.20;6;30
5.4.2019;Jo;vier Franken zwanzig;3;30
5.4.2019;;-4.20;3,5;
5.4.2020;Ueli;1;1;1000000
"""


def build(club: Club, owner: User) -> World:
    """Fill a season of long ago; leave uploads at each step."""
    dates = {"starts_on": date(2019, 1, 1), "ends_on": date(2019, 12, 31)}
    season = Season.objects.create(club=club, slug="2019", name="Saison 2019", **dates)
    undone = imported(season, owner, book())
    services.import_undo(stored=undone, actor=owner)
    stored = imported(season, owner, book())
    new = uploaded(season, owner, book())
    return {
        "import": str(stored.pk),
        "import_undone": str(undone.pk),
        "import_evening": str(stored.evenings.earliest("number").pk),
        "upload": str(uploaded(season, owner, _later()).pk),
        "upload_wrong": str(uploaded(season, owner, WRONG).pk),
        "upload_known": str(new.pk),
    }


def book() -> bytes:
    """Return the evenings as XLSX."""
    made, out = Workbook(), io.BytesIO()
    made.active.append(HEADING)
    for day, people in EVENINGS:
        for name, rappen, points in people:
            made.active.append((day, name, rappen / 100, points, 40))
    made.save(out)
    return out.getvalue()


def _later() -> str:
    lines = [
        f"{day.replace(month=9):%d.%m.%Y};{name};{rappen / 100:.2f};{points};40"
        for day, people in EVENINGS
        for name, rappen, points in (*people, ("Barto von Arx-Oberdorf", 0, 0), ("Friedli", 0, 2))
    ]
    return "\n".join([";".join(HEADING), *lines])


NEW = "/c/krone/imports/new/{upload}/"
IMPORTS = (
    Screen("imports", "imports", "/c/krone/imports/"),
    Screen("imports-none", "imports", "/c/ochsen/imports/"),
    Screen("import-columns", "import-columns", NEW + "columns/"),
    Screen("import-names", "import-names", NEW + "names/"),
    Screen("import-preview", "import-preview", NEW + "preview/"),
    Screen("import-preview-wrong", "import-preview", "/c/krone/imports/new/{upload_wrong}/preview/"),
    Screen("import-preview-known", "import-preview", "/c/krone/imports/new/{upload_known}/preview/"),
    Screen("import-done", "import", "/c/krone/imports/{import}/"),
    Screen("import-undone", "import", "/c/krone/imports/{import_undone}/"),
    Screen("import-evening", "evening", "/c/krone/e/{import_evening}/"),
)
