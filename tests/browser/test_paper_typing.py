"""A paper sheet typed with the keyboard alone: ten lines, stored with the results of the engine."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from games import engine_bridge
from games.integrity import verify
from games.models import Hand, Table
from league.money import format_money
from tests.cast import House, house
from tests.factories import PlayerFactory, create_table
from tests.page_events import calls_from_page_answered
from tests.processes import wait_until

from .outbox_steps import kept, nothing_kept
from .outbox_steps import line as outbox_line
from .sign_in import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = ("Anna", "Beni", "Carlo", "Doris", "Emil")
LINES: list[tuple[str, dict[str, Any]]] = [
    ("a b", {"declarer": 0, "joiners": [1], "made": [0, 1]}),
    ("b a d-", {"declarer": 1, "joiners": [0, 3], "made": [0, 1]}),
    ("0", {"declarer": None}),
    ("b* a", {"declarer": 1, "joiners": [0], "blind": "blind", "made": [0, 1]}),
    ("carl", {"declarer": 2, "joiners": []}),
    ("d:2 a:1 b", {"declarer": 3, "joiners": [0, 1], "tricks": {"3": 2, "0": 1, "1": 1}}),
    ("1- 2 3", {"declarer": 0, "joiners": [1, 2], "made": [1, 2]}),
    ("8. c d e-", {"declarer": 2, "joiners": [3, 4], "made": [2, 3]}),
    ("b:4 a c", {"declarer": 1, "joiners": [0, 2], "tricks": {"0": 0, "1": 4, "2": 0}}),
    ("a b- c-", {"declarer": 0, "joiners": [1, 2], "made": [0]}),
]
BOXES = """() => [...document.querySelectorAll("#lines, #preview, [data-store]")].map((node) => {
  const box = node.getBoundingClientRect();
  return [box.x, box.y, box.width, box.height].map(Math.round).join(" ");
})"""


@pytest.fixture
def home(transactional_db: None) -> House:
    home = house("roessli")
    for name in NAMES:
        PlayerFactory(club=home.club, nickname=name)
    return home


@pytest.fixture
def table(home: House) -> Table:
    return create_table(club=home.club, season=home.season, author=home.recorder)


def truth() -> list[dict[str, Any]]:
    """Return the engine's results of the ten hands, one after the other; the last of five seats deals first."""
    start = engine_bridge.Start(1, "chratze", {}, 5, 4, 1, 0)
    results = []
    for _line, record in LINES:
        result = engine_bridge.replay(record | start.fields())
        assert result["ok"]
        results.append(result)
        start = start.after(result)
    return results


def open_page(page: Page, table: Table) -> None:
    sign_in(page, f"/c/roessli/t/{table.pk}/type/")
    expect(page.locator("#lines")).to_be_focused()


def stored(page: Page, number: int) -> None:
    expect(page.locator("#stored [data-line]")).to_have_count(number)
    expect(page.locator("[name=number]")).to_have_value(str(number + 1))


def test_ten_lines_by_the_keyboard_alone(page: Page, table: Table) -> None:
    open_page(page, table)
    before = page.evaluate(BOXES)
    results = truth()
    for number, ((line, _said), result) in enumerate(zip(LINES, results, strict=True), start=1):
        page.keyboard.type(f"{line} ={result['pot_after'] / 100:.2f}")
        expect(page.locator("#preview [data-accepted]")).to_contain_text(format_money(result["pot_after"]))
        assert page.evaluate(BOXES) == before
        page.keyboard.press("Enter")
        stored(page, number)
        expect(page.locator("#preview [data-done]")).to_contain_text(str(number))
        expect(page.locator("#lines")).to_be_focused()
        expect(page.locator("#lines")).to_have_value("")
        assert page.evaluate(BOXES) == before
    kept = [hand.revisions.get() for hand in Hand.objects.order_by("number")]
    assert [revision.result["deltas"] for revision in kept] == [result["deltas"] for result in results]
    assert Table.objects.get().pot_minor == results[-1]["pot_after"]
    expect(page.locator("[data-pot]")).to_have_text(f"Fr. {format_money(results[-1]['pot_after'])}")
    assert list(verify.differences()) == []


@pytest.mark.core
def test_a_line_with_a_wrong_pot_is_refused_and_stays_for_correction(page: Page, table: Table) -> None:
    open_page(page, table)
    page.keyboard.type("b a d- =2.40")
    expect(page.locator("#preview [data-refused]")).to_contain_text("2.40")
    page.keyboard.press("Enter")
    expect(page.locator("#preview [data-refused]")).to_contain_text("+Fr.\xa01.40")
    expect(page.locator("#lines")).to_have_value("b a d- =2.40")
    expect(page.locator("#lines")).to_be_focused()
    assert Hand.objects.count() == 0
    for _letter in "2.40":
        page.keyboard.press("Backspace")
    page.keyboard.type("1.00")
    page.keyboard.press("Enter")
    stored(page, 1)


