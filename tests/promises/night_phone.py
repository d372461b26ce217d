"""The phone of a night without a network: a real Chromium with a profile on the disk, real touch, a line that ends."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from games.evening.night_club import pages_of_night
from tests.browser.conftest import battery_ends, phone_on_disk
from tests.browser.evening_plan import PlannedTable, named_hand
from tests.browser.sign_in import sign_in
from tests.browser.test_evening import Screen
from tests.faulty_line import FaultyLine
from tests.processes import wait_until

from .night_story import FIRST, Step, after, hands_of
from .plain_model import STAKE, balances

KEPT = """async () => {
  const [pages] = (await caches.keys()).filter((one) => one.startsWith("chratzete-pages-"));
  const kept = pages ? await (await caches.open(pages)).keys() : [];
  return navigator.serviceWorker.controller ? kept.map((request) => new URL(request.url).pathname) : [];
}"""
"""The paths of the kept pages, once the service worker answers for the page."""
FILES = """async () => {
  const [files] = (await caches.keys()).filter((one) => one.startsWith("chratzete-files-"));
  return (await (await caches.open(files)).keys()).map((request) => new URL(request.url).pathname);
}"""
STATE = """() => {
  const form = document.querySelector("#hand");
  const rows = [...form.querySelectorAll("[data-seat]")];
  return {
    number: Number(form.dataset.number),
    dealer: rows[Number(form.dataset.dealer)].querySelector(".js-only .name").textContent,
    sums: rows.map((row) => [
      row.querySelector(".js-only .name").textContent, Number(row.querySelector("[data-balance]").dataset.tonight),
    ]),
  };
}"""
ITEMS = """() => new Promise((resolve) => {
  const opened = indexedDB.open("chratzete");
  opened.onsuccess = () => {
    const read = opened.result.transaction("outbox").objectStore("outbox").getAll();
    read.onsuccess = () => {
      opened.result.close();
      resolve(read.result.sort((one, other) => one.place - other.place));
    };
  };
})"""


class NightPhone:
    """A phone and its recorder. `steps`: the recorded steps, in order."""

    def __init__(self, chromium: Browser, line: FaultyLine, profile: Path, *, first: tuple[str, ...] = FIRST) -> None:
        self.chromium, self.line, self.profile, self.first = chromium, line, profile, first
        self.dealer = first[-1]
        self.steps: list[Step] = []
        self.table = ""
        self.turn_on()

    @classmethod
    def of(cls, page: Page, steps: list[Step], first: tuple[str, ...] = FIRST) -> NightPhone:
        """The taps of a recorder on a page that is open already."""
        phone = cls.__new__(cls)
        phone.page, phone.screen, phone.steps = page, Screen(page), steps
        phone.first, phone.dealer = first, first[-1]
        return phone

    # --- Power and network

    def turn_on(self) -> None:
        address = f"http://127.0.0.1:{self.line.port}"
        self.context: BrowserContext = phone_on_disk(self.chromium, address, self.profile, with_worker=True)
        self.page: Page = self.context.pages[0] if self.context.pages else self.context.new_page()
        self.screen = Screen(self.page)

    def turn_on_again(self) -> None:
        """Open the table without a network after the battery ended."""
        self.turn_on()
        self.context.set_offline(True)
        self.reopen()

    def battery_ends(self) -> None:
        """Kill all processes of the browser, with no chance to write."""
        battery_ends(self.context, self.profile)

    def lose_network(self) -> None:
        self.line.cut()
        self.context.set_offline(True)

    def find_network(self) -> None:
        self.line.repair()
        self.context.set_offline(False)

    # --- Pages

    def open_table(self, pk: int) -> None:
        """Sign in and open a table; wait until the phone has all files for a time without a network."""
        self.table = f"/c/roessli/t/{pk}/"
        sign_in(self.page, self.table)
        self.keeps(self.table)

    def keeps(self, *urls: str) -> None:
        wanted = {*urls, *pages_of_night("roessli")}
        wait_until(lambda: wanted <= set(self.page.evaluate(KEPT)), 30, "the pages are kept")

    def kept_files(self) -> list[str]:
        """The paths of scripts, styles and pictures that the service worker has."""
        files: list[str] = self.page.evaluate(FILES)
        return files

    def reopen(self) -> None:
        """Go to the table as after opening the app again."""
        self.page.goto(self.table)
        self.heard()

    def heard(self) -> None:
        expect(self.page.locator("#hand[data-heard]")).to_be_visible()

    @property
    def items(self) -> list[dict[str, Any]]:
        """The waiting writes of the phone, in order; asked again if the page is just being replaced."""
        try:
            writes: list[dict[str, Any]] = self.page.evaluate(ITEMS)
        except Error:
            self.page.wait_for_load_state()
            writes = self.page.evaluate(ITEMS)
        return writes

    # --- Steps

    def truth(self, steps: Iterable[Step]) -> PlannedTable:
        """The table after these steps."""
        return after(steps, self.first, self.dealer)

    def antes(self, truth: Any) -> Iterable[int]:
        """The antes of each seat of a table for the next hand, in Rappen."""
        return [STAKE] * len(truth.players)

    def record(self, *steps: Step | str) -> None:
        """Tap these steps, one after the other; after each the phone shows the truth."""
        for given in steps:
            step = Step("play", (given,)) if isinstance(given, str) else given
            if step.what == "play":
                self.tap_hand(step.names[0])
                self.save_here()
                self.onward()
            else:
                self.tap_change(step)
            self.steps.append(step)
            self.check()

    def check(self) -> None:
        """Number, dealer, seats and sums less the next antes are on the phone as in the plain model."""
        truth = self.truth(self.steps)
        sums = balances([truth])
        shown_sums = zip(truth.players, self.antes(truth), strict=True)
        wanted = {
            "number": hands_of(self.steps) + 1,
            "dealer": truth.dealer,
            "sums": [[name, sums.get(name, 0) - ante] for name, ante in shown_sums],
        }
        shown = self.page.evaluate(STATE)
        assert shown == wanted, f"{self.steps[-1:]}: {shown} instead of {wanted}"

    @property
    def players(self) -> tuple[str, ...]:
        return self.truth(self.steps).players

    def players_before(self, number: int) -> tuple[str, ...]:
        """The players of the table in a hand."""
        return self.truth(self.steps).hands[number - 1].players

    @property
    def version(self) -> str:
        return self.page.locator('meta[name="app-version"]').get_attribute("content") or ""

    def leaves_version(self, old: str) -> None:
        """Wait until a newer version has taken over: the former one's caches are gone.

        It takes over at the next page. On a slow network that may still be the kept one: then one more is opened.
        """

        def is_gone() -> bool:
            with contextlib.suppress(Error):
                if self.version == old:
                    self.page.goto(self.table)
                return f"chratzete-files-{old}" not in self.page.evaluate("caches.keys()")
            return False

        wait_until(is_gone, 30, "the newer version takes over")

    def tap_hand(self, line: str, players: Iterable[str] = ()) -> None:
        hand, seat = named_hand(line), list(players or self.players).index
        if hand.declarer is None:
            self.page.locator("[data-pass]").tap()
            return
        self.screen.tap(seat(hand.declarer), *map(seat, hand.made))
        for name in (hand.declarer, *hand.made):
            if name in hand.failed:
                self.screen.failed(seat(name))
        for name in hand.made:
            if name not in hand.failed:
                self.page.locator(f'[data-seat="{seat(name)}"] [data-mark="yes"]').tap()

    def save_here(self) -> None:
        """Save the hand without an answer: the saved screen comes in place."""
        self.page.locator("[data-save]").tap()
        expect(self.page.locator("#saved")).to_be_visible()

    def onward(self) -> None:
        self.page.locator("#saved [data-next-hand]").tap()
        expect(self.page.locator("#hand")).to_be_visible()

    def undo(self) -> None:
        """Take back the newest hand by the list of waiting writes; its entry is cleared."""
        self.page.locator("#waiting").tap()
        self.page.locator("#waiting-list [data-key]").first.locator("[data-undo-write]").tap()
        last = self.steps.pop()
        assert last.what == "play"
        expect(self.page.locator(f"#hand[data-number='{hands_of(self.steps) + 1}']")).to_be_visible()
        self.clear_entry()
        self.check()

    def clear_entry(self) -> None:
        """Clear the form: the hand that was undone or is changed fills it."""
        passed = self.page.locator('[data-pass][aria-pressed="true"]')
        if passed.count():
            passed.tap()
        chosen = self.page.locator('[data-seat] [data-tap][aria-pressed="true"]')
        while chosen.count():
            chosen.last.tap()

    def change(self, number: int, line: str) -> None:
        """Change a hand that waits, and confirm the changes of the later ones."""
        index = [place for place, step in enumerate(self.steps) if step.what == "play"][number - 1]
        self.page.locator("#waiting").tap()
        title = self.page.locator("[data-title]", has_text=re.compile(rf"^Spiel {number}$"))
        entry = self.page.locator("#waiting-list [data-key]").filter(has=title)
        entry.locator("[data-change-hand]").tap()
        expect(self.page.locator(f"#hand[data-number='{number}']")).to_be_visible()
        before = self.truth(self.steps[:index]).players
        self.clear_entry()
        self.tap_hand(line, before)
        self.page.locator("[data-save]").tap()
        shown = self.page.locator("#saved, #later-hands")
        expect(shown.locator("visible=true").first).to_be_visible()
        if self.page.locator("#later-hands").is_visible():
            self.page.locator("#later-hands [data-store-change]").tap()
        self.onward()
        self.steps[index] = Step("play", (line,))
        self.check()

    def tap_change(self, step: Step) -> None:
        """Arrivals, departures, swaps, dealers and a pause, in the sheet of the table screen."""
        page, sheet = self.page, self.page.locator("#seats")
        page.locator("[popovertarget=more]").tap()
        page.locator("#more [data-seats]").tap()
        expect(sheet).to_be_visible()
        if step.what == "arrive":
            self.comes(*step.names)
        elif step.what == "leave":
            page.get_by_role("button", name=f"{step.names[0]} geht", exact=True).tap()
        elif step.what == "swap":
            page.get_by_role("button", name=f"{step.names[0]}: einen Platz nach unten", exact=True).tap()
        elif step.what == "deals":
            sheet.locator("[data-dealers]").get_by_text(step.names[0], exact=True).tap()
        else:
            sheet.locator(f'[data-do="{step.what}"]').tap()
        sheet.locator("[data-store]").tap()
        expect(sheet).to_be_hidden()

    def comes(self, name: str, neighbour: str) -> None:
        """Type a nickname; the sheet offers the last place first, and the arrow leads to the one before."""
        sheet = self.page.locator("#seats")
        sheet.locator("[data-who]").fill(name)
        sheet.locator("[data-typed]").tap()
        for place in range(len(self.players), self.players.index(neighbour) + 1, -1):
            expect(sheet.locator("[data-order] > li").nth(place)).to_have_class(re.compile("fresh"))
            sheet.locator('.fresh [data-move="-1"]').tap()
        expect(sheet.locator("[data-order] > li").nth(self.players.index(neighbour) + 1)).to_have_class(
            re.compile("fresh")
        )
