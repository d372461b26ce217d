"""Without a network: the seats, an evening that began on the phone, and the waiting writes."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.screens.outbox import Action, _back, _cut, _refuses, then
from tests.screens.screen import Screen
from tests.screens.taps import players_chosen

TABLE = "/c/krone/t/{five_table}/"


def without_network(page: Page) -> None:
    page.evaluate("Object.defineProperty(navigator, 'onLine', { value: false })")


def sheet_opened(page: Page) -> None:
    without_network(page)
    page.tap("[popovertarget=more]")
    page.tap("#more [data-seats]")
    page.wait_for_selector("#seats [data-order] > li")


def guest_comes(page: Page) -> None:
    page.fill("#seats [data-who]", "Bartholomäus")
    page.tap("#seats [data-typed]")


def tapped(what: str) -> Action:
    return lambda page: page.locator(what).first.tap()


def card_by_card(page: Page) -> None:
    without_network(page)
    page.tap("[popovertarget=more]")
    page.locator("#more [data-needs-network]").nth(1).tap()
    page.wait_for_selector("#needs-network:popover-open")


def begun(page: Page) -> None:
    """Begin an evening whose write does not arrive."""
    players_chosen(page)
    _cut(page)
    page.tap("[data-start]")
    page.wait_for_selector("#hand:not([hidden])")


def begun_in_vain(page: Page) -> None:
    begun(page)
    _refuses(page)
    _back(page)
    page.wait_for_selector("[data-begin-refused]:not([hidden])")


def _sheet(name: str, act: Action) -> Screen:
    return Screen(name, "table", TABLE, act=act, whole=False)


NIGHT_SEATS = (
    _sheet("seats-sheet", sheet_opened),
    _sheet("seats-sheet-come", then(sheet_opened, guest_comes)),
    _sheet("seats-sheet-leave", then(sheet_opened, tapped("#seats [data-leaves]"))),
    _sheet("seats-sheet-order", then(sheet_opened, tapped("#seats [data-move='1']"))),
    _sheet("needs-network", card_by_card),
    Screen("night-table", "night-table", "/c/roessli/e/new/", act=begun, whole=False),
    Screen("night-table-kratzen", "night-table", "/c/adler/e/new/", act=begun, whole=False),
    Screen("night-table-refused", "night-table", "/c/roessli/e/new/", act=begun_in_vain, whole=False),
    Screen("night-table-none", "night-table", "/c/roessli/night/chratze/"),
)