def test_the_arrow_key_recalls_a_line_and_escape_clears_it(page: Page, table: Table) -> None:
    open_page(page, table)
    for number, line in enumerate(("a b", "Beni anna"), start=1):
        page.keyboard.type(line)
        page.keyboard.press("Enter")
        stored(page, number)
    field = page.locator("#lines")
    page.keyboard.press("ArrowUp")
    expect(field).to_have_value("Beni anna")
    page.keyboard.press("ArrowUp")
    expect(field).to_have_value("a b")
    page.keyboard.press("ArrowDown")
    expect(field).to_have_value("Beni anna")
    page.keyboard.press("Escape")
    expect(field).to_have_value("")
    page.reload()
    page.keyboard.press("ArrowUp")
    expect(field).to_have_value("b a")
    page.keyboard.type(" c-")
    page.keyboard.press("Enter")
    stored(page, 3)


def test_a_pasted_sheet_is_stored_line_by_line_and_a_fault_stores_nothing(page: Page, table: Table) -> None:
    open_page(page, table)
    lines = [line for line, _said in LINES]
    wrong = "\n".join([*lines[:4], "x a", *lines[5:]])
    page.locator("#lines").fill(wrong)
    expect(page.locator("#preview [data-refused]")).to_contain_text("«x»")
    page.keyboard.press("Enter")
    # The answer contains the lines again.
    expect(page.locator("#lines")).to_have_value(wrong)
    expect(page.locator("#preview [data-refused]")).to_contain_text("«x»")
    assert Hand.objects.count() == 0
    page.locator("#lines").fill("\n".join(lines))
    expect(page.locator("#preview .several li")).to_have_count(10)
    page.keyboard.press("Enter")
    stored(page, 10)
    assert Table.objects.get().pot_minor == truth()[-1]["pot_after"]


def test_typing_is_possible_while_a_line_is_being_sent(page: Page, table: Table) -> None:
    open_page(page, table)
    held: list[Route] = []
    page.route("**/type/", lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    page.keyboard.type("a b")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("#lines")).to_have_value("")
    page.keyboard.type("b a")
    page.keyboard.press("Enter")
    wait_until(lambda: calls_from_page_answered(page) and held != [], 20, "the line is sent")
    assert len(held) == 1
    held[0].continue_()
    page.unroute("**/type/")
    stored(page, 2)
    expect(page.locator("#lines")).to_have_value("")
    assert Hand.objects.count() == 2


def test_after_a_lost_answer_the_line_is_sent_again_and_stored_once(page: Page, table: Table) -> None:
    """The server stores the line, but its answer is lost; typing is possible meanwhile, and a reload loses nothing."""
    open_page(page, table)

    def lost(route: Route) -> None:
        if route.request.method == "POST":
            route.fetch(max_redirects=0)
            route.abort("internetdisconnected")
        else:
            route.continue_()

    page.route("**/type/", lost)
    page.keyboard.type("b a d-")
    page.keyboard.press("Enter")
    expect(page.locator("#preview .lines-wait code")).to_have_text("b a d-")
    expect(page.locator("#lines")).to_have_value("")
    assert Hand.objects.count() == 1
    page.keyboard.type("0")
    page.reload()
    expect(page.locator("#preview .lines-wait code")).to_have_text("b a d-")
    expect(page.locator("#lines")).to_have_value("0")
    page.unroute_all(behavior="ignoreErrors")
    page.evaluate("() => window.dispatchEvent(new Event('online'))")
    stored(page, 1)
    page.locator("#lines").press("Enter")
    stored(page, 2)
    expect(page.locator("#lines")).to_have_value("")
    assert Hand.objects.count() == 2
    nothing_kept(page)


def test_a_line_entered_while_another_waits_is_sent_after_it(page: Page, phone: BrowserContext, table: Table) -> None:
    open_page(page, table)
    phone.set_offline(True)
    page.keyboard.type("a b")
    page.keyboard.press("Enter")
    expect(page.locator("#preview .lines-wait code")).to_have_text("a b")
    # The page says it itself.
    expect(outbox_line(page)).to_be_hidden()
    page.keyboard.type("b a")
    page.keyboard.press("Enter")
    phone.set_offline(False)
    stored(page, 2)
    assert [hand.revisions.get().record["declarer"] for hand in Hand.objects.order_by("number")] == [0, 1]


def test_no_line_is_lost_if_the_session_ends(page: Page, phone: BrowserContext, table: Table) -> None:
    open_page(page, table)
    page.keyboard.type("b a")
    expect(page.locator("#preview [data-accepted]")).to_be_visible()
    phone.clear_cookies(name="sessionid")
    page.keyboard.press("Enter")
    expect(page.locator("#preview .lines-wait")).to_contain_text(re.compile("abgemeldet|signed out"))
    assert Hand.objects.count() == 0
    assert len(kept(page)) == 1
    sign_in(page, f"/c/roessli/t/{table.pk}/type/")
    stored(page, 1)
