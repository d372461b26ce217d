"""The screens of the desk; `tests.screens.tournaments` makes their data."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from tests.screens.screen import Screen

ALL = "/c/krone/tournaments/"


def _desk(name: str, route: str, tail: str, act: Callable[[Page], None] | None = None) -> Screen:
    return Screen(f"desk-{name}", route, ALL + tail, act=act)


def _letters_typed(page: Page) -> None:
    page.fill("#who", "Ma")
    page.wait_for_selector("#who-list li")


def _nobody_found(page: Page) -> None:
    page.fill("#who", "Xaver")
    page.press("#who", "Enter")
    page.wait_for_selector("#problem")


def _sums_wrong(page: Page) -> None:
    fields = page.locator("[data-chips]")
    for place, amount in enumerate(("12", "-4", "-3")):
        fields.nth(place).fill(amount)


def _confirmed(page: Page) -> None:
    page.locator("form:has([name=do][value=finish]) button").tap()
    page.wait_for_selector("#problem")


def _keys_listed(page: Page) -> None:
    page.keyboard.press("?")
    page.wait_for_selector("#key-help:popover-open")


TOURNAMENT_DESK = (
    Screen("tournaments", "tournaments", ALL),
    Screen("tournaments-visitor", "tournaments", ALL, "visitor"),
    Screen("tournaments-none", "tournaments", "/c/ochsen/tournaments/"),
    Screen("tournament-new", "tournament-new", ALL + "new/"),
    Screen("tournament-enter", "tournament-own-entry", ALL + "door/enter/", "visitor"),
    Screen("tournament-enter-closed", "tournament-own-entry", ALL + "over/enter/", "visitor"),
    _desk("draft", "tournament-desk", "spring/desk/"),
    _desk("setup", "tournament-setup", "door/desk/setup/"),
    _desk("setup-fixed", "tournament-setup", "over/desk/setup/"),
    _desk("door", "tournament-desk", "door/desk/"),
    _desk("letters", "tournament-desk", "door/desk/", _letters_typed),
    _desk("nobody", "tournament-desk", "door/desk/", _nobody_found),
    _desk("everybody", "tournament-entrants", "door/desk/entrants/"),
    _desk("entrant", "tournament-entrant", "door/desk/entrants/3/"),
    _desk("drawn", "tournament-desk", "drawn/desk/"),
    _desk("drawn-draw", "tournament-draw", "drawn/desk/draw/"),
    _desk("proposed", "tournament-desk", "proposed/desk/"),
    _desk("draw", "tournament-draw", "proposed/desk/draw/"),
    _desk("nothing-drawn", "tournament-draw", "door/desk/draw/"),
    _desk("playing", "tournament-desk", "playing/desk/"),
    _desk("confirm", "tournament-desk", "playing/desk/", _confirmed),
    _desk("keys", "tournament-desk", "playing/desk/", _keys_listed),
    _desk("sheet", "tournament-sheet", "playing/desk/round/2/table/5/", _sums_wrong),
    _desk("sheets-differ", "tournament-sheet", "playing/desk/round/2/table/3/"),
    _desk("sheet-hands", "tournament-sheet", "playing/desk/round/2/table/1/"),
    _desk("sheet-finished", "tournament-sheet", "playing/desk/round/1/table/2/"),
    _desk("over", "tournament-desk", "over/desk/"),
    _desk("paper", "tournament-papers", "drawn/paper/"),
    _desk("paper-nothing", "tournament-papers", "spring/paper/"),
)
