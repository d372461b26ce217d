"""An evening of Zwicken on a phone of 360 × 640: with a network and without one."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

import engine
from games.hands.selectors import table_view
from games.models import Hand, Revision, Table
from tests.browser.night_walk import fresh
from tests.cast import House, house
from tests.factories import PlayerFactory, create_table, enter
from tests.page_events import next_frame_shown

from .outbox_steps import NO_ANSWER, at, nothing_kept
from .sign_in import sign_in
from .test_evening import WHERE
from .test_kratzen import KratzenScreen, adds_up
from .test_night_going_on import Night

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = ("Anna", "Beni", "Carlo", "Doris")
FORCED: dict[str, Any] = {"cuts": ["x"], "tricks": {"0": 2, "1": 1}}


@pytest.fixture
def expected(expected: tuple[str, ...]) -> tuple[str, ...]:
    """Requests without a network are no fault."""
    return (*expected, NO_ANSWER)


@pytest.fixture
def home(transactional_db: None) -> House:
    home = house("roessli")
    for name in NAMES:
        PlayerFactory(club=home.club, nickname=name)
    return home


class ZwickenScreen(KratzenScreen):
    """The table screen with the actions of a recorder of Zwicken."""

    def none(self, seat: int) -> None:
        """Say that a player plays and has no trick."""
        self.page.locator(f'[data-seat="{seat}"] [data-step="-1"]').tap()

    def lost(self, name: str) -> None:
        """Choose who lost Belli."""
        self.page.locator("[data-lost-label]").tap()
        self.page.locator("[data-lost-seats] button", has_text=name).tap()
        expect(self.page.locator("#lost")).to_be_hidden()
        expect(self.page.locator("[data-lost-label]")).to_have_text(f"Belli: {name}")


def table_of(home: House, seats: int = 4) -> Table:
    return create_table(club=home.club, season=home.season, author=home.recorder, seats=seats, game="zwicken")


def tallies() -> list[dict[str, Any]]:
    """The fields of the stored tallies, in their order."""
    records = [revision.record for revision in Revision.objects.order_by("hand__number", "number")]
    names = ("cuts", "players", "tricks", "seven_lost")
    return [{name: record[name] for name in names if name in record} for record in records]


EVENING: list[dict[str, Any]] = [
    {"cuts": ["x"], "tricks": {"0": 2, "1": 0, "2": 0, "3": 1}},
    {"cuts": ["x"], "players": [1, 2], "tricks": {"1": 2, "2": 1}},
    # The pot was won.
    {"cuts": ["x"], "tricks": {"0": 1, "1": 1, "2": 1, "3": 0}},
    {"cuts": ["A", "x"], "players": [0, 3], "tricks": {"0": 3, "3": 0}, "seven_lost": 3},
    {"cuts": ["B", "7", "x"], "players": [1, 2, 3], "tricks": {"1": 1, "2": 1, "3": 1}},
    {"cuts": ["x"], "tricks": {"0": 3, "1": 0, "2": 0, "3": 0}},
    {"cuts": ["x"], "players": [2]},
    {"cuts": ["x"], "tricks": {"0": 0, "1": 1, "2": 1, "3": 1}},
    {"cuts": ["x"], "players": []},
]
"""A forced hand, free ones, a hop, a jump, Belli lost, one who plays alone, and nobody."""


def tap_hand(screen: ZwickenScreen, tally: dict[str, Any]) -> None:
    """Enter a hand by taps."""
    shown = [card for card in tally["cuts"] if card != "x"]
    if shown:
        screen.cut(*shown)
    if tally.get("players") == []:
        screen.page.locator("[data-pass]").tap()
        return
    screen.tap(*tally.get("players", []))
    if len(set(tally.get("tricks", {}).values())) > 1 or "players" not in tally:
        for seat, count in tally.get("tricks", {}).items():
            screen.tricks(*[int(seat)] * count)
    if "seven_lost" in tally:
        screen.lost(NAMES[tally["seven_lost"]])


@pytest.mark.core
def test_an_evening_of_nine_hands(page: Page, home: House) -> None:
    table = table_of(home)
    sign_in(page, at(table))
    screen = ZwickenScreen(page)
    screen.check_layout()
    assert screen.deals() == [3]
    for number, tally in enumerate(EVENING, start=1):
        forced = "players" not in tally
        assert (page.locator("#hand").get_attribute("data-muss") is not None) == forced
        tap_hand(screen, tally)
        screen.save()
        assert Hand.objects.count() == number
    assert tallies() == EVENING
    screen.check_layout()
    balances = page.locator("[data-balance]").all_text_contents()
    shown = [int(re.sub(r"[^0-9−]", "", text).replace("−", "-")) for text in balances]
    view = table_view(fresh(table))
    assert [seat.tonight_minor for seat in view.seats] == shown
    assert sum(shown) + view.pot_minor == 0


def test_a_hand_is_undone_and_corrected(page: Page, home: House) -> None:
    table = table_of(home)
    enter(table, FORCED)
    sign_in(page, at(table))
    screen = ZwickenScreen(page)
    tap_hand(screen, EVENING[3])
    screen.save()
    page.locator(".undo > [popovertarget=undo]").tap()
    page.locator("#undo .danger").tap()
    expect(page.locator("#hand")).to_have_attribute("data-number", "2")
    assert screen.counts() == "3··0"
    expect(page.locator("[data-lost-label]")).to_have_text("Belli: Doris")
    expect(page.locator("[data-cut-label]")).to_contain_text("Ass")
    screen.one_more(3)
    page.locator("[data-lost-label]").tap()
    page.locator('#lost [data-lost=""]').tap()
    screen.save()
    assert tallies()[-1] == {"cuts": ["A", "x"], "players": [0, 3], "tricks": {"0": 2, "3": 1}}


def test_text_and_pot_follow_the_cut_at_once(page: Page, phone: BrowserContext, home: House) -> None:
    table = table_of(home)
    enter(table, FORCED)
    sign_in(page, at(table))
    screen = ZwickenScreen(page)
    turn, pot = page.locator("[data-turn]"), page.locator(".pot")
    before = page.locator("[data-turn]").text_content() or ""
    expect(pot).to_contain_text("0.90")
    phone.set_offline(True)
    screen.cut("B")
    assert screen.deals() == [2]
    expect(turn).to_contain_text("Beni 0.30, Carlo 0.30")
    expect(pot).to_contain_text("1.50")
    assert adds_up(page)
    page.locator("[data-cut-label]").tap()
    page.locator("[data-cut-back]").tap()
    expect(turn).to_have_text(before)
    assert screen.deals() == [0]
    phone.set_offline(False)


def test_keys_have_the_same_effect_as_taps(page: Page, home: House) -> None:
    table = table_of(home)
    enter(table, FORCED)
    sign_in(page, at(table))
    ZwickenScreen(page).ready()
    for key in "13-s":
        page.keyboard.press(key)
    expect(page.locator("[data-lost-label]")).to_have_text("Belli: Carlo")
    expect(page.locator("#preview [data-accepted]")).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/h/2/$"))
    assert tallies()[-1] == {"cuts": ["x"], "players": [0, 2], "tricks": {"0": 3, "2": 0}, "seven_lost": 2}


@pytest.mark.parametrize("hands", [0, 1], ids=["forced", "free"])
def test_nothing_moves_while_a_hand_is_entered(page: Page, home: House, hands: int) -> None:
    table = table_of(home, 5)
    for _ in range(hands):
        enter(table, FORCED)
    sign_in(page, at(table))
    screen = ZwickenScreen(page)
    before = page.evaluate(WHERE)
    bottom = page.evaluate("() => document.querySelector('.bar').getBoundingClientRect().bottom")
    assert bottom <= 640, "five seats, the sums and the button do not fit"
    for step in (
        lambda: screen.tap(0, 1) if hands else None,
        lambda: screen.tricks(1, 1, 0),
        lambda: screen.cut(*"AB" if hands else "A"),
        lambda: screen.lost("Anna"),
        lambda: screen.one_more(2),
    ):
        step()
        next_frame_shown(page)
        assert page.evaluate(WHERE) == before
    screen.check_layout()


class ZwickenNight(ZwickenScreen, Night):
    """The same without a network: a hand is saved in place."""

    def save(self) -> None:
        expect(self.preview().locator("[data-accepted]")).to_be_visible()
        self.page.locator("[data-save]").tap()
        self.onward()


def test_the_same_evening_without_a_network_then_all_of_it_goes_up(
    page: Page, phone: BrowserContext, home: House
) -> None:
    table = table_of(home)
    sign_in(page, at(table))
    expect(page.locator("#hand[data-heard]")).to_be_visible()
    phone.set_offline(True)
    night = ZwickenNight(page)
    for tally in EVENING:
        forced = page.locator("#hand").get_attribute("data-muss") is not None
        assert forced == ("players" not in tally)
        tap_hand(night, tally)
        night.save()
    assert night.number() == len(EVENING) + 1
    assert not Hand.objects.exists()
    sums = night.sums()
    phone.set_offline(False)
    nothing_kept(page)
    assert tallies() == EVENING
    view = table_view(fresh(table))
    assert [seat.tonight_minor for seat in view.seats] == sums
    for revision in Revision.objects.order_by("hand__number"):
        assert engine.replay(revision.record) == revision.result
    page.reload()
    expect(page.locator("#hand[data-heard]")).to_be_visible()
    assert night.sums() == sums


def test_a_waiting_hand_is_changed(page: Page, phone: BrowserContext, home: House) -> None:
    table = table_of(home)
    enter(table, FORCED)
    sign_in(page, at(table))
    expect(page.locator("#hand[data-heard]")).to_be_visible()
    phone.set_offline(True)
    night = ZwickenNight(page)
    tap_hand(night, EVENING[3])
    page.locator("[data-save]").tap()
    expect(page.locator("#saved")).to_be_visible()
    expect(page.locator("#saved")).to_contain_text("Belli")
    page.locator("#saved [data-change-saved]").tap()
    expect(page.locator("#hand")).to_be_visible()
    assert night.counts() == "3··0"
    expect(page.locator("[data-lost-label]")).to_have_text("Belli: Doris")
    night.one_more(3)
    page.locator("[data-save]").tap()
    expect(page.locator("#saved")).to_be_visible()
    phone.set_offline(False)
    nothing_kept(page)
    assert tallies()[-1] == EVENING[3] | {"tricks": {"0": 2, "3": 1}}
