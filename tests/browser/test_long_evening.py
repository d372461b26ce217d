"""A long evening on a phone of 360 × 640: forty hands, players who arrive and leave, a table that splits, five
corrected mistakes, three network failures. In the end files, receipt and standings equal the plain model.

The recorder is given the real evening by names; the typed hands differ from it where the recorder makes a mistake.
"""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterable
from urllib.parse import urlsplit

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import BrowserContext, Page, Route, expect

from games.integrity.verify import differences
from games.models import Correction, Happening, Revision
from league.models import Evening, Player
from league.standings.counting import count_season
from tests.cast import House

from .conftest import house_with_five_players
from .evening_plan import PlannedEvening
from .evening_recorder import TABLE, EveningRecorder, rappen
from .outbox_steps import NIGHT, NO_ANSWER, kept, nothing_kept
from .sign_in import fill_in, sign_in
from .test_evening import begin_evening

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def home(transactional_db: None) -> House:
    return house_with_five_players()


@pytest.fixture
def expected(expected: tuple[str, ...]) -> tuple[str, ...]:
    """Requests that the test cuts off are no fault."""
    return (*expected, NO_ANSWER)


# --- Five mistakes -------------------------------------------------------------------------------------------


def forget_one_and_find_it_later(recorder: EveningRecorder) -> None:
    """Hand 4 is not typed; three hands later it is added."""
    recorder.at.play("Beni")
    recorder.play_hands("Doris-: Carlo")
    lose_the_network(recorder, "Fritz: Anna Beni")
    recorder.arrive("Emil", after="Beni")
    recorder.play_hands("Emil: Doris Carlo-")
    recorder.open_correction(4, "/h/4/insert/")
    recorder.screen.tap(2)
    recorder.preview_correction()
    recorder.save_correction("vergessen")
    recorder.return_to_table()


def type_two_in_the_wrong_order(recorder: EveningRecorder) -> None:
    """Hands 8 and 9."""
    for line in ("Anna: Emil", ""):
        recorder.at.play(line)
    recorder.type_hands("", "Anna: Emil")
    recorder.play_hands("Carlo-: Beni Fritz")
    recorder.open_correction(9, "/h/9/move/")
    expect(recorder.page.locator("#to")).to_have_value("8")
    recorder.save_correction("verkehrt herum")
    recorder.return_to_table()


def mix_up_two_seats(recorder: EveningRecorder) -> None:
    """From hand 11 on Doris and Carlo sit the other way round; the mistake is noticed at hand 14."""
    recorder.arrive("Zita", after="Carlo")
    recorder.screen.check_layout()
    recorder.at.swap("Doris", "Carlo")
    recorder.play_hands("Doris: Zita Fritz-", "Beni: Anna Emil", "Zita")
    recorder.open_correction(11, "/seats/")
    expect(recorder.page.locator("#last")).to_have_value("13")
    recorder.page.get_by_label("Doris", exact=True).select_option(label="Carlo")
    recorder.page.locator("[name=step][value=preview]").tap()
    recorder.save_correction("Plätze vertauscht")
    recorder.return_to_table()


def type_one_twice(recorder: EveningRecorder) -> None:
    """Hand 17 is typed again as hand 18, and removed two hands later."""
    recorder.play_hands("Carlo: Beni")
    recorder.type_hands("Carlo: Beni")
    recorder.play_hands("")
    tap_twice(recorder, "Doris: Fritz Zita")
    recorder.open_correction(18, "/h/18/out/")
    recorder.save_correction("doppelt eingetragen")
    recorder.return_to_table()


def take_the_wrong_declarer_for_a_failed_one(recorder: EveningRecorder) -> None:
    """Hand 3 of table 2 is typed as failed, and corrected after the closing."""
    recorder.at.play("Fritz: Zita")
    recorder.type_hands("Fritz-: Zita")


def correct_after_the_closing(recorder: EveningRecorder, closing: str) -> None:
    page = recorder.page
    page.goto(f"{recorder.where[2]}h/3/edit/")
    page.locator('[data-seat="0"] [data-mark="yes"]').tap()
    recorder.preview_correction()
    recorder.save_correction("Fritz hatte zwei Stiche")
    page.goto(closing)


# --- Network failures and a double tap -------------------------------------------------------------------------


def lose_the_network(recorder: EveningRecorder, line: str) -> None:
    """The network fails before the request: the hand waits on the phone and is sent later by itself."""
    number = recorder.play_without_saving(line)
    recorder.phone.set_offline(True)
    recorder.page.locator("[data-save]").tap()
    expect(recorder.page.locator("#saved")).to_be_visible()
    assert [item["number"] for item in kept(recorder.page)] == [number]
    recorder.phone.set_offline(False)
    recorder.next_hand_in_place(number)


