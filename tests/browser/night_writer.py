"""The recorder of a night with the phone: what really happens is told by name, and done on the pages."""

from __future__ import annotations

import re

from playwright.sync_api import BrowserContext, Page, expect

from .night_truth import TrueNight, TrueTable, told
from .test_evening import Screen

TABLE = re.compile(r"/t/\d+/(\?.*)?$")
HISTORY = re.compile(r"/h/\d+/history/$")
FIRST = ("Anna", "Fritz", "Beni", "Doris", "Carlo")


def rappen(shown: str) -> int:
    """An amount as a page shows it ("+1.20", "−0.40", "1’204.00")."""
    return int(re.sub(r"[^0-9−]", "", shown).replace("−", "-"))


class Writer:
    """The recorder with the phone. `at` is the table as it really is, whatever the phone believes."""

    def __init__(self, page: Page, phone: BrowserContext) -> None:
        self.page, self.phone, self.screen = page, phone, Screen(page)
        self.at = TrueTable(0, FIRST, "Carlo")
        self.night = TrueNight([self.at])
        self.where = {1: page.url}

    # --- Hands

    def taps(self, line: str) -> None:
        """Tap a hand: each row is the one of the seat in which somebody really sits."""
        hand, seat = told(line), self.at.players.index
        if hand.declarer is None:
            self.page.locator("[data-pass]").tap()
            return
        self.screen.tap(seat(hand.declarer), *map(seat, hand.made))
        failed = [name for name in (hand.declarer, *hand.made) if name in hand.failed]
        for name in failed:
            self.screen.failed(seat(name))

    def types(self, *lines: str) -> None:
        for line in lines:
            self.taps(line)
            self.screen.save()

    def plays(self, *lines: str) -> None:
        """Hands that are typed as they were."""
        for line in lines:
            self.at.plays(line)
            self.types(line)

    def ready(self, line: str) -> int:
        """A hand as it was stands on the screen and can be saved; its number on the phone."""
        self.at.plays(line)
        self.taps(line)
        expect(self.screen.told().locator("[data-accepted]")).to_be_visible()
        return self.screen.number()

    def goes_on(self, number: int) -> None:
        """The hand is stored, and the next one is due."""
        self.page.wait_for_url(re.compile(rf"/h/{number}/$"))
        self.page.locator("[data-go]").tap()
        self.page.wait_for_url(TABLE)
        assert self.screen.number() == number + 1

    def agrees(self) -> None:
        """With no mistake open, the phone shows everybody's sum as it really is, and who deals."""
        shown = map(rappen, self.page.locator("[data-balance]").all_text_contents())
        sums = self.night.sums()
        assert list(shown) == [sums.get(name, 0) for name in self.at.players]
        dealer = int(self.page.locator("#hand").get_attribute("data-dealer") or 0)
        assert self.at.players[dealer] == self.at.dealer

    # --- What happens between them

    def sits(self) -> None:
        self.page.locator("[popovertarget=more]").tap()
        self.page.locator('#more a[href$="/night/"]').tap()
        self.page.wait_for_url(re.compile(r"/night/$"))

    def does(self) -> None:
        """Read what it does, and do it."""
        self.page.locator("[data-do]").tap()
        self.page.wait_for_url(TABLE)

    def comes(self, name: str, after: str) -> None:
        """Somebody comes: in the roster, or else as a guest; on the page the last place is offered first."""
        self.sits()
        chip = self.page.locator(".chips a", has_text=name)
        if chip.count():
            chip.tap()
        else:
            self.page.fill("#who", name)
            self.page.locator("form.typed button").tap()
        seats = list(self.at.players)
        for before in range(len(seats) - 1, seats.index(after), -1):
            self.page.locator(".sits.fresh a").first.tap()
            expect(self.page.locator(".sits .name").nth(before)).to_have_text(name)
        self.does()
        self.at.comes(name, after)

    def goes(self, name: str) -> None:
        self.sits()
        self.page.locator(".sits", has_text=name).locator("a.word").tap()
        self.does()
        self.at.goes(name)

    def swaps(self, one: str, other: str) -> None:
        """Two neighbours, the one before the other."""
        self.sits()
        self.page.locator(".sits", has_text=one).locator('[id^="down-"]').tap()
        self.does()
        self.at.swaps(one, other)

    def divides(self, *go: str, first: str) -> None:
        self.sits()
        self.page.locator('[aria-labelledby="split-title"] summary').tap()
        for name in go:
            self.page.locator(".pairs label", has_text=name).tap()
        self.page.select_option("#there", label=first)
        self.page.locator('[aria-labelledby="split-title"] button').tap()
        self.does()
        self.night.tables.append(self.at.divides(go, first))
        self.where[2] = self.page.locator("a.switch").get_attribute("href") or ""

    def turns_to(self, number: int) -> None:
        """To the other table."""
        self.page.goto(self.where[number])
        self.at = self.night.tables[number - 1]

    # --- Putting right

    def mends(self, number: int, way: str) -> None:
        """From the line of a hand on the table screen to its page, and from there to what it needs."""
        self.page.locator(f'#tonight a[href$="/h/{number}/edit/"]').tap()
        self.page.wait_for_url(re.compile(rf"/h/{number}/edit/$"))
        self.page.locator(f'.else a[href*="{way}"]').tap()
        self.page.wait_for_url(re.compile(way))

    def changes(self) -> None:
        """The hand in the form is as it should have been: see what changes."""
        expect(self.screen.told().locator("[data-accepted]")).to_be_visible()
        self.page.locator("[data-save]").tap()

    def saves(self, reason: str) -> None:
        """What changes has been seen."""
        self.page.fill("#reason", reason)
        self.page.locator("[name=step][value=save]").tap()
        self.page.wait_for_url(HISTORY)

    def back(self) -> None:
        self.page.goto(self.where[self.at.number])
        self.agrees()
