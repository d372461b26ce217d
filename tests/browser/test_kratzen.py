"""An evening of Kratzen on a phone of 360 × 640: ten hands, from 'New evening' to the standings and the files."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from games.hands.selectors import table_view
from games.models import Hand, Table
from league.models import Evening
from league.standings.counting import count_season
from tests.cast import House, house
from tests.factories import MUSS, PlayerFactory, create_table, enter
from tests.page_events import next_frame_shown

from .sign_in import sign_in
from .test_evening import WHERE, Screen

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = ("Anna", "Beni", "Carlo", "Doris")


@pytest.fixture
def home(transactional_db: None) -> House:
    home = house("roessli")
    for name in NAMES:
        PlayerFactory(club=home.club, nickname=name)
    home.club.publishes_money = True
    home.club.save()
    return home


class KratzenScreen(Screen):
    """The table screen with the actions of a recorder of Kratzen."""

    def cut(self, *cards: str) -> None:
        self.page.locator("[data-cut-label]").tap()
        for card in cards:
            self.page.locator(f'[data-cut="{card}"]').tap()
        self.page.locator("#cuts .btn:not(.quiet)").tap()
        expect(self.page.locator("#cuts")).to_be_hidden()

    def call(self, word: str) -> None:
        self.page.locator(f'[data-call="{word}"]').tap()

    def deals(self) -> list[int]:
        """The seats that carry the dealer's mark."""
        marks = self.page.locator(".who.js-only [data-deals]")
        return [seat for seat in range(marks.count()) if marks.nth(seat).is_visible()]

    def counts(self) -> str:
        self.ready()
        return "".join(self.page.locator("[data-count]").all_text_contents())


def begin(page: Page) -> None:
    page.locator('.games label:has([value="kratzen"])').tap()
    expect(page.locator(".rules-of.kratzen")).to_be_visible()
    expect(page.locator(".rules-of.chratze")).to_be_hidden()
    for name in NAMES[:2]:
        page.locator(f'[data-roster] [data-name="{name}"]').check()
    expect(page.locator("[data-ready]")).to_contain_text(re.compile("three|drei"))
    for name in NAMES[2:]:
        page.locator(f'[data-roster] [data-name="{name}"]').check()
    page.locator('[data-order] [data-name="Doris"] .deals').tap()
    page.locator("[data-start]").tap()
    page.wait_for_url(re.compile(r"/t/\d+/$"))


def play_five(page: Page, screen: KratzenScreen) -> None:
    # 1, a Muss: the one that gets no trick follows.
    assert screen.deals() == [3]
    screen.tricks(3, 3, 0, 1)
    assert screen.counts() == "1102"
    screen.save()
    # 2, free: the cut gives the pack to Beni, who plays oder; Doris says mit.
    screen.cut("A", "x")
    assert screen.deals() == [1]
    screen.tap(1, 3)
    screen.call("oder")
    screen.one_more(3)
    assert screen.counts() == "·3·1"
    assert screen.roles()[3] == "mit"
    screen.save()
    # 3: the pot is empty, so a Muss; a seven makes one trick enough.
    page.locator("[data-seven]").tap()
    screen.tricks(0, 1, 2, 3)
    expect(screen.preview()).to_contain_text(re.compile("nobody pays|Niemand zahlt"))
    screen.save()
    # 4: all weiter.
    page.locator("[data-pass]").tap()
    screen.save()
    # 5: nobody joins.
    screen.tap(2)
    screen.save()


def play_five_more(page: Page, screen: KratzenScreen) -> None:
    # 6, a Muss again: undone, corrected, saved.
    screen.tricks(1, 1, 2, 3)
    screen.save()
    page.locator(".undo > [popovertarget=undo]").tap()
    page.locator("#undo .danger").tap()
    expect(page.locator("#hand")).to_have_attribute("data-number", "6")
    assert screen.counts() == "0211"
    screen.one_more(0)
    assert screen.counts() == "1···"
    screen.tricks(1, 1, 2)
    screen.save()
    # 7, free: reloaded half entered.
    screen.cut("7", "x")
    screen.tap(0, 1)
    screen.one_more(0)
    page.reload()
    assert screen.roles()[1] == "mit"
    expect(page.locator("[data-cut-label]")).to_contain_text("Siebener, Andere")
    screen.save()
    # 8: a seven is turned in a free hand.
    page.locator("[data-seven]").tap()
    screen.tricks(0, 0, 1, 3)
    screen.save()
    # 9 and 10: a Muss or a free hand, entered by keys.
    for _ in range(2):
        if page.locator("#hand").get_attribute("data-muss") is None:
            page.keyboard.press("1")
            page.keyboard.press("b")
            page.keyboard.press("2")
            page.keyboard.press("+")
        else:
            for key in "1++2++":
                page.keyboard.press(key)
        expect(screen.preview().locator("[data-accepted]")).to_be_visible()
        screen.save()


