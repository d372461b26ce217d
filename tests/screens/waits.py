"""What was saved and has no answer: the form that says so, the line on every other page, its list, and how it ends.

Nothing that is saved here reaches the server: the network is cut, or answers in its place.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.utils import translation
from django.utils.translation import gettext
from playwright.sync_api import Page, Route

from tests.screens.screen import Screen
from tests.screens.taps import entered, moved_down, players_chosen, undo_asked

Act = Callable[[Page], None]
WAITS_HERE, LINE, LIST = ".waits-note", "#outbox [data-line]", "#outbox-list"
HAND, NIGHT = "/c/krone/t/{five_table}/", "/c/krone/t/{five_table}/night/?do=pause"
REFUSAL = '<!doctype html><meta charset="utf-8"><title>!</title><main id="main"><p role="alert">{}</p></main>'


# --- The network -------------------------------------------------------------------------------------------


def _posts(page: Page, answer: Callable[[Route], None]) -> None:
    """Whatever is sent gets this answer; what is only looked at comes as always."""

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
    """As the server does after somebody else has closed the evening."""
    with translation.override(str(page.evaluate("document.documentElement.lang")).partition("-")[0]):
        body = REFUSAL.format(gettext("This evening is closed."))
    _posts(page, lambda route: route.fulfill(status=HTTPStatus.CONFLICT, content_type="text/html", body=body))


def _stores(page: Page) -> None:
    where = {"Outbox-Stored": "/c/krone/"}
    _posts(page, lambda route: route.fulfill(status=HTTPStatus.NO_CONTENT, headers=where))


def _back(page: Page) -> None:
    """What waits goes out now and not only in a while. On this very page: the next one knows nothing of an answer."""
    page.evaluate("window.dispatchEvent(new Event('online'))")


# --- What is tapped ----------------------------------------------------------------------------------------


def saved(button: str, before: Act | None = None) -> Act:
    """The form's button, tapped without a network; the form says that it waits."""

    def act(page: Page) -> None:
        if before:
            before(page)
        _cut(page)
        page.click(button)
        page.wait_for_selector(WAITS_HERE)

    return act


def then(*acts: Act) -> Act:
    """One after the other."""

    def act(page: Page) -> None:
        for each in acts:
            each(page)

    return act


def hand_saved(page: Page) -> None:
    """A hand of the table screen, without a network."""
    entered(page)
    _cut(page)
    page.click("[data-save]")
    page.wait_for_selector("[data-change]")


def pause_saved(page: Page) -> None:
    """A pause of the table at which the page is."""
    page.goto(page.url + "night/?do=pause")
    page.click("[data-do]")
    page.wait_for_selector(WAITS_HERE)


def gone_to(address: str) -> Act:
    """Another page, which says what waits."""

    def act(page: Page) -> None:
        page.goto(address)
        page.wait_for_selector(LINE)

    return act


def at_another_table(page: Page) -> None:
    """A table screen, with a bar of its own at the foot."""
    page.goto("/c/krone/")
    page.locator("a[href*='/e/'][href$='/record/'], a[href*='/t/']").first.click()
    page.wait_for_selector(LINE)


def listed(page: Page) -> None:
    page.click(f"{LINE} button")
    page.wait_for_selector(f"{LIST} [data-told]")


def as_text(page: Page) -> None:
    page.click(f"{LIST} summary")


def asked_twice(page: Page) -> None:
    page.locator(f"{LIST} [data-discard]").first.click()


def refused(page: Page) -> None:
    """The network is back, and the server says no. What is asked last to answer answers first."""
    _refuses(page)
    _back(page)
    page.wait_for_selector(f"{LINE}.bad")


def stored(page: Page) -> None:
    _stores(page)
    _back(page)
    page.wait_for_selector(f"{LINE} a:visible")


def signed_out(page: Page) -> None:
    """The session has lapsed meanwhile."""
    page.context.clear_cookies(name="sessionid")
    page.reload()
    page.wait_for_selector(LINE)


def _wait(name: str, route: str, address: str, act: Act) -> Screen:
    return Screen(name, route, address, act=act, whole=False)


WAITS = (
    _wait(
        "waits-night", "table-night", "/c/krone/t/{night_table}/night/?do=come&player={night_gian}", saved("[data-do]")
    ),
    _wait("waits-order", "table-night", "/c/krone/t/{night_table}/night/", saved("[data-do]", moved_down)),
    _wait("waits-evening", "evening-new", "/c/roessli/e/new/", saved("[data-start]", players_chosen)),
    _wait("waits-undo", "table", HAND, saved("#undo [type=submit]", undo_asked)),
    _wait("waits-out", "hand-out", "/c/krone/t/{five_table}/h/2/out/", saved("[value=save]")),
    _wait("waits-close", "evening-close", "/c/krone/e/{opened_evening}/close/", saved("#closing [type=submit]")),
    _wait("waits-payment", "evening-close", "/c/roessli/e/{unpaid_evening}/close/", saved(".pays button[value=yes]")),
    _wait("waits-line", "table", HAND, then(hand_saved, gone_to("/c/krone/"))),
    _wait("waits-line-form", "table-night", NIGHT, then(saved("[data-do]"), gone_to("/c/krone/"))),
    _wait("waits-line-several", "table", HAND, then(hand_saved, pause_saved, gone_to("/c/krone/"))),
    _wait("waits-line-table", "table-night", NIGHT, then(saved("[data-do]"), at_another_table)),
    _wait("waits-line-bar", "evening-new", HAND, then(hand_saved, gone_to("/c/krone/e/new/"))),
    _wait("waits-list", "table", HAND, then(hand_saved, pause_saved, gone_to("/c/krone/"), listed)),
    _wait("waits-list-text", "table", HAND, then(hand_saved, pause_saved, gone_to("/c/krone/"), listed, as_text)),
    _wait("waits-list-table", "table-night", NIGHT, then(saved("[data-do]"), at_another_table, listed)),
    _wait("waits-refused", "table", HAND, then(hand_saved, gone_to("/c/krone/"), refused)),
    _wait("waits-refused-list", "table", HAND, then(hand_saved, pause_saved, gone_to("/c/krone/"), refused, listed)),
    _wait("waits-discard", "table", HAND, then(hand_saved, gone_to("/c/krone/"), refused, listed, asked_twice)),
    _wait("waits-signed-out", "table", HAND, then(hand_saved, gone_to("/c/krone/"), signed_out)),
    _wait("waits-signed-out-list", "table", HAND, then(hand_saved, gone_to("/c/krone/"), signed_out, listed)),
    _wait("waits-stored", "table-night", NIGHT, then(saved("[data-do]"), gone_to("/c/krone/"), stored)),
)
