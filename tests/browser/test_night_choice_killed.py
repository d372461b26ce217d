"""The page of two stories when the battery ends: the choice is on the phone as a whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from games.models import Correction, Table
from tests.cast import House
from tests.factories import FAILED, enter

from .conftest import battery_ends, phone_on_disk
from .outbox_steps import kept
from .test_night_stories import (
    MINE,
    THEIRS,
    assert_truth,
    choose,
    come_back,
    log_of_what_was_left_out,
    nothing_waits,
    played,
    record_offline,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HALF = """() => {
  const remove = IDBObjectStore.prototype.delete;
  IDBObjectStore.prototype.delete = function (key) {
    remove.call(this, key).onsuccess = () => { window.half = true; };
    const hold = () => { this.count().onsuccess = hold; };
    hold();
  };
}"""
"""The transaction of a choice has written its new items, removes the first old one, and does not end."""


class PhoneOnDisk:
    """A phone of a table with one hand: it recorded five hands without a network, another one stored three."""

    def __init__(self, chromium: Browser, address: str, profile: Path, home: House) -> None:
        self.chromium, self.address, self.profile = chromium, address, profile
        self.context = phone_on_disk(chromium, address, profile)
        self.page = self.context.new_page()
        self.table = played(FAILED, home=home)
        record_offline(self.page, self.context, self.table, *MINE)
        for record in THEIRS:
            enter(self.table, record, author=home.recorder)
        come_back(self.page, self.context, self.table, 2)
        self.stories = self.page.url

    def battery_ends(self) -> Page:
        """Kill the browser; start it again with its profile, on the page of both stories."""
        # The browser stores its cookies on the disk much later; so the session is added again.
        cookies: Any = self.context.cookies()
        battery_ends(self.context, self.profile)
        self.context = phone_on_disk(self.chromium, self.address, self.profile)
        self.context.add_cookies(cookies)
        self.page = self.context.new_page()
        self.page.goto(self.stories)
        return self.page


@pytest.fixture
def phone(chromium: Browser, live_server: Any, home: House, tmp_path: Path) -> Any:
    device = PhoneOnDisk(chromium, live_server.url, tmp_path, home)
    yield device
    device.context.close()


def waiting(page: Page) -> list[tuple[str, int]]:
    return sorted((item["write"]["kind"], item.get("number") or 0) for item in kept(page))


def test_a_battery_that_ends_while_the_choice_is_written_leaves_all_hands_as_they_were(
    phone: PhoneOnDisk, home: House
) -> None:
    before = waiting(phone.page)
    phone.page.evaluate(HALF)
    phone.page.locator("label[for=way-corrected]").tap()
    phone.page.locator("[data-save]").tap()
    phone.page.wait_for_function("() => window.half")
    page = phone.battery_ends()
    # The choice is gone, and the page asks for it again.
    expect(page.locator("[data-stories]")).to_have_attribute("data-state", "choice")
    expect(page.locator(".differs .side.mine")).to_have_count(4)
    assert waiting(page) == before
    assert Table.objects.get(pk=phone.table.pk).hands == 4
    choose(page, "after")
    nothing_waits(page)
    assert_truth(phone.table, FAILED, *THEIRS, *MINE[1:], home=home)
    assert not Correction.objects.exists()


def test_a_choice_that_was_made_is_kept_and_sent_when_the_phone_is_on_again(phone: PhoneOnDisk, home: House) -> None:
    phone.context.set_offline(True)
    choose(phone.page, "corrected")
    expect(phone.page.locator("[data-on]")).to_be_visible()
    assert [kind for kind, _number in waiting(phone.page)] == ["correct", "hand", "hand"]
    page = phone.battery_ends()
    nothing_waits(page)
    assert_truth(phone.table, FAILED, *MINE, home=home)
    assert Correction.objects.count() == 1
    assert log_of_what_was_left_out() == []
