"""Each page that saves asks first, while an earlier entry is in the memory of this page only."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from games.models import Table

from .outbox_steps import at
from .outbox_steps import expected as expected
from .sign_in import sign_in
from .test_night_seats import opened
from .test_night_share import READ, read_text
from .test_only_here import FULL
from .test_outbox_forms import paste

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# An entry that the browser does not store.
HOLD = """async ([table, at]) => {
  const outbox = await import("/static/js/outbox.js");
  const write = { format: 1, key: outbox.newKey(), kind: "pause", club: "roessli", table, at };
  await outbox.put(outbox.itemOf(write, { url: `/c/roessli/t/${table}/night/`, title: "Pause", summary: "" }));
}"""
WAITING = "async () => (await (await import('/static/js/outbox.js')).all()).length"
KEY = "async () => (await (await import('/static/js/outbox.js')).all())[0].key"
KEY_OF_ANOTHER = "0190a0a0-0000-4000-8000-000000000000"
BUNDLE = """async () => {
  const { bundleOf } = await import("/static/js/night/bundle.js");
  return JSON.stringify(bundleOf("roessli", await (await import("/static/js/outbox.js")).all(), []));
}"""


def pause(page: Page) -> None:
    opened(page)
    page.locator("#seats [data-do=pause]").tap()
    page.locator("#seats [data-store]").tap()


def save(page: Page) -> None:
    page.locator(".hand-end [value=save]").tap()


def type_line(page: Page) -> None:
    page.locator("#lines").focus()
    page.keyboard.type("a b")
    page.keyboard.press("Enter")


def nothing(page: Page) -> None:
    pass


Step = Callable[[Page], None]
SAVES: dict[str, tuple[str, Step, Step]] = {
    "a change of the seats": ("", nothing, pause),
    "a form": ("paste/", paste, save),
    "a typed line": ("type/", nothing, type_line),
}
"""The page of a table, what is done before, and the tap that saves."""


@pytest.mark.parametrize("name", SAVES)
def test_a_page_asks_before_it_saves(page: Page, phone: BrowserContext, table: Table, name: str) -> None:
    tail, prepare, saves = SAVES[name]
    page.add_init_script(f"({FULL})()")
    sign_in(page, f"{at(table)}{tail}")
    prepare(page)
    phone.set_offline(True)
    # Of another table: the page of this one stays as it is.
    page.evaluate(HOLD, [table.pk + 1, 1])
    saves(page)
    expect(page.locator("#only-here")).to_be_visible()
    page.locator("#only-here [popovertargetaction=hide]").tap()
    expect(page.locator("#only-here")).to_be_hidden()
    assert page.evaluate(WAITING) == 1


def test_handed_hands_are_taken_after_the_question(page: Page, phone: BrowserContext, table: Table) -> None:
    page.add_init_script(f"({FULL})()")
    sign_in(page, at(table))
    page.goto(READ)
    phone.set_offline(True)
    page.evaluate(HOLD, [table.pk, 1])
    bundle = page.evaluate(BUNDLE)
    read_text(page, bundle.replace('"at":1', '"at":2').replace(page.evaluate(KEY), KEY_OF_ANOTHER))
    page.locator("[data-take]").tap()
    expect(page.locator("#only-here")).to_be_visible()
    assert page.evaluate(WAITING) == 1
