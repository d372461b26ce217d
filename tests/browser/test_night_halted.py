"""The table screen where a waiting hand is no part of the present: behind a refused write, or one that does not fit."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from games.hands.selectors import table_view
from games.models import Hand, Table
from tests.browser.night_walk import fresh
from tests.cast import House
from tests.factories import MADE, create_table, enter

from .outbox_steps import expected as expected  # a fixture
from .outbox_steps import kept, nothing_kept
from .test_night_going_on import Night, opened
from .test_night_outbox import refused

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DISCARD_ALL = """async () => {
  const outbox = await import("/static/js/outbox.js");
  for (const { key } of await outbox.all()) await outbox.discard(key);
}"""


def change_first(night: Night) -> None:
    """Begin to change hand 1, which waits: its declarer failed."""
    night.line().tap()
    night.page.locator("#waiting-list [data-key]").last.locator("[data-change-hand]").tap()
    expect(night.page.locator("#hand[data-number='1']")).to_be_visible()
    night.failed(0)


def correct_the_stored_one(page: Page) -> None:
    """The form of the server's correction has the change."""
    expect(page.locator("#stored-meanwhile")).to_be_visible()
    assert kept(page) == []
    page.locator("#stored-meanwhile a").tap()
    page.wait_for_url(re.compile(r"/h/1/edit/\?"))
    expect(page.locator(".seat.declarer [data-mark='no']")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".seat.joiner [data-mark='yes']")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#preview [data-accepted]")).to_be_visible()


def test_a_hand_that_is_stored_while_it_is_changed_can_be_corrected(
    page: Page, phone: BrowserContext, table: Table
) -> None:
    night = opened(page, phone, table)
    night.hand(0, 1)
    change_first(night)
    phone.set_offline(False)
    nothing_kept(page)
    page.locator("[data-save]").tap()
    correct_the_stored_one(page)


def test_hands_that_are_stored_before_a_change_is_confirmed(page: Page, phone: BrowserContext, table: Table) -> None:
    """The sheet with the later hands is open meanwhile: nothing is stored on the phone again."""
    night = opened(page, phone, table)
    night.hand(0, 1)
    night.hand(1, 2, 3, failed=(2, 3))
    change_first(night)
    page.locator("[data-save]").tap()
    expect(page.locator("#later-hands")).to_be_visible()
    phone.set_offline(False)
    nothing_kept(page)
    page.locator("#later-hands [data-store-change]").tap()
    correct_the_stored_one(page)
    assert Hand.objects.count() == 2


def test_a_change_of_a_hand_that_is_gone_goes_on_with_the_next_hand(
    page: Page, phone: BrowserContext, table: Table
) -> None:
    """Another tab discarded it: the change is an entry of that number."""
    night = opened(page, phone, table)
    night.hand(0, 1)
    change_first(night)
    page.evaluate(DISCARD_ALL)
    page.locator("[data-save]").tap()
    expect(night.line()).not_to_contain_text(re.compile("change|änderst"))
    assert night.roles() == ["chratzt", "metcho", "", "", ""]
    page.locator("[data-save]").tap()
    expect(page.locator("#saved")).to_be_visible()
    assert [item["number"] for item in kept(page)] == [1]


def assert_form_stays(night: Night, number: int) -> None:
    """The form of this hand is shown, and a tap is not lost: nothing fills it again."""
    page = night.page
    expect(page.locator(f"#hand[data-number='{number}']")).to_be_visible()
    expect(page.locator("#saved")).to_be_hidden()
    page.evaluate("document.querySelector('#hand .seats').firstElementChild.dataset.same = ''")
    night.tap(3, 4)
    assert night.roles() == ["", "", "", "chratzt", "metcho"]
    expect(page.locator("#hand [data-same]")).to_have_count(1)


def save_behind(night: Night, what: str) -> None:
    """Save the entered hand: the form shows it, and names what it waits for."""
    night.page.locator("[data-save]").tap()
    expect(night.page.locator("#hand.waits #preview")).to_contain_text(what)
    expect(night.page.locator("#saved")).to_be_hidden()


def test_hands_behind_one_of_another_phone(page: Page, phone: BrowserContext, table: Table) -> None:
    """The next hand has the number of one that waits behind the refused one."""
    night = opened(page, phone, table)
    night.hand(0, 1)
    night.hand(2, 3)
    enter(table, MADE)
    phone.set_offline(False)
    expect(night.line()).to_have_class(re.compile("bad"))
    assert_form_stays(night, 2)
    save_behind(night, "1")
    assert [(item["number"], item["status"]) for item in kept(page)] == [(1, "refused"), (2, "waiting"), (2, "waiting")]
    assert Hand.objects.count() == 1
    page.reload()
    assert_form_stays(night, 2)


def test_hands_behind_one_that_a_change_made_impossible(page: Page, phone: BrowserContext, home: House) -> None:
    night = the_next_does_not_fit(page, phone, home)
    night.onward()
    expect(page.locator("#hand[data-number='3']")).to_be_visible()
    expect(page.locator("#saved")).to_be_hidden()
    expect(night.line()).to_contain_text("3")
    night.tap(0)
    expect(page.locator("#hand [data-seat='0'] [data-tap]")).to_have_attribute("aria-pressed", "true")


def stuck_entry(night: Night) -> Locator:
    """Open the list of what waits: the hand that does not fit."""
    night.line().tap()
    entry = night.page.locator("#waiting-list .bad")
    expect(entry.locator("[data-title]")).to_contain_text("3")
    expect(entry.locator("[data-why]")).to_be_visible()
    return entry