def lose_the_answer(recorder: EveningRecorder, line: str) -> None:
    """The network fails after the hand is stored: it is sent again with the same key."""
    number = recorder.play_without_saving(line)
    lost: list[str] = []

    def lose(route: Route) -> None:
        if route.request.method != "POST" or lost:
            route.continue_()
            return
        lost.append(route.fetch(max_redirects=0).json()["stored"]["at"])
        route.abort()

    recorder.page.route(NIGHT, lose)
    recorder.page.locator("[data-save]").tap()
    recorder.next_hand_in_place(number)
    recorder.page.unroute(NIGHT)
    assert [place.endswith(f"/h/{number}/") for place in lost] == [True]


def lose_network_and_login(recorder: EveningRecorder, line: str) -> None:
    """The session ends while there is no network: the hand waits until after the sign-in."""
    page, number = recorder.page, recorder.play_without_saving(line)
    recorder.phone.set_offline(True)
    page.locator("[data-save]").tap()
    expect(page.locator("#saved")).to_be_visible()
    Session.objects.all().delete()
    recorder.phone.set_offline(False)
    expect(page.locator("#waiting")).to_contain_text(re.compile("signed out|abgemeldet", re.IGNORECASE))
    page.locator("#waiting").tap()
    page.locator("#waiting-list [data-sign-in]").tap()
    page.wait_for_url(re.compile("/login/"))
    fill_in(page)
    page.wait_for_url(TABLE)
    nothing_kept(page)
    assert recorder.screen.number() == number + 1


def tap_twice(recorder: EveningRecorder, line: str) -> None:
    number = recorder.play_without_saving(line)
    recorder.page.evaluate("() => { const save = document.querySelector('[data-save]'); save.click(); save.click(); }")
    recorder.next_hand(number)


# --- The evening -----------------------------------------------------------------------------------------------


def play_at_one_table(recorder: EveningRecorder) -> None:
    """Play hands 1 to 22: with five people, then with seven."""
    recorder.play_hands("Anna: Fritz Beni-", "", "Carlo: Anna Doris")
    forget_one_and_find_it_later(recorder)
    type_two_in_the_wrong_order(recorder)
    mix_up_two_seats(recorder)
    lose_the_answer(recorder, "Emil: Carlo Beni-")
    recorder.swap("Fritz", "Beni")
    recorder.play_hands("Anna-: Zita Doris", "Fritz: Emil Anna-")
    type_one_twice(recorder)
    recorder.play_hands("Emil: Anna Beni", "Zita-: Carlo", "")


def play_at_two_tables(recorder: EveningRecorder) -> None:
    """Play eighteen more hands, nine at each table."""
    recorder.divide("Fritz", "Doris", "Zita", first="Doris")
    recorder.play_hands("Beni: Carlo Anna-", "Carlo: Emil")
    assert recorder.at.dealer == "Emil"
    recorder.leave("Emil")
    recorder.check_balances()
    recorder.switch_to(2)
    recorder.check_balances()
    recorder.play_hands("Zita: Doris", "Doris-: Fritz Zita")
    take_the_wrong_declarer_for_a_failed_one(recorder)
    recorder.play_hands("")
    lose_network_and_login(recorder, "Doris: Fritz Zita-")
    recorder.play_hands("Zita: Fritz-")
    recorder.leave("Fritz")
    recorder.switch_to(1)
    recorder.play_hands("Anna: Beni-", "", "Carlo-: Anna", "Beni: Anna Carlo", "", "Beni", "Carlo-: Beni")
    recorder.check_balances()
    recorder.switch_to(2)
    recorder.play_hands("Doris: Zita-", "", "Zita-: Doris")


def close_and_settle(recorder: EveningRecorder) -> str:
    """Share the pots, mark one payment as paid, correct the last mistake; return the address of the closing page."""
    page = recorder.page
    page.goto(f"/c/roessli/e/{Evening.objects.get().pk}/close/")
    page.locator("[name=pot][value=share]").check()
    expect(page.locator("#then .parts li")).to_have_count(5)
    page.locator("#closing > p .btn").tap()
    expect(page.locator("#payments")).to_be_visible()
    closing = urlsplit(page.url).path
    page.locator("#payments li:not(.paid) [value=yes]").first.tap()
    expect(page.locator("#payments li.paid")).to_have_count(1)
    return closing


def receipt_of(page: Page, name: str) -> str:
    """Return the receipt link of a player."""
    page.goto(f"/c/roessli/e/{Evening.objects.get().pk}/receipts/")
    return page.locator(".links a.who", has_text=name).get_attribute("href") or ""


# --- The results -----------------------------------------------------------------------------------------------


def read_csv(page: Page, path: str) -> list[dict[str, str]]:
    answer = page.request.get(f"/c/roessli/{path}")
    assert answer.ok, path
    return list(csv.DictReader(io.StringIO(answer.text())))


def check_settled(page: Page, truth: PlannedEvening) -> None:
    """Check the closing page: each player's result, and columns with the sum 0."""
    rows = page.locator("table.sums tbody tr").evaluate_all(
        "rows => rows.map((row) => [...row.children].map((cell) => cell.textContent.trim()))"
    )
    assert {name: rappen(won) for name, won, _paid, _open in rows} == truth.sums()
    for column in (1, 2, 3):
        assert sum(rappen(row[column]) for row in rows) == 0
    shares = page.locator(".parts li").evaluate_all(
        "rows => rows.map((row) => [...row.children].map((c) => c.textContent))"
    )
    assert {name: rappen(part) for name, part in shares} == truth.shares


