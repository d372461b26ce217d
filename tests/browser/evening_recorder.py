"""The recorder of an evening with a phone: records the planned evening on the pages."""

from __future__ import annotations

import re

from playwright.sync_api import BrowserContext, Page, expect

from tests.promises.plain_model import STAKE

from .evening_plan import PlannedEvening, PlannedTable, named_hand
from .outbox_steps import has_network, nothing_kept
from .test_evening import Screen

TABLE = re.compile(r"/t/\d+/(\?.*)?$")
HISTORY = re.compile(r"/h/\d+/history/$")
FIRST = ("Anna", "Fritz", "Beni", "Doris", "Carlo")


def rappen(shown: str) -> int:
    """Parse an amount on a page ("+1.20", "−0.40", "1’204.00"); return Rappen."""
    return int(re.sub(r"[^0-9−]", "", shown).replace("−", "-"))


class EveningRecorder:
    """The recorder with the phone. `at` is the real table, also while the phone shows a mistake."""

    def __init__(self, page: Page, phone: BrowserContext) -> None:
        self.page, self.phone, self.screen = page, phone, Screen(page)
        self.at = PlannedTable(0, FIRST, "Carlo")
        self.evening = PlannedEvening([self.at])
        self.where = {1: page.url}

    # --- Hands

    def tap_hand(self, line: str) -> None:
        """Tap a hand, each row by the real seat of its player."""
        hand, seat = named_hand(line), self.at.players.index
        if hand.declarer is None:
            self.page.locator("[data-pass]").tap()
            return
        self.screen.tap(seat(hand.declarer), *map(seat, hand.made))
        failed = [name for name in (hand.declarer, *hand.made) if name in hand.failed]
        for name in failed:
            self.screen.failed(seat(name))

    def type_hands(self, *lines: str) -> None:
        for line in lines:
            self.tap_hand(line)
            self.screen.save()

    def play_hands(self, *lines: str) -> None:
        """Play hands and type them correctly."""
        for line in lines:
            self.at.play(line)
            self.type_hands(line)

    def play_without_saving(self, line: str) -> int:
        """Play a hand and tap it without saving; return its number on the phone."""
        self.at.play(line)
        self.tap_hand(line)
        expect(self.screen.preview().locator("[data-accepted]")).to_be_visible()
        return self.screen.number()

    def next_hand(self, number: int) -> None:
        """Check that the hand is stored, and go to the next one."""
        self.page.wait_for_url(re.compile(rf"/h/{number}/$"))
        self.page.locator("[data-go]").tap()
        self.page.wait_for_url(TABLE)
        assert self.screen.number() == number + 1

    def next_hand_in_place(self, number: int) -> None:
        """Check that a hand that waited is stored, and go on on the same page."""
        nothing_kept(self.page)
        self.page.locator("[data-next-hand]").tap()
        expect(self.page.locator("#hand")).to_have_attribute("data-number", str(number + 1))

    def check_balances(self) -> None:
        """Check that the phone shows the real sums and the real dealer; only valid while there is no mistake."""
        shown = map(rappen, self.page.locator("[data-balance]").all_text_contents())
        sums = self.evening.sums()
        assert list(shown) == [sums.get(name, 0) - STAKE for name in self.at.players]
        dealer = int(self.page.locator("#hand").get_attribute("data-dealer") or 0)
        assert self.at.players[dealer] == self.at.dealer

    # --- Seating changes

    def open_seating_page(self) -> None:
        """Open the page of the server. While a write waits, or the last request had no answer, the link opens a sheet
        instead, on which the phone itself changes the seats: then it is tapped again."""
        sheet = self.page.locator("#seats:popover-open")
        while True:
            expect(self.page.locator("#hand")).not_to_have_attribute("data-ahead", re.compile(""))
            has_network(self.page)
            self.page.locator("[popovertarget=more]").tap()
            self.page.locator('#more a[href$="/seating/"]').tap()
            expect(self.page.locator(".at-seating").or_(sheet)).to_be_visible()
            if sheet.count() == 0:
                break
            self.page.keyboard.press("Escape")
        self.page.wait_for_url(re.compile(r"/seating/$"))

    def confirm_seating_change(self) -> None:
        """Confirm the previewed seating change."""
        self.page.locator("[data-do]").tap()
        self.page.wait_for_url(TABLE)

    def arrive(self, name: str, after: str) -> None:
        """Seat a player of the roster, or else a guest; the page offers the last place first."""
        self.open_seating_page()
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
        self.confirm_seating_change()
        self.at.arrive(name, after)

    def leave(self, name: str) -> None:
        self.open_seating_page()
        self.page.locator(".sits", has_text=name).locator("a.leaves").tap()
        self.page.locator("[data-do]").tap()
        # A player who leaves with open coins settles up first, or later.
        self.page.wait_for_url(re.compile(r"/cash-out/\d+/|/t/\d+/$"))
        if "/cash-out/" in self.page.url:
            self.page.locator(".actions a").tap()
        self.page.wait_for_url(TABLE)
        self.at.leave(name)

    def swap(self, player: str, other: str) -> None:
        """Swap two neighbours; `player` sits before `other`."""
        self.open_seating_page()
        self.page.locator(".sits", has_text=player).locator('[id^="down-"]').tap()
        self.confirm_seating_change()
        self.at.swap(player, other)

    def divide(self, *go: str, first: str) -> None:
        self.open_seating_page()
        self.page.locator('[aria-labelledby="split-title"] summary').tap()
        for name in go:
            self.page.locator(".pairs label", has_text=name).tap()
        self.page.select_option("#there", label=first)
        self.page.locator('[aria-labelledby="split-title"] button').tap()
        self.confirm_seating_change()
        self.evening.tables.append(self.at.divide(go, first))
        self.where[2] = self.page.locator("a.switch").get_attribute("href") or ""

    def switch_to(self, number: int) -> None:
        """Open the other table."""
        self.page.goto(self.where[number])
        self.at = self.evening.tables[number - 1]

    # --- Corrections

    def open_correction(self, number: int, way: str) -> None:
        """Open the page of a hand from its line on the table screen, and from there the correction."""
        self.page.locator(f'#tonight a[href$="/h/{number}/edit/"]').tap()
        self.page.wait_for_url(re.compile(rf"/h/{number}/edit/$"))
        self.page.locator(f'.else a[href*="{way}"]').tap()
        self.page.wait_for_url(re.compile(way))

    def preview_correction(self) -> None:
        """Open the preview of the corrected hand in the form."""
        expect(self.screen.preview().locator("[data-accepted]")).to_be_visible()
        self.page.locator("[data-save]").tap()

    def save_correction(self, reason: str) -> None:
        """Save the correction after its preview."""
        self.page.fill("#reason", reason)
        self.page.locator("[name=step][value=save]").tap()
        self.page.wait_for_url(HISTORY)

    def return_to_table(self) -> None:
        self.page.goto(self.where[self.at.number])
        self.check_balances()
