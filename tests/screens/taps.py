"""Actions on a screen before its picture is taken."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, timedelta
from http import HTTPStatus

from django.test import RequestFactory
from django.utils import translation
from playwright.sync_api import Page

from league.web import error_pages
from tests.engine.hands import Record


def tap(page: Page, *seats: int) -> None:
    for seat in seats:
        page.tap(f'[data-seat="{seat}"] [data-tap]')


def accepted(page: Page) -> None:
    page.wait_for_selector("#preview [data-accepted]")


def refused(page: Page) -> None:
    page.wait_for_selector("#preview [data-refused]")


def entered(page: Page) -> None:
    """Enter a hand: seat 1 chratzt, two join, one of them failed."""
    tap(page, 1, 0, 3)
    page.tap('[data-seat="3"] [data-mark="no"]')
    accepted(page)


def divided(page: Page) -> None:
    """Open the form that splits a table, with three players who leave."""
    page.tap("details summary")
    for nth in (0, 3, 5):
        page.locator("[name=goes]").nth(nth).check()


def moved_down(page: Page) -> None:
    """Move the first player one seat on, so that the page shows the preview."""
    page.locator(".round a").first.tap()
    page.wait_for_selector("#preview")


def counted(page: Page) -> None:
    tap(page, 1, 0, 3)
    page.tap("[data-counting]")
    page.tap('[data-seat="1"] [data-step="1"]')


def all_failed(page: Page) -> None:
    tap(page, 1, 0, 3)
    for seat in (0, 1, 3):
        page.tap(f'[data-seat="{seat}"] [data-mark="no"]')
    refused(page)


def declared_blind(page: Page) -> None:
    tap(page, int(page.get_attribute("#hand", "data-dealer") or 0))
    page.locator("[data-blind]").nth(1).tap()
    accepted(page)


def passed(page: Page) -> None:
    page.tap("[data-pass]")
    accepted(page)


def opened(what: str) -> Callable[[Page], None]:
    """Open the sheet of a button."""
    return lambda page: page.tap(f"[popovertarget={what}]")


def words_opened(page: Page) -> None:
    """Open the words in the menu of a table."""
    page.tap("[popovertarget=more]")
    page.tap("[popovertarget=words]")


def taken_over_without_a_network(page: Page) -> None:
    """Open the sheet of who watches after the network is lost."""
    page.evaluate("() => Object.defineProperty(navigator, 'onLine', { value: false })")
    page.evaluate("() => { window.dispatchEvent(new Event('offline')); }")
    page.wait_for_selector("[data-stale]:visible")
    page.tap("[popovertarget=take-over]")
    page.wait_for_selector("[data-without-network]:visible")


def first_line_opened(page: Page) -> None:
    """Open the details of the first line of a log."""
    page.locator(".log summary").nth(1).tap()


def operation_unfolded(page: Page) -> None:
    """Unfold an operation of the API that has a body."""
    page.locator(".group:has(#players-post) > summary").tap()
    page.locator("#players-post > summary").tap()
    page.locator("#players-post").scroll_into_view_if_needed()
    page.evaluate("document.querySelector('#players-post').scrollIntoView()")


def undo_asked(page: Page) -> None:
    page.locator(".undo > [popovertarget=undo], .alt > [popovertarget=undo]").first.tap()


def handed_on(page: Page) -> None:
    page.tap("[popovertarget=more]")
    page.tap("#more [popovertarget=pencil-on]")


def seven_entered(page: Page) -> None:
    tap(page, 0, 1, 2, 3, 4, 5, 6)
    for seat in (3, 4, 5, 6):
        page.tap(f'[data-seat="{seat}"] [data-mark="no"]')
    accepted(page)


def undecided(page: Page) -> None:
    """Enter a declarer and three joiners, of whom one made it: the others are a question."""
    tap(page, 1, 0, 3, 4)
    page.tap('[data-seat="0"] [data-mark="yes"]')


def tricks(page: Page, *seats: int) -> None:
    for seat in seats:
        page.tap(f'[data-seat="{seat}"] [data-step="1"]')


def muss_entered(page: Page) -> None:
    tricks(page, 4, 4, 0, 2)
    accepted(page)


def muss_half(page: Page) -> None:
    tricks(page, 4, 4, 0)


def oder_entered(page: Page) -> None:
    tap(page, 1, 3)
    page.tap('[data-call="oder"]')
    tricks(page, 3)
    accepted(page)


def weiter_oder(page: Page) -> None:
    tap(page, 1, 3)
    page.tap('[data-call="weiter-oder"]')


def seven_turned(page: Page) -> None:
    page.tap("[data-seven]")
    tricks(page, 0, 0, 1, 3)
    accepted(page)


def cut_shown(page: Page) -> None:
    page.tap("[data-cut-label]")
    for card in ("A", "x"):
        page.tap(f'[data-cut="{card}"]')


def joined_alone(page: Page) -> None:
    tap(page, 2)
    accepted(page)


def players_chosen(page: Page) -> None:
    for box in page.locator("[data-roster] input[type=checkbox]").all()[:5]:
        box.check()
    page.fill("[data-guest]", "Bartholomäus")
    page.tap("[data-add-guest]")
    page.tap("[data-order] > li:last-child .deals")


def sent_empty(page: Page) -> None:
    page.tap("main button[type=submit]")
    page.wait_for_selector(".errorlist, .errors")


def menu_opened(page: Page) -> None:
    """Open the menu behind ⋯."""
    page.tap(".more-menu > summary")


def unfolded(page: Page) -> None:
    """Unfold the actions for the second person of the club."""
    page.locator("main details > summary").nth(1).tap()


def player_refused(page: Page) -> None:
    """Enter a nickname that another player has already."""
    page.fill("[name=nickname]", "anna")
    sent_empty(page)


def signed_in_wrongly(page: Page) -> None:
    page.fill("[name=username]", "nobody@example.org")
    page.fill("[name=password]", "a-wrong-password")
    sent_empty(page)


def rules_compared(page: Page) -> None:
    page.fill("[name=pot_limit]", "4")
    page.tap("main button[type=submit]")
    page.wait_for_selector("[name=confirm]")


def formula_previewed(page: Page) -> None:
    page.tap("main button[value=look]")
    page.wait_for_selector("#preview-title")


def team_previewed(page: Page) -> None:
    page.select_option("#put [name=player]", index=1)
    page.select_option("#put [name=team]", "2")
    page.tap("#put button[value=look_put]")
    page.wait_for_selector("#preview-put .card")


def series_shown(page: Page) -> None:
    first = date.today() + timedelta(days=7)  # noqa: DTZ011
    page.fill("[name=held_on]", str(first))
    page.select_option("[name=weeks]", "2")
    page.fill("[name=until]", str(first + timedelta(days=70)))
    page.tap("#plan button[type=submit]")
    page.wait_for_selector("#days")


def rules_refused(page: Page) -> None:
    page.fill("[name=pot_limit]", "12345678901")
    page.tap("main button[type=submit]")
    page.wait_for_selector(".errorlist, .errors")


def replayed(page: Page) -> None:
    page.fill("[name=pot_limit]", "3")
    page.tap("main form button[type=submit]")
    page.wait_for_selector("#result")


def entered_so_far(full: Record, *fields: str, tricks: int = 0) -> Callable[[Page], None]:
    """Enter the hand of a full record up to these fields and this number of tricks."""
    record = {name: full[name] for name in fields} | ({"play": full["play"][:tricks]} if tricks else {})

    def act(page: Page) -> None:
        with page.expect_navigation():
            page.evaluate(SEND_RECORD, json.dumps(record))

    return act


SEND_RECORD = """(record) => {
  const form = document.querySelector("#steps");
  form.elements.record.value = record;
  form.insertAdjacentHTML("beforeend", '<input type="hidden" name="do" value="go">');
  form.submit();
}"""


def corrected(page: Page) -> None:
    tap(page, 3)
    accepted(page)


def others_sat(page: Page) -> None:
    page.tap(".who-sat summary")


def planned(page: Page) -> None:
    page.tap("[data-pass]")
    accepted(page)
    page.tap("[data-save]")
    page.wait_for_selector("[name=seen]", state="attached")


def four_cards(page: Page) -> None:
    for place in range(2):
        page.locator("#steps [name=answer]").nth(place * 5).check()


def pasted(page: Page) -> None:
    page.fill("textarea", '{"deal": {"hands": [["As", "Ks", "As", "6c"]], "turned": ["9s"]}, "calls": []}')
    page.tap(".paste button[type=submit]")
    page.wait_for_selector("[role=alert]:not([hidden])")


def line_typed(line: str) -> Callable[[Page], None]:
    """Type a line of a sheet; wait until the page shows its result."""

    def act(page: Page) -> None:
        page.fill("#lines", line)
        page.wait_for_selector("#preview [data-accepted], #preview [data-refused]")

    return act


def steps_listed(page: Page) -> None:
    page.tap("#all-steps summary")


def course_listed(page: Page) -> None:
    page.tap("#course-table summary")


def rules_unfolded(page: Page) -> None:
    page.tap("details.card summary")


def pot_asked(page: Page) -> None:
    tap(page, 0, 1)
    accepted(page)


def without_its_token(page: Page) -> None:
    page.eval_on_selector("main [name=csrfmiddlewaretoken]", "field => field.remove()")
    page.tap("main button[type=submit]")
    page.wait_for_selector(".code")


def answered_with(status: HTTPStatus) -> Callable[[Page], None]:
    """Show an error page that cannot be reached by taps."""

    def show(page: Page) -> None:
        language = str(page.evaluate("document.documentElement.lang")).partition("-")[0]
        request = RequestFactory().get("/")
        with translation.override(language):
            made = {
                HTTPStatus.BAD_REQUEST: error_pages.bad_request,
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE: error_pages.too_large,
                HTTPStatus.TOO_MANY_REQUESTS: error_pages.too_many,
                HTTPStatus.SERVICE_UNAVAILABLE: error_pages.unavailable,
            }
            body = made.get(status, error_pages.server_error)(request).content.decode()
        page.route("**/answered/", lambda route: route.fulfill(status=status, content_type="text/html", body=body))
        page.goto("/answered/")

    return show


def pot_shared(page: Page) -> None:
    with page.expect_response("**/close/**"):
        page.check("[name=pot][value=share]")
    page.wait_for_selector("#then .parts")


def settling_unfolded(page: Page) -> None:
    page.tap(".settles summary")


def opened_again(page: Page) -> None:
    page.tap(".again summary")


def qr_shown(page: Page) -> None:
    page.tap(".qr summary >> nth=0")
