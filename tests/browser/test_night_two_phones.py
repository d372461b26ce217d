"""Two phones at one table without a network: the hands of one are handed to the other, which has its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from games.models import Hand, Table
from tests.cast import House
from tests.factories import FAILED, MADE, WALKOVER, enter
from tests.processes import wait_until

from .kept_phones import KeptPhones
from .outbox_steps import FLUSH, NO_ANSWER, kept
from .sign_in import sign_in
from .test_night_share import READ, read_text
from .test_night_stories import BENI, RECORD, assert_truth, log_of_what_was_left_out, played

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BUNDLE = """async (club) => {
  const { bundleOf } = await import("/static/js/night/bundle.js");
  const { run, SNAPSHOTS } = await import("/static/js/database.js");
  const outbox = await import("/static/js/outbox.js");
  const snapshots = await run(SNAPSHOTS, "readonly", (store) => store.getAll());
  return JSON.stringify(bundleOf(club, await outbox.all(), snapshots.map((one) => one.snapshot)));
}"""
STATES = "(lines) => lines.map((line) => line.dataset.state)"
PRESENT = """async () => {
  const { openNight } = await import("/static/js/night/followed_table.js");
  const { now } = await openNight();
  return [now.number, now.pot, now.stuck?.why ?? null];
}"""
KNOWN_HANDS = """async () => {
  const { run, SNAPSHOTS } = await import("/static/js/database.js");
  const found = await run(SNAPSHOTS, "readonly", (store) => store.getAll());
  return Math.max(...found.map((one) => one.snapshot.table.hands));
}"""


@pytest.fixture
def expected(expected: tuple[str, ...]) -> tuple[str, ...]:
    """Requests that the test cuts off are no fault."""
    return (*expected, NO_ANSWER)


@pytest.fixture
def second(kept_phones: KeptPhones) -> Iterator[Page]:
    """The phone that reads."""
    with kept_phones.one() as phone:
        page = phone.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        yield page
    assert not faults, faults


def at(table: Table) -> str:
    return f"/c/roessli/t/{table.pk}/"


def handed(page: Page, phone: BrowserContext, table: Table, *records: dict[str, Any]) -> str:
    """Record hands on the first phone without a network; return the text of its file."""
    sign_in(page, at(table))
    # The modules are fetched while there is a network.
    page.evaluate(RECORD, [[], -1])
    page.evaluate("async () => { await import('/static/js/night/bundle.js'); }")
    phone.set_offline(True)
    page.evaluate(RECORD, [list(records), -1])
    bundle: str = page.evaluate(BUNDLE, "roessli")
    return bundle


def lines(page: Page) -> list[str]:
    expect(page.locator("[data-found]")).to_be_visible()
    states: list[str] = page.locator("[data-lines] > li").evaluate_all(STATES)
    return states


def knows(second: Page, table: Table) -> None:
    """The phone has opened the table, and stored what the page says of it."""
    sign_in(second, at(table))
    hands = Hand.objects.filter(table=table).count()
    wait_until(lambda: second.evaluate(KNOWN_HANDS) == hands, 20, "the phone knows the table")


def reads(second: Page, table: Table, bundle: str) -> None:
    """The second phone has opened the table; it loses its network, and reads the file."""
    knows(second, table)
    second.goto(READ)
    second.context.set_offline(True)
    read_text(second, bundle)


def test_another_hand_under_the_same_number_is_shown_beside_it_and_kept_for_the_choice(
    page: Page, phone: BrowserContext, second: Page, home: House
) -> None:
    """The second phone stored its own hand 2. Hands 2 and 3 of the first are another story: neither is called stored,
    and hand 3 is not built on the pot of the other story."""
    table = played(FAILED, home=home)
    bundle = handed(page, phone, table, MADE, BENI)
    enter(table, WALKOVER, author=home.recorder)
    reads(second, table, bundle)
    assert lines(second) == ["other", "other"]
    both = second.locator("[data-two] [data-numbers] > .differs")
    expect(both).to_have_count(2)
    expect(both.first).to_be_visible()
    wide = second.evaluate("() => document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0
    expect(both.first.locator(".side")).to_have_count(2)
    assert kept(second) == []
    second.locator("[data-take]").tap()
    expect(second.locator("[data-done] [data-choose]")).to_be_visible()
    writes = json.loads(bundle)["writes"]
    assert [(item["key"], item["write"], item["status"], item["handed"]) for item in kept(second)] == [
        (write["key"], write, "held", True) for write in writes
    ]
    # Read once more, nothing is new.
    second.locator("#pasted").fill(bundle)
    second.locator("[data-read]").tap()
    assert lines(second) == ["here", "here"]
    # With a network nothing of it goes by itself, and the table goes on from the stored hand.
    second.context.set_offline(False)
    second.goto(at(table))
    second.evaluate(FLUSH)
    number, _pot, stuck = second.evaluate(PRESENT)
    assert (number, stuck) == (3, None)
    assert Hand.objects.filter(table=table).count() == 2
    second.locator("#outbox [data-line] button").tap()
    second.locator("#outbox-list [data-look]:not([hidden])").first.tap()
    second.locator("label[for=way-after]").tap()
    second.locator("[data-save]").tap()
    wait_until(lambda: kept(second) == [], 20, "the choice is stored")
    assert_truth(table, FAILED, WALKOVER, MADE, BENI, home=home)
    # The first phone sends its hands under their old keys: they are shown as the same, and nothing is stored twice.
    phone.set_offline(False)
    page.goto(at(table))
    wait_until(lambda: any(item["status"] == "refused" for item in kept(page)), 20, "the refusal")
    page.goto(f"{at(table)}stories/?from=2")
    page.locator("[data-save]").tap()
    wait_until(lambda: kept(page) == [], 20, "the first phone is done")
    assert_truth(table, FAILED, WALKOVER, MADE, BENI, home=home)


def test_the_state_of_the_table_comes_with_the_file(
    page: Page, phone: BrowserContext, second: Page, home: House
) -> None:
    """A hand was stored after the second phone had lost its network: it goes on from there."""
    table = played(FAILED, home=home)
    knows(second, table)
    second.goto(READ)
    second.context.set_offline(True)
    enter(table, WALKOVER, author=home.recorder)
    read_text(second, handed(page, phone, table, MADE))
    assert lines(second) == ["new"]
    second.locator("[data-take]").tap()
    expect(second.locator("[data-done]")).to_be_visible()
    assert second.evaluate(KNOWN_HANDS) == 2


CHOICE = "[data-choice] [data-holds={}]"


@pytest.mark.parametrize(("holds", "stored"), [("own", [WALKOVER]), ("handed", [MADE, BENI])])
def test_between_two_stories_that_no_server_has_a_person_chooses_without_a_network(
    page: Page, phone: BrowserContext, second: Page, home: House, holds: str, stored: list[dict[str, Any]]
) -> None:
    """Both phones have another hand 2, and nothing of it is stored. The choice waits in the outbox as any other write:
    the hands of one story, and the line of the log that names the others."""
    table = played(FAILED, home=home)
    bundle = handed(page, phone, table, MADE, BENI)
    sign_in(second, at(table))
    # No write gets an answer; the pages come, as the kept ones would.
    second.context.route("**/*", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    second.evaluate(RECORD, [[WALKOVER], -1])
    wait_until(lambda: second.evaluate(KNOWN_HANDS) == 1, 20, "the phone knows the table")
    second.goto(READ)
    (own,) = kept(second)
    read_text(second, bundle)
    assert lines(second) == ["other", "other"]
    expect(second.locator("[data-choice]")).to_be_hidden()
    second.locator("[data-take]").tap()
    # Both wait now: the choice can be made later, too.
    expect(second.locator(CHOICE.format(holds))).to_be_visible()
    assert [item.get("handed", False) for item in kept(second)] == [False, True, True]
    second.reload()
    button = second.locator(CHOICE.format(holds))
    expect(button).to_be_visible()
    assert second.evaluate("() => document.documentElement.scrollWidth - window.innerWidth") <= 0
    assert (button.bounding_box() or {})["height"] >= 44
    button.tap()
    assert len(kept(second)) == 3, "the first tap only asks"
    button.tap()
    expect(second.locator("[data-done]")).to_be_visible()
    writes = [own["write"]] if holds == "own" else json.loads(bundle)["writes"]
    items = kept(second)
    assert [item["write"] for item in items if item["write"]["kind"] == "hand"] == writes
    assert [(item["status"], item.get("handed")) for item in items] == [("waiting", None)] * len(items)
    (log,) = [item["write"] for item in items if item["write"]["kind"] == "leave-out"]
    assert [hand["number"] for hand in log["hands"]] == ([2, 3] if holds == "own" else [2])
    second.context.unroute("**/*")
    second.evaluate(FLUSH)
    wait_until(lambda: kept(second) == [], 20, "the choice is stored")
    assert_truth(table, FAILED, *stored, home=home)
    assert len(log_of_what_was_left_out()) == (2 if holds == "own" else 1)