def test_an_evening_of_ten_hands(page: Page, home: House) -> None:
    sign_in(page, "/c/roessli/e/new/")
    begin(page)
    screen = KratzenScreen(page)
    screen.check_layout()
    play_five(page, screen)
    play_five_more(page, screen)
    screen.check_layout()
    records: list[dict[str, Any]] = [
        hand.revisions.order_by("-number")[0].record for hand in Hand.objects.order_by("number")
    ]
    lines = [
        (r["declarer"], r.get("game_type"), bool(r.get("seven")), "".join(map("".join, r["cuts"])), r.get("tricks"))
        for r in records
    ]
    assert lines[:8] == [
        (3, None, False, "x", {"0": 1, "1": 1, "2": 0, "3": 2}),
        (1, "oder", False, "Axx", {"1": 3, "3": 1}),
        (2, None, True, "x", {"0": 1, "1": 1, "2": 1, "3": 1}),
        (None, None, False, "x", None),
        (2, "schlagen", False, "x", None),
        (1, None, False, "x", records[5]["tricks"]),
        (0, "schlagen", False, "7xx", records[6]["tricks"]),
        (records[7]["declarer"], None, True, "x", {"0": 2, "1": 1, "2": 0, "3": 1}),
    ]
    check_reading(page, home)


def check_reading(page: Page, home: House) -> None:
    """Check that standings, files and the table screen agree."""
    count_season(home.season.pk)
    balances = page.locator("[data-balance]").all_text_contents()
    shown = [int(re.sub(r"[^0-9−]", "", text).replace("−", "-")) for text in balances]
    view = table_view(Table.objects.get())
    assert sum(shown) + view.pot_minor == 0
    standings = csv.DictReader(io.StringIO(page.request.get("/c/roessli/s/2026/standings.csv").text()))
    lines = {row["player"]: row for row in standings}
    antes = {seat.nickname: seat.ante_minor for seat in view.seats}
    assert [int(lines[name]["balance_minor"]) - antes[name] for name in NAMES] == shown
    assert {row["hands"] for row in lines.values()} == {"10"}
    assert len({row["musses"] for row in lines.values()}) == 1
    evening = Evening.objects.get()
    hands = list(csv.DictReader(io.StringIO(page.request.get(f"/c/roessli/e/{evening.pk}/hands.csv").text())))
    assert {row["game"] for row in hands} == {"kratzen"}
    assert sum(int(row["change_minor"]) for row in hands) == sum(shown) + sum(antes.values())
    page.goto(f"/c/roessli/e/{evening.pk}/")
    expect(page.locator("#live")).to_contain_text("Siebenermuss")
    expect(page.locator("#live")).not_to_contain_text("chratzt")


def adds_up(page: Page) -> bool:
    """Return True if the sums of tonight and the pot add up to zero."""
    shown = [*page.locator("[data-balance]").all_text_contents(), page.locator(".pot").text_content() or ""]
    return sum(int(re.sub(r"[^0-9−]", "", text).replace("−", "-")) for text in shown) == 0


@pytest.mark.core
def test_text_and_pot_follow_the_cut_at_once(page: Page, phone: BrowserContext, home: House) -> None:
    """Without any answer of the server, and back again when the cards are taken back."""
    table = create_table(club=home.club, season=home.season, author=home.recorder, seats=4, game="kratzen")
    enter(table, MUSS | {"declarer": 3, "joiners": [0, 1, 2], "tricks": {"3": 2, "0": 1, "1": 1}})
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    screen = KratzenScreen(page)
    turn, pot = page.locator("[data-turn]"), page.locator(".pot")
    expect(turn).to_have_text("Anna hat die Karten; wer gibt, sagt zuerst an.")
    before = pot.text_content() or ""
    assert "1.10" in before
    phone.set_offline(True)
    screen.cut("A", "x")
    expect(turn).to_have_text("Beni gibt und sagt zuerst an. Fürs Abheben: Beni 0.10.")
    expect(pot).to_have_text(before.replace("1.10", "1.20"))
    assert screen.deals() == [1]
    assert adds_up(page)
    screen.cut("W", "7")
    assert adds_up(page)
    assert screen.deals() == [0]
    expect(turn).to_have_text("Anna gibt und sagt zuerst an. Fürs Abheben: Anna 0.20, Beni 0.20, die anderen je 0.10.")
    expect(pot).to_have_text(before.replace("1.10", "1.70"))
    page.locator("[data-cut-label]").tap()
    for _ in range(4):
        page.locator("[data-cut-back]").tap()
    expect(turn).to_have_text("Anna hat die Karten; wer gibt, sagt zuerst an.")
    expect(pot).to_have_text(before)
    phone.set_offline(False)


@pytest.mark.parametrize("hands", [0, 1], ids=["Muss", "free"])
def test_nothing_moves_while_a_hand_is_entered(page: Page, home: House, hands: int) -> None:
    table = create_table(club=home.club, season=home.season, author=home.recorder, seats=5, game="kratzen")
    for _ in range(hands):
        enter(table, MUSS | {"declarer": 4, "joiners": [0, 1, 2, 3], "tricks": {"4": 2, "0": 2}})
    sign_in(page, f"/c/roessli/t/{table.pk}/")
    screen = KratzenScreen(page)
    before = page.evaluate(WHERE)
    bottom = page.evaluate("() => document.querySelector('.bar').getBoundingClientRect().bottom")
    assert bottom <= 640, "five seats, the sums and the button do not fit"
    free = [lambda: screen.call("weiter-oder"), lambda: screen.one_more(1)] if hands else []
    enter_some = screen.tap if hands else screen.tricks
    for step in (
        lambda: enter_some(1),
        lambda: enter_some(0, 2),
        *free,
        lambda: screen.cut("A", "7"),
        lambda: page.locator("[data-seven]").tap(),
        lambda: screen.one_more(3),
    ):
        step()
        next_frame_shown(page)
        assert page.evaluate(WHERE) == before
    screen.check_layout()
