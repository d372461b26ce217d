"""Saves without an answer: the waiting form, the line on every other page, the list, and their ends.

No save reaches the server: the network is cut off, or a stub answers.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.utils import translation
from django.utils.translation import gettext
from playwright.sync_api import Page, Route

from tests.screens.screen import Screen
from tests.screens.taps import entered, moved_down, undo_asked

Action = Callable[[Page], None]
WAITS_HERE, LINE, LIST = ".waits-note", "#outbox [data-line]", "#outbox-list"
HAND, PAUSE = "/c/krone/t/{five_table}/", "/c/krone/t/{five_table}/seating/?do=pause"
REFUSAL = '<!doctype html><meta charset="utf-8"><title>!</title><main id="main"><p role="alert">{}</p></main>'


# --- The network -------------------------------------------------------------------------------------------


def _posts(page: Page, answer: Callable[[Route], None]) -> None:
    """Give every form this answer; pages are loaded normally."""

    def decide(route: Route) -> None:
        stored = route.request.method == "POST" and route.request.headers.get("outbox") == "1"
        if stored:
            answer(route)
        else:
            route.fallback()

    page.route("**/*", decide)


def _cut(page: Page) -> None:
    _posts(page, lambda route: route.abort("internetdisconnected"))


def _refuses(page: Page) -> None:
    """Answer as the server does after another recorder has closed the evening."""
    with translation.override(str(page.evaluate("document.documentElement.lang")).partition("-")[0]):
        body = REFUSAL.format(gettext("This evening is closed."))
    _posts(page, lambda route: route.fulfill(status=HTTPStatus.CONFLICT, content_type="text/html", body=body))


def _stores(page: Page) -> None:
    where = {"Outbox-Stored": "/c/krone/"}
    _posts(page, lambda route: route.fulfill(status=HTTPStatus.NO_CONTENT, headers=where))


def _back(page: Page) -> None:
    """Send the waiting items at once, on this page: the next page would not know the answer."""
    page.evaluate("window.dispatchEvent(new Event('online'))")


# --- Actions on the screens --------------------------------------------------------------------------------


def saved(button: str, before: Action | None = None) -> Action:
    """Tap the form's button without a network; the form says that it waits."""

    def act(page: Page) -> None:
        if before:
            before(page)
        _cut(page)
        page.tap(button)
        page.wait_for_selector(WAITS_HERE)

    return act


def then(*actions: Action) -> Action:
    """Run the actions one after the other."""

    def act(page: Page) -> None:
        for each in actions:
            each(page)

    return act


def hand_saved(page: Page) -> None:
    """Save a hand on the table screen without a network."""
    entered(page)
    _cut(page)
    page.tap("[data-save]")
    page.wait_for_selector("#saved:not([hidden])")


def next_hand(page: Page) -> None:
    """Go on with the next hand in place."""
    page.tap("#saved [data-next-hand]")
    page.wait_for_selector("#waiting:visible")


def waiting_listed(page: Page) -> None:
    """Open the list of this table's waiting writes."""
    page.tap("#waiting")
    page.wait_for_selector("#waiting-list [data-summary]")


def first_changed(page: Page) -> None:
    """Change the first of the hands that wait."""
    waiting_listed(page)
    page.locator("#waiting-list [data-change-hand]").last.tap()


def later_shown(page: Page) -> None:
    """Save a change that changes a later hand, too."""
    first_changed(page)
    page.tap('[data-seat="0"] [data-mark="no"]')
    page.tap("[data-save]")
    page.wait_for_selector("#later-hands [data-later] li")


def pause_saved(page: Page) -> None:
    """Save a pause of the table on the page, without a network."""
    page.goto(page.url + "seating/?do=pause")
    page.tap("[data-do]")
    page.wait_for_selector(WAITS_HERE)


def gone_to(address: str) -> Action:
    """Open another page, which lists the waiting items."""

    def act(page: Page) -> None:
        page.goto(address)
        page.wait_for_selector(LINE)

    return act


def at_another_table(page: Page) -> None:
    """Open a table screen, which has its own bar at the bottom."""
    page.goto("/c/krone/")
    page.locator("a[href*='/e/'][href$='/record/'], a[href*='/t/']").first.tap()
    page.wait_for_selector(LINE)


