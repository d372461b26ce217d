"""The night goes on in place without a network: hand after hand on the table screen, undo and change of waiting
hands."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.utils import translation
from playwright.sync_api import BrowserContext, Page, Route, expect

import engine
from games.hands.selectors import table_view
from games.models import Hand, Revision, Table
from games.table.night_texts import night_texts
from tests.browser.night_walk import fresh
from tests.factories import MADE, create_table, enter

from .outbox_steps import NO_ANSWER, at, kept, nothing_kept
from .sign_in import sign_in
from .test_evening import Screen

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def expected(expected: tuple[str, ...]) -> tuple[str, ...]:
    """Requests that the test cuts off are no fault, nor are answers of a server that is out of order."""
    return (*expected, NO_ANSWER, "status of 5")


class Night(Screen):
    """The table screen without a network."""

    def save_here(self, *seats: int, failed: tuple[int, ...] = ()) -> None:
        """Enter a hand of Chratze (nobody declares without seats), and save it: the saved screen is shown in place."""
        number = self.number()
        if seats:
            self.tap(*seats)
        else:
            self.page.locator("[data-pass]").tap()
        for seat in failed:
            self.failed(seat)
        self.page.locator("[data-save]").tap()
        expect(self.page.locator("#saved")).to_be_visible()
        expect(self.page.locator("[data-saved-head]")).to_contain_text(str(number))

    def onward(self) -> None:
        expect(self.page.locator("#saved")).to_be_visible()
        self.page.locator("#saved [data-next-hand]").tap()
        expect(self.page.locator("#hand")).to_be_visible()

    def hand(self, *seats: int, failed: tuple[int, ...] = ()) -> None:
        self.save_here(*seats, failed=failed)
        self.onward()

    def number(self) -> int:
        return int(self.page.evaluate("document.querySelector('#hand').dataset.number"))

    def sums(self) -> list[int]:
        texts = self.page.locator("#hand [data-balance]").all()
        return [int(text.get_attribute("data-tonight") or "") for text in texts]

    def line(self) -> Any:
        return self.page.locator("#waiting")


def opened(page: Page, phone: BrowserContext, table: Table) -> Night:
    """Open the table with a network, then cut it off."""
    sign_in(page, at(table))
    expect(page.locator("#hand[data-heard]")).to_be_visible()
    phone.set_offline(True)
    return Night(page)


HANDS: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
    ((0, 1), ()),
    ((1, 2, 3), (3,)),
    ((), ()),
    ((2,), ()),
    ((3, 4, 0), (3,)),
    ((4, 0), (0,)),
    ((0, 1, 2), (0,)),
    ((1, 0), ()),
    ((), ()),
    ((2, 3, 4), ()),
    ((3, 0), (0,)),
    ((4, 1, 2), (4,)),
]
"""Who plays, the declarer first, and who fails."""


def test_twelve_hands_without_a_network_then_all_of_them_go_up(page: Page, phone: BrowserContext, table: Table) -> None:
    night = opened(page, phone, table)
    for seats, failed in HANDS:
        night.hand(*seats, failed=failed)
    assert night.number() == 13
    expect(night.line()).to_contain_text("12")
    assert not Hand.objects.exists()
    sums = night.sums()
    phone.set_offline(False)
    nothing_kept(page)
    view = table_view(fresh(table))
    assert [seat.tonight_minor for seat in view.seats] == sums
    assert view.table.hands == 12
    for revision in Revision.objects.order_by("hand__number"):
        assert engine.replay(revision.record) == revision.result
    assert page.evaluate("document.querySelector('#hand').dataset.basis").startswith("13 ")


@pytest.mark.core
def test_the_newest_hand_that_waits_is_undone(page: Page, phone: BrowserContext, table: Table) -> None:
    """On the saved screen and in the list; its entry fills the form again, and an older one cannot be undone."""
    night = opened(page, phone, table)
    night.hand(0, 1)
    before = night.sums()
    night.save_here(1, 2)
    page.locator("#saved [data-undo-saved]").tap()
    expect(page.locator("#hand")).to_be_visible()
    assert night.number() == 2
    assert night.sums() == before
    assert night.roles() == ["", "chratzt", "metcho", "", ""]
    assert [item["number"] for item in kept(page)] == [1]
    page.locator("[data-save]").tap()
    night.onward()
    night.line().tap()
    entries = page.locator("#waiting-list [data-key]")
    expect(entries).to_have_count(2)
    expect(entries.nth(0).locator("[data-undo-write]")).to_be_visible()
    expect(entries.nth(1).locator("[data-undo-write]")).to_be_hidden()
    entries.nth(0).locator("[data-undo-write]").tap()
    expect(page.locator("#hand[data-number='2']")).to_be_visible()
    assert len(kept(page)) == 1


def test_a_change_of_a_waiting_hand_counts_the_later_ones_again(
    page: Page, phone: BrowserContext, table: Table
) -> None:
    """The change is shown before it is stored; the server then has exactly the shown hands."""
    night = opened(page, phone, table)
    night.hand(0, 1)
    night.hand(1, 2, 3, failed=(2, 3))
    night.hand(3, 4)
    keys = [item["key"] for item in kept(page)]
    night.line().tap()
    page.locator("#waiting-list [data-key]").nth(2).locator("[data-change-hand]").tap()
    expect(page.locator("#hand[data-number='1']")).to_be_visible()
    expect(night.line()).to_contain_text("1")
    assert night.roles() == ["chratzt", "metcho", "", "", ""]
    night.failed(0)
    page.locator("[data-save]").tap()
    later = page.locator("#later-hands")
    expect(later).to_be_visible()
    expect(later.locator("li")).to_have_count(2)
    assert [item["key"] for item in kept(page)] == keys, "stored before it was confirmed"
    later.locator("[data-store-change]").tap()
    night.onward()
    assert night.number() == 4
    sums = night.sums()
    after = [item["key"] for item in kept(page)]
    assert after[1:] == keys[1:]
    assert after[0] != keys[0]
    phone.set_offline(False)
    nothing_kept(page)
    assert [seat.tonight_minor for seat in table_view(fresh(table)).seats] == sums
    first = Revision.objects.get(hand__number=1)
    assert first.record["made"] == [1]


def test_a_change_can_be_left(page: Page, phone: BrowserContext, table: Table) -> None:
    night = opened(page, phone, table)
    night.hand(0, 1)
    night.tap(2, 3)
    night.line().tap()
    page.locator("#waiting-list [data-change-hand]").tap()
    expect(page.locator("#hand[data-number='1']")).to_be_visible()
    night.line().tap()
    expect(page.locator("#hand[data-number='2']")).to_be_visible()
    assert night.roles() == ["", "", "chratzt", "metcho", ""], "the entry under way was lost"


def test_the_page_comes_up_at_the_present_state(page: Page, phone: BrowserContext, table: Table) -> None:
    """After a reload, and in another tab: with all hands that wait, and with the entry under way."""
    sign_in(page, at(table))
    expect(page.locator("#hand[data-heard]")).to_be_visible()
    # The page can be loaded, but no write gets an answer.
    phone.route(re.compile(r"/night/$"), lambda route: route.abort())
    night = Night(page)
    night.hand(0, 1)
    night.hand(2)
    sums = night.sums()
    night.tap(4, 3)
    page.reload()
    expect(page.locator("#hand[data-heard]")).to_be_visible()
    assert night.number() == 3
    assert night.sums() == sums
    assert night.roles() == ["", "", "", "metcho", "chratzt"]
    page.close()
    other = phone.new_page()
    other.goto(at(table))
    expect(other.locator("#hand[data-heard]")).to_be_visible()
    expect(other.locator("#hand")).to_have_attribute("data-number", "3")
    again = Night(other)
    assert again.sums() == sums
    assert again.roles() == ["", "", "", "metcho", "chratzt"], "the entry under way did not survive its tab"
    phone.unroute_all()
    nothing_kept(other)
    assert Hand.objects.count() == 2


def test_a_tab_with_an_entry_says_that_its_hand_waits(page: Page, phone: BrowserContext, table: Table) -> None:
    """Another tab of this phone saved the hand, and the server does not have it."""
    sign_in(page, at(table))
    expect(page.locator("#hand[data-heard]")).to_be_visible()
    phone.route(re.compile(r"/night/$"), lambda route: route.abort())
    Night(page).tap(4, 3)
    other = phone.new_page()
    other.goto(at(table))
    expect(other.locator("#hand[data-heard]")).to_be_visible()
    other.locator("[data-save]").tap()
    expect(other.locator("#saved")).to_be_visible()
    with translation.override("de"):
        waits = night_texts("CHF")["entry.waits"].replace("{number}", "1")
    expect(page.locator("#preview")).to_contain_text(waits)


def test_a_slow_network_does_not_hold_the_hand(page: Page, phone: BrowserContext, table: Table) -> None:
    """Without an answer for 2.5 seconds the saved screen is shown; the answer that comes later takes nothing away."""
    sign_in(page, at(table))
    expect(page.locator("#hand[data-heard]")).to_be_visible()
    held: list[Any] = []
    phone.route(re.compile(r"/night/$"), lambda route: held.append(route))
    night = Night(page)
    night.tap(0, 1)
    page.locator("[data-save]").tap()
    expect(page.locator("#saved")).to_be_visible()
    night.onward()
    night.tap(2, 3)
    for route in held:
        route.continue_()
    phone.unroute_all()
    nothing_kept(page)
    assert night.number() == 2
    assert night.roles() == ["", "", "chratzt", "metcho", ""]
    page.locator("[data-save]").tap()
    page.wait_for_url(re.compile(r"/h/2/$"))
    assert Hand.objects.count() == 2


def test_a_hand_under_way_is_not_undone_and_the_screen_says_so(page: Page, phone: BrowserContext, table: Table) -> None:
    """Once it has an answer, its page undoes it."""
    sign_in(page, at(table))
    held: list[Any] = []
    phone.route(re.compile(r"/night/$"), lambda route: held.append(route))
    night = Night(page)
    night.tap(0, 1)
    page.locator("[data-save]").tap()
    expect(page.locator("#saved")).to_be_visible()
    for act in ("undo", "change"):
        page.locator(f"#saved [data-{act}-saved]").tap()
        expect(page.locator("#needs-network")).to_contain_text(re.compile("being sent|wird gerade gesendet"))
        page.locator("#needs-network button").tap()
        expect(page.locator("#saved")).to_be_visible()
    for route in held:
        route.continue_()
    nothing_kept(page)
    page.locator("#saved [data-undo-saved]").tap()
    page.wait_for_url(re.compile(r"/h/1/$"))


def test_hands_of_kratzen_go_on_with_muss_and_free_hands(page: Page, phone: BrowserContext, home: Any) -> None:
    """A Muss first; then free hands, with a declarer or passed out. The server gives the same results."""
    table = create_table(club=home.club, season=home.season, author=home.recorder, game="kratzen", seats=4)
    night = opened(page, phone, table)
    seen = set()
    for turn in range(12):
        muss = page.evaluate("'muss' in document.querySelector('#hand').dataset")
        seen.add(muss)
        expect(page.locator("[data-pass]")).to_be_visible(visible=not muss)
        if muss:
            night.tricks(*((0, 0, 1, 2), (3, 3, 2, 2), (0, 1, 2, 3))[turn % 3])
        elif turn % 4 == 3:
            page.locator("[data-pass]").tap()
        else:
            night.tap(turn % 4, (turn + 1) % 4)
            night.tricks(turn % 4, turn % 4)
        page.locator("[data-save]").tap()
        expect(page.locator("#saved")).to_be_visible()
        night.onward()
    assert seen == {True, False}
    sums = night.sums()
    phone.set_offline(False)
    nothing_kept(page)
    view = table_view(fresh(table))
    assert view.table.hands == 12
    assert [seat.tonight_minor for seat in view.seats] == sums
    for revision in Revision.objects.order_by("hand__number"):
        assert engine.replay(revision.record) == revision.result


WHERE = """() => {
  const box = (node) => { const { top, bottom } = node.getBoundingClientRect(); return [top, bottom]; };
  const rows = [...document.querySelectorAll("#hand [data-seat]")].map(box);
  const turn = box(document.querySelector("#hand .between"));
  return { bar: box(document.querySelector("#hand .bar")), rows, turn, wide: document.documentElement.scrollWidth };
}"""


@pytest.mark.parametrize("seats", [5, 7])
def test_the_line_pushes_nothing_off_the_screen(page: Page, phone: BrowserContext, home: Any, seats: int) -> None:
    """At 360 × 640 every row ends above the bar, and the bar ends with the screen."""
    table = create_table(club=home.club, season=home.season, author=home.recorder, seats=seats)
    night = opened(page, phone, table)
    night.hand(0, 1)
    expect(night.line()).to_be_visible()
    where = page.evaluate(WHERE)
    assert where["bar"][1] <= 640
    assert max(bottom for _, bottom in where["rows"]) <= where["bar"][0] + 1
    if seats == 5:
        assert where["turn"][1] <= where["bar"][0] + 1
    assert where["wide"] == 360
    box = night.line().bounding_box()
    assert box
    assert box["height"] >= 44


def test_a_hand_that_is_not_accepted_is_shown_with_its_reason(page: Page, phone: BrowserContext, table: Table) -> None:
    """Another phone stored that hand meanwhile: the line leads to both stories; later writes wait."""
    night = opened(page, phone, table)
    night.hand(0, 1)
    night.hand(2, 3)
    night.tap(4)
    enter(table, MADE)
    phone.set_offline(False)
    expect(night.line()).to_have_class(re.compile("bad"))
    assert [item["status"] for item in kept(page)] == ["refused", "waiting"]
    night.line().tap()
    refused = page.locator("#waiting-list .bad")
    expect(refused.locator("[data-why]")).not_to_be_empty()
    expect(refused.locator("[data-stories]")).to_have_attribute("href", re.compile(r"/stories/\?from=1$"))
    assert Hand.objects.count() == 1


def test_a_hand_that_the_server_counts_otherwise_is_shown(page: Page, phone: BrowserContext, table: Table) -> None:
    """Until the recorder has seen it, also after the page was loaded again."""
    night = opened(page, phone, table)
    night.hand(0, 1)

    def otherwise(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        body["stored"]["difference"] = {"sentence": "It comes to more.", "deltas": [0] * 5, "pot_after": 0}
        route.fulfill(response=answer, json=body)

    phone.route(re.compile(r"/night/$"), otherwise)
    phone.set_offline(False)
    nothing_kept(page)
    expect(night.line()).to_have_class(re.compile("bad"))
    page.reload()
    expect(night.line()).to_be_visible()
    night.line().tap()
    expect(page.locator("#waiting-list .differs [data-why]")).to_have_text("It comes to more.")
    page.locator("#waiting-list [data-seen-difference]").tap()
    expect(page.locator("#waiting-list")).to_be_hidden()
    expect(night.line()).to_be_hidden()


def test_stored_hands_are_shown_at_the_end_without_another_page(
    page: Page, phone: BrowserContext, table: Table
) -> None:
    """The hands of tonight come from the server, and the entry under way is not touched."""
    night = opened(page, phone, table)
    night.hand(0, 1)
    expect(page.locator("#tonight [data-waiting-hands] li")).to_have_count(1)
    night.tap(3, 4)
    page.evaluate("window.same = true")
    phone.set_offline(False)
    nothing_kept(page)
    expect(page.locator("#tonight [popovertarget=undo]").first).to_be_attached()
    expect(page.locator("#tonight [data-waiting-hands]")).to_have_count(0)
    assert night.roles() == ["", "", "", "chratzt", "metcho"]
    expect(night.line()).to_have_class(re.compile("good"))
    assert night.number() == 2
    assert page.evaluate("window.same") is True, "the page was loaded again"