def check_receipt(page: Page, link: str, name: str, truth: PlannedEvening) -> None:
    """Visit the receipt without an account: it shows the own hands one by one, and the sums of the others."""
    page.goto(link)
    expect(page.locator(".verdict")).to_have_class(re.compile("agrees"))
    sums = truth.sums()
    assert rappen(page.locator("h1 .num").text_content() or "") == sums[name]
    own = page.locator(".hands-of tbody tr:not(.of-table)").evaluate_all(
        "rows => rows.map((row) => [row.children[0].textContent, row.lastElementChild.textContent])"
    )
    mine = [line for line in truth.lines() if line["player"] == name]
    assert [(number, rappen(change)) for number, change in own] == [
        (line["hand"], int(line["change_minor"])) for line in mine
    ]
    others = page.locator(".totals tbody tr").evaluate_all(
        "rows => rows.map((row) => [row.children[0].textContent, row.lastElementChild.textContent])"
    )
    assert {other: rappen(amount) for other, amount in others} == {o: s for o, s in sums.items() if o != name}


def check_files(page: Page, truth: PlannedEvening) -> None:
    """Check each file against the plan: hands, ledger, outstanding payments, standings."""
    evening = Evening.objects.get()
    hands = [row for row in read_csv(page, f"e/{evening.pk}/hands.csv") if row["state"] == "entered"]
    wanted = truth.lines()
    assert [{column: row[column] for column in wanted[0]} for row in hands] == wanted

    won, settled = balances(read_csv(page, "s/2026/ledger.csv"))
    sums = truth.sums()
    assert {name: won.get(name, 0) for name in sums} == sums
    assert {account for account, amount in won.items() if amount} <= sums.keys(), "something lies in a pot"
    assert sum(won.values()) == 0
    assert settled != won, "the payment that was marked as paid is not there"
    for debt in read_csv(page, "debts.csv"):
        settled[debt["payer"]] += int(debt["amount_minor"])
        settled[debt["payee"]] -= int(debt["amount_minor"])
    assert set(settled.values()) == {0}

    standings = {row["player"]: row for row in read_csv(page, "s/2026/standings.csv")}
    counted = truth.standings()
    assert standings.keys() == counted.keys()
    for name, line in counted.items():
        assert {column: int(standings[name][column]) for column in line} == line


def balances(transfers: Iterable[dict[str, str]]) -> tuple[dict[str, int], dict[str, int]]:
    """Return from the ledger's file each account's result, and its balance after the paid payments."""
    won: dict[str, int] = defaultdict(int)
    has: dict[str, int] = defaultdict(int)
    for row in transfers:
        amount = int(row["amount_minor"])
        for side, sign in (("to", 1), ("from", -1)):
            account = row[f"{side}_player"] or f"{row[f'{side}_kind']} {row[f'{side}_account_id']}"
            has[account] += sign * amount
            if row["kind"] != "paid":
                won[account] += sign * amount
    return won, has


def check_stored_once() -> None:
    """Forty hands were saved, since one was typed twice and one not at all: in spite of the network failures, each
    save is one revision."""
    typed = Revision.objects.filter(correction=None)
    assert typed.count() == 40
    assert typed.values("submission").distinct().count() == 40
    kinds = Correction.objects.order_by("created_at").values_list("kind", flat=True)
    assert list(kinds) == ["inserted", "moved", "seats", "voided", "changed"]
    happened = Happening.objects.order_by("created_at").values_list("kind", flat=True)
    assert list(happened) == ["arrived", "arrived", "swapped", "split", "split", "left", "left"]
    assert Player.objects.filter(guest=True).count() == 2
    assert list(differences()) == []


def test_a_long_evening_ends_with_the_planned_results(page: Page, phone: BrowserContext, home: House) -> None:
    sign_in(page, "/c/roessli/e/new/")
    begin_evening(page)
    recorder = EveningRecorder(page, phone)
    play_at_one_table(recorder)
    play_at_two_tables(recorder)
    truth = recorder.evening
    assert sum(len(table.hands) for table in truth.tables) == 40
    truth.share()

    closing = close_and_settle(recorder)
    first = receipt_of(page, "Anna")
    correct_after_the_closing(recorder, closing)
    check_settled(page, truth)
    assert kept(page) == []
    check_stored_once()
    count_season(home.season.pk)

    link = receipt_of(page, "Anna")
    phone.clear_cookies(name="sessionid")
    page.goto(first)
    expect(page.locator(".verdict")).to_have_class(re.compile("changed"))
    check_receipt(page, link, "Anna", truth)
    sign_in(page, "/c/roessli/", "treasurer")
    check_files(page, truth)