def assert_arrives(night: Night, phone: BrowserContext, hands: int) -> None:
    """All waiting hands are stored, and the server has the sums of the phone."""
    night.onward()
    assert night.number() == hands + 1
    sums = night.sums()
    phone.set_offline(False)
    nothing_kept(night.page)
    view = table_view(fresh(Table.objects.get()))
    assert (view.table.hands, [seat.tonight_minor for seat in view.seats]) == (hands, sums)


def test_a_hand_that_does_not_fit_is_changed(page: Page, phone: BrowserContext, home: House) -> None:
    """The form is that of the table before it, with its entry as far as that goes; the hand after it fits again."""
    night = the_next_does_not_fit(page, phone, home, more=[(0, 0)])
    stuck_entry(night).locator("[data-change-hand]").tap()
    expect(page.locator("#hand[data-number='3']:not([data-muss])")).to_be_visible()
    assert "mit" in night.roles()
    page.locator("[data-pass]").tap()
    page.locator("[data-save]").tap()
    assert_arrives(night, phone, 4)


def test_a_hand_that_does_not_fit_is_discarded(page: Page, phone: BrowserContext, home: House) -> None:
    """The hand after it gets its number."""
    night = the_next_does_not_fit(page, phone, home, more=[(0, 0)])
    drop = stuck_entry(night).locator("[data-drop-write]")
    drop.tap()
    drop.tap()
    expect(page.locator("#hand[data-number='4']")).to_be_visible()
    assert [(item["number"], item["write"]["number"]) for item in kept(page)] == [(1, 1), (2, 2), (3, 3)]
    assert "3" in kept(page)[2]["title"]
    night.tricks(0, 0, 1, 2)
    page.locator("[data-save]").tap()
    assert_arrives(night, phone, 4)


def test_a_hand_saved_in_the_form_replaces_the_one_that_does_not_fit(
    page: Page, phone: BrowserContext, home: House
) -> None:
    night = the_next_does_not_fit(page, phone, home)
    night.onward()
    night.tap(2)
    page.locator("[data-save]").tap()
    expect(page.locator("#saved")).to_be_visible()
    assert [item["number"] for item in kept(page)] == [1, 2, 3]
    assert_arrives(night, phone, 3)


def the_next_does_not_fit(
    page: Page, phone: BrowserContext, home: House, more: Sequence[tuple[int, ...]] = ()
) -> Night:
    """Kratzen: hand 3 is a Muss. Change hand 2, so that coins stay in the pot: then hand 3 is free. `more`: the tricks
    of the hands after it, which are free."""
    table = create_table(club=home.club, season=home.season, author=home.recorder, game="kratzen", seats=4)
    night = opened(page, phone, table)
    for tricks in ((0, 0, 1, 2), (0, 0), (0, 0, 1, 2), *more):
        if page.locator("#hand[data-muss]").count() == 0:
            night.tap(0, 1)
        night.tricks(*tricks)
        page.locator("[data-save]").tap()
        night.onward()
    night.line().tap()
    page.locator("#waiting-list [data-key]").nth(1 + len(more)).locator("[data-change-hand]").tap()
    expect(page.locator("#hand[data-number='2']")).to_be_visible()
    night.one_more(0)
    night.one_more(0)
    page.locator("[data-save]").tap()
    page.locator("#later-hands [data-store-change]").tap()
    expect(page.locator("#saved")).to_be_visible()
    return night


@pytest.mark.parametrize("number", [1, 9])
def test_a_hand_that_a_choice_left_on_the_phone_holds_up_nothing(
    page: Page, phone: BrowserContext, table: Table, number: int
) -> None:
    """It stays beside the hands that go on, also where the next hand has its number."""
    night = opened(page, phone, table)
    night.hand(0, 1)
    page.evaluate(
        """async (number) => {
          const outbox = await import("/static/js/outbox.js");
          const [item] = await outbox.all();
          const write = { ...item.write, number };
          await outbox.replace([{ ...item, number, write, status: outbox.HELD, kept: true, why: "Not here." }], []);
        }""",
        number,
    )
    expect(page.locator("#hand[data-number='1']")).to_be_visible()
    night.hand(2, 3)
    assert night.number() == 2
    night.hand(3, 4)
    assert night.number() == 3
    left = [(item["number"], item["status"]) for item in kept(page)]
    assert left == [(number, "held"), (1, "waiting"), (2, "waiting")]


@pytest.mark.core
def test_hands_behind_a_refused_seating_change(page: Page, phone: BrowserContext, table: Table) -> None:
    night = opened(page, phone, table)
    page.evaluate(
        """async () => {
          const outbox = await import("/static/js/outbox.js");
          const { pauseWrite } = await import("/static/js/night/writes.js");
          const { present } = await import("/static/js/night/present.js");
          const snapshot = JSON.parse(document.querySelector("#night-snapshot").textContent);
          const fields = { url: snapshot.urls.night, title: "Pause", summary: "" };
          await outbox.put(outbox.itemOf(pauseWrite(present(snapshot)), fields));
        }"""
    )
    night.hand(0, 1)

    def answer(route: Route) -> None:
        route.fulfill(status=409, content_type="application/json", body=json.dumps(refused()))

    phone.route(re.compile(r"/night/$"), answer)
    phone.set_offline(False)
    expect(night.line()).to_have_class(re.compile("bad"))
    assert_form_stays(night, 1)
    save_behind(night, "Pause")