def listed(page: Page) -> None:
    page.tap(f"{LINE} button")
    page.wait_for_selector(f"{LIST} [data-summary]")


def as_text(page: Page) -> None:
    page.tap(f"{LIST} summary")


def asked_twice(page: Page) -> None:
    page.locator(f"{LIST} [data-discard]").first.tap()


def refused(page: Page) -> None:
    """Restore the network with a server that refuses. The stub that is added last answers first."""
    _refuses(page)
    _back(page)
    page.wait_for_selector(f"{LINE}.bad")


def stored(page: Page) -> None:
    _stores(page)
    _back(page)
    page.wait_for_selector(f"{LINE} a:visible")


def signed_out(page: Page) -> None:
    """End the session meanwhile."""
    page.context.clear_cookies(name="sessionid")
    page.reload()
    page.wait_for_selector(LINE)


def _wait(name: str, route: str, address: str, act: Action) -> Screen:
    return Screen(name, route, address, act=act, whole=False)


TWO = then(hand_saved, next_hand, hand_saved, next_hand)
"""Two hands that wait, and the next one."""

OUTBOX = (
    _wait("night-saved", "table", HAND, hand_saved),
    _wait("night-next", "table", HAND, TWO),
    _wait("night-entry", "table", HAND, then(TWO, entered)),
    _wait("night-list", "table", HAND, then(TWO, waiting_listed)),
    _wait("night-change", "table", HAND, then(TWO, first_changed)),
    _wait("night-later", "table", HAND, then(TWO, later_shown)),
    _wait(
        "waits-seating",
        "table-seating",
        "/c/krone/t/{seating_table}/seating/?do=come&player={seating_gian}",
        saved("[data-do]"),
    ),
    _wait("waits-order", "table-seating", "/c/krone/t/{seating_table}/seating/", saved("[data-do]", moved_down)),
    _wait("waits-undo", "table", HAND, saved("#undo [type=submit]", undo_asked)),
    _wait("waits-out", "hand-out", "/c/krone/t/{five_table}/h/2/out/", saved("[value=save]")),
    _wait("waits-close", "evening-close", "/c/krone/e/{reopened_evening}/close/", saved("#closing [type=submit]")),
    _wait("waits-payment", "evening-close", "/c/roessli/e/{unpaid_evening}/close/", saved(".pays button[value=yes]")),
    _wait("waits-line", "table", HAND, then(hand_saved, gone_to("/c/krone/"))),
    _wait("waits-line-form", "table-seating", PAUSE, then(saved("[data-do]"), gone_to("/c/krone/"))),
    _wait("waits-line-several", "table", HAND, then(hand_saved, pause_saved, gone_to("/c/krone/"))),
    _wait("waits-line-table", "table-seating", PAUSE, then(saved("[data-do]"), at_another_table)),
    _wait("waits-line-bar", "evening-new", HAND, then(hand_saved, gone_to("/c/krone/e/new/"))),
    _wait("waits-list", "table", HAND, then(hand_saved, pause_saved, gone_to("/c/krone/"), listed)),
    _wait("waits-list-text", "table", HAND, then(hand_saved, pause_saved, gone_to("/c/krone/"), listed, as_text)),
    _wait("waits-list-table", "table-seating", PAUSE, then(saved("[data-do]"), at_another_table, listed)),
    _wait("waits-refused", "table", HAND, then(hand_saved, gone_to("/c/krone/"), refused)),
    _wait("waits-refused-list", "table", HAND, then(hand_saved, pause_saved, gone_to("/c/krone/"), refused, listed)),
    _wait("waits-discard", "table", HAND, then(hand_saved, gone_to("/c/krone/"), refused, listed, asked_twice)),
    _wait("waits-signed-out", "table", HAND, then(hand_saved, gone_to("/c/krone/"), signed_out)),
    _wait("waits-signed-out-list", "table", HAND, then(hand_saved, gone_to("/c/krone/"), signed_out, listed)),
    _wait("waits-stored", "table-seating", PAUSE, then(saved("[data-do]"), gone_to("/c/krone/"), stored)),
)
