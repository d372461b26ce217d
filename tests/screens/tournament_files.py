"""The import of a tournament on the screens: before a file was chosen, and after a look at one."""

from __future__ import annotations

from datetime import date

from playwright.sync_api import Page

from league.tournaments.file import canonical
from league.tournaments.formats import Format
from tests.screens.screen import Screen

DAY = date(2026, 11, 21)
NAMES = ("Anna", "Beni", "Chäppi", "Doris", "Emil vom oberen Boden", "Fränzi", "Göpf", "Heidi")
CONTENT = {
    "name": "Klausturnier",
    "club": "Chratzclub Sternen",
    "written_at": "2026-11-21T22:00:00+01:00",
    "starts_on": DAY.isoformat(),
    "ends_on": None,
    "begins_at": "19:30",
    "game": "chratze",
    "state": "open",
    "format": Format().stored(),
    "format_version": 1,
    "fee": "Nachtessen",
    "prizes": "",
    "lot_seed": 7,
    "closed_tables": [],
    "reopen_reason": "",
    "house_rules": {"version": 1, "values": {}},
    "award": {"season": "Saison 2026", "points": [10, 6, 3]},
    "entrants": [
        {
            "number": number,
            "nickname": name,
            "labels": [],
            "team": "",
            "paid": False,
            "here_since": None,
            "joined_round": None,
            "withdrawn_round": None,
            "struck": False,
            "fixed_table": None,
            "slip": None,
            "substitutions": [],
        }
        for number, name in enumerate(NAMES, start=1)
    ],
    "draws": [],
    "rounds": [],
}


def looked_at(page: Page) -> None:
    """Choose the file of a tournament and look at it."""
    _look(page, "".join(canonical.written(CONTENT)).encode())
    page.wait_for_selector("#who")


def changed_by_hand(page: Page) -> None:
    """Choose a file that somebody changed."""
    _look(page, "".join(canonical.written(CONTENT)).replace("Heidi", "Heidy").encode())
    page.wait_for_selector("#looked .errors")


def _look(page: Page, data: bytes) -> None:
    page.set_input_files("#file", {"name": "turnier.json", "mimeType": "application/json", "buffer": data})
    page.tap("button[value=look]")


IMPORT = "/c/roessli/tournaments/import/"
TOURNAMENT_FILES = (
    Screen("tournament-import", "tournament-import", IMPORT),
    Screen("tournament-import-looked", "tournament-import", IMPORT, act=looked_at),
    Screen("tournament-import-refused", "tournament-import", IMPORT, act=changed_by_hand),
)
