"""Imports on the screens: a file at each step, wrong cells, an imported evening, an import that was undone."""

from __future__ import annotations

import io
from datetime import date, timedelta

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


WRONG_HANDS = """Datum;Spiel;Name;Ansage;Gemacht;Betrag;Topf
7.6.2019;1;Anna;chratzt;1;1.40;0.60
7.6.2019;1;Jo;weg;;-0.20;
7.6.2019;1;Ueli;vielleicht;0;-0.80;
7.6.2019;3;Anna;weg;;;
7.6.2019;3;Jo;chratzt;x;;
7.6.2019;3;Ueli;chratzt;;;
"""


SHEET_NAMES = ("Anna", "Jo", "Ueli", "Barto von Arx-Oberdorf", "Friedli", "Änneli Grossenbacher-Zimmermann")


def sheet(*, wrong: bool = False) -> bytes:
    """Return a workbook with a long sheet: 26 evenings in amounts that add up, a sum below and beside it, a title."""
    made, out = Workbook(), io.BytesIO()
    active, other = made.active, made.create_sheet("Saison 2018")
    active.title = "Saison 2019"
    other.append(("Datum", "Anna", "Jo"))
    other.append(("5.1.2018", 1, -1))
    active.append(("Chratzclub, Saison 2019",))
    active.append(("Datum", *SHEET_NAMES, "Total", "Bemerkung"))
    for number in range(26):
        day = date(2019, 1, 5) + timedelta(days=14 * number)
        points = [(number * 7 + place * 5) % 23 - 6 if (number + place) % 4 else None for place in range(6)]
        active.append((day, *points, sum(filter(None, points)), "bei Anna" if number % 9 == 0 else None))
    active.append(("Total", *(40 + place for place in range(6)), 300))
    if wrong:
        active["C7"], active["A9"], active["E12"] = "acht Punkte", "31.4.2019", "?"
    made.save(out)
    return out.getvalue()


def turned() -> str:
    """Return a small sheet with a row for each person."""
    return "Name;4.1.;18.1.;1.2.;Total\nAnna;8;;3;11\nJo;-2;4;;2\nFriedli;0;1;5;6\nTotal;6;5;8;19\n"


def hands(day: date) -> str:
    """Return an evening of two hands; the pot of the last one is left over."""
    said = (("chratzt", "1"), ("metcho", "0"), ("weg", "")), (("weg", ""), ("chratzt", "0"), ("metcho", "1"))
    lines = ["Datum;Spiel;Name;Ansage;Gemacht"]
    for number, each in enumerate(said, 1):
        for name, (word, made) in zip(("Anna", "Jo", "Ueli"), each, strict=True):
            lines.append(f"{day:%d.%m.%Y};{number};{name};{word};{made}")
    return "\n".join(lines)


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
        "upload_sheet": str(uploaded(season, owner, sheet(), kind="").pk),
        "upload_sheet_wrong": str(uploaded(season, owner, sheet(wrong=True), kind="").pk),
        "upload_turned": str(uploaded(season, owner, turned(), kind="").pk),
        "upload_hands": str(uploaded(season, owner, hands(date(2019, 5, 3)), kind="hands").pk),
        "upload_hands_wrong": str(uploaded(season, owner, WRONG_HANDS, kind="hands").pk),
        "hands_evening": str(imported(season, owner, hands(date(2019, 5, 10)), kind="hands").evenings.get().pk),
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
    Screen("import-columns-hands", "import-columns", "/c/krone/imports/new/{upload_hands}/columns/"),
    Screen("import-preview-hands", "import-preview", "/c/krone/imports/new/{upload_hands}/preview/"),
    Screen("import-preview-hands-wrong", "import-preview", "/c/krone/imports/new/{upload_hands_wrong}/preview/"),
    Screen("import-evening-hands", "evening", "/c/krone/e/{hands_evening}/"),
    Screen("import-columns-sheet", "import-columns", "/c/krone/imports/new/{upload_sheet}/columns/"),
    Screen("import-names-sheet", "import-names", "/c/krone/imports/new/{upload_sheet}/names/"),
    Screen("import-preview-sheet", "import-preview", "/c/krone/imports/new/{upload_sheet}/preview/"),
    Screen("import-preview-sheet-wrong", "import-preview", "/c/krone/imports/new/{upload_sheet_wrong}/preview/"),
    Screen("import-columns-turned", "import-columns", "/c/krone/imports/new/{upload_turned}/columns/"),
    Screen("import-preview-turned", "import-preview", "/c/krone/imports/new/{upload_turned}/preview/"),
    Screen("import-done", "import", "/c/krone/imports/{import}/"),
    Screen("import-undone", "import", "/c/krone/imports/{import_undone}/"),
    Screen("import-evening", "evening", "/c/krone/e/{import_evening}/"),
)
