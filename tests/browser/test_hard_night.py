"""A hard night on a phone of 360 × 640: forty hands, people who come and go, a table that divides, five mistakes that
are put right, a network that fails three times. In the end files, receipt and standings are what the plain model says.

What is told to the writer is the night as it really was, by name; what is typed differs from it where the writer errs.
"""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import BrowserContext, Page, Route, expect

from games.audit import differences
from games.models import Correction, Happening, Revision
from league.models import Evening, Player
from league.standings import count_season
from tests.cast import House, house
from tests.factories import PlayerFactory

from .night_truth import TrueNight
from .night_writer import TABLE, Writer, rappen
from .signing import fill_in, sign_in
from .test_evening import begin_evening
from .test_outbox import NO_ANSWER, kept

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def home(transactional_db: None) -> House:
    home = house("roessli")
    for name in ("Anna", "Beni", "Carlo", "Doris", "Emil"):
        PlayerFactory(club=home.club, nickname=name)
    home.club.publishes_money = True
    home.club.save()
    return home


@pytest.fixture
def phone(phone: BrowserContext, said: list[str]) -> Iterator[BrowserContext]:
    """A phone whose console may tell of requests that the night cut off."""
    yield phone
    said[:] = [line for line in said if NO_ANSWER not in line]


# --- Five mistakes -------------------------------------------------------------------------------------------


def forget_one_and_find_it_later(writer: Writer) -> None:
    """Hand 4 is not typed; three hands later it is put in."""
    writer.at.plays("Beni")
    writer.plays("Doris-: Carlo")
    lose_the_network(writer, "Fritz: Anna Beni")
    writer.comes("Emil", after="Beni")
    writer.plays("Emil: Doris Carlo-")
    writer.mends(4, "/h/4/insert/")
    writer.screen.tap(2)
    writer.changes()
    writer.saves("vergessen")
    writer.back()


def type_two_in_the_wrong_order(writer: Writer) -> None:
    """Hands 8 and 9."""
    for line in ("Anna: Emil", ""):
        writer.at.plays(line)
    writer.types("", "Anna: Emil")
    writer.plays("Carlo-: Beni Fritz")
    writer.mends(9, "/h/9/move/")
    expect(writer.page.locator("#to")).to_have_value("8")
    writer.saves("verkehrt herum")
    writer.back()


def mix_up_two_seats(writer: Writer) -> None:
    """From hand 11 on Doris and Carlo sit the other way round, and nobody says so before hand 14."""
    writer.comes("Zita", after="Carlo")
    writer.screen.check_layout()
    writer.at.swaps("Doris", "Carlo")
    writer.plays("Doris: Zita Fritz-", "Beni: Anna Emil", "Zita")
    writer.mends(11, "/seats/")
    expect(writer.page.locator("#last")).to_have_value("13")
    writer.page.get_by_label("Doris", exact=True).select_option(label="Carlo")
    writer.page.locator("[name=step][value=preview]").tap()
    writer.saves("Plätze vertauscht")
    writer.back()


def type_one_twice(writer: Writer) -> None:
    """Hand 17 stands there again as hand 18, and two hands later it is taken out."""
    writer.plays("Carlo: Beni")
    writer.types("Carlo: Beni")
    writer.plays("")
    tap_twice(writer, "Doris: Fritz Zita")
    writer.mends(18, "/h/18/out/")
    writer.saves("doppelt eingetragen")
    writer.back()


def take_the_wrong_declarer_for_a_failed_one(writer: Writer) -> None:
    """Hand 3 of table 2 is typed as failed. It is put right when the evening is closed."""
    writer.at.plays("Fritz: Zita")
    writer.types("Fritz-: Zita")


def put_right_after_the_end(writer: Writer, closing: str) -> None:
    page = writer.page
    page.goto(f"{writer.where[2]}h/3/edit/")
    page.locator('[data-seat="0"] [data-mark="yes"]').tap()
    writer.changes()
    writer.saves("Fritz hatte zwei Stiche")
    page.goto(closing)


# --- The network, and a thumb that shakes ----------------------------------------------------------------------


def lose_the_network(writer: Writer, line: str) -> None:
    """Before the request: the hand waits on the phone, and goes out by itself."""
    number = writer.ready(line)
    writer.phone.set_offline(True)
    writer.page.locator("[data-save]").tap()
    expect(writer.screen.told().locator("[data-change]")).to_be_visible()
    assert [item["number"] for item in kept(writer.page)] == [number]
    writer.phone.set_offline(False)
    writer.goes_on(number)


def lose_the_answer(writer: Writer, line: str) -> None:
    """After the server has stored it: the same key goes out again."""
    number = writer.ready(line)
    lost: list[str] = []

    def lose(route: Route) -> None:
        if route.request.method != "POST" or lost:
            route.continue_()
            return
        lost.append(str(route.fetch(max_redirects=0).headers["outbox-stored"]))
        route.abort()

    writer.page.route(TABLE, lose)
    writer.page.locator("[data-save]").tap()
    writer.goes_on(number)
    writer.page.unroute(TABLE)
    assert [place.endswith(f"/h/{number}/") for place in lost] == [True]


def lose_network_and_login(writer: Writer, line: str) -> None:
    """The login lapses while there is no network: the hand waits through the sign-in."""
    page, number = writer.page, writer.ready(line)
    writer.phone.set_offline(True)
    page.locator("[data-save]").tap()
    expect(writer.screen.told().locator("[data-change]")).to_be_visible()
    Session.objects.all().delete()
    writer.phone.set_offline(False)
    expect(writer.screen.told()).to_contain_text(re.compile("signed out|abgemeldet"))
    page.locator("[data-save]").tap()
    page.wait_for_url(re.compile("/login/"))
    fill_in(page)
    writer.goes_on(number)


def tap_twice(writer: Writer, line: str) -> None:
    number = writer.ready(line)
    writer.page.evaluate("() => { const save = document.querySelector('[data-save]'); save.click(); save.click(); }")
    writer.goes_on(number)


# --- The night -------------------------------------------------------------------------------------------------


def play_at_one_table(writer: Writer) -> None:
    """Hands 1 to 22: five people, then seven."""
    writer.plays("Anna: Fritz Beni-", "", "Carlo: Anna Doris")
    forget_one_and_find_it_later(writer)
    type_two_in_the_wrong_order(writer)
    mix_up_two_seats(writer)
    lose_the_answer(writer, "Emil: Carlo Beni-")
    writer.swaps("Fritz", "Beni")
    writer.plays("Anna-: Zita Doris", "Fritz: Emil Anna-")
    type_one_twice(writer)
    writer.plays("Emil: Anna Beni", "Zita-: Carlo", "")


def play_at_two_tables(writer: Writer) -> None:
    """Eighteen hands more: nine at either table."""
    writer.divides("Fritz", "Doris", "Zita", first="Doris")
    writer.plays("Beni: Carlo Anna-", "Carlo: Emil")
    assert writer.at.dealer == "Emil"
    writer.goes("Emil")
    writer.agrees()
    writer.turns_to(2)
    writer.agrees()
    writer.plays("Zita: Doris", "Doris-: Fritz Zita")
    take_the_wrong_declarer_for_a_failed_one(writer)
    writer.plays("")
    lose_network_and_login(writer, "Doris: Fritz Zita-")
    writer.plays("Zita: Fritz-")
    writer.goes("Fritz")
    writer.turns_to(1)
    writer.plays("Anna: Beni-", "", "Carlo-: Anna", "Beni: Anna Carlo", "", "Beni", "Carlo-: Beni")
    writer.agrees()
    writer.turns_to(2)
    writer.plays("Doris: Zita-", "", "Zita-: Doris")


def close_and_settle(writer: Writer) -> str:
    """Share the pots, mark one payment as paid, put the last mistake right. Gives the address of the settling up."""
    page = writer.page
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
    """The link that is handed out to somebody."""
    page.goto(f"/c/roessli/e/{Evening.objects.get().pk}/receipts/")
    return page.locator(".links a.who", has_text=name).get_attribute("href") or ""


# --- What it comes to ------------------------------------------------------------------------------------------


def read_csv(page: Page, path: str) -> list[dict[str, str]]:
    answer = page.request.get(f"/c/roessli/{path}")
    assert answer.ok, path
    return list(csv.DictReader(io.StringIO(answer.text())))


def check_settled(page: Page, truth: TrueNight) -> None:
    """The page of the settling up: what was won, and columns that add up to nothing."""
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


def check_receipt(page: Page, link: str, name: str, truth: TrueNight) -> None:
    """One who was there opens the link without an account: own hands one by one, the others' sums."""
    page.goto(link)
    expect(page.locator(".verdict")).to_have_class(re.compile("agrees"))
    sums = truth.sums()
    assert rappen(page.locator("h1 .num").text_content() or "") == sums[name]
    own = page.locator(".hands-of tbody tr").evaluate_all(
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


def check_files(page: Page, truth: TrueNight) -> None:
    """Hands, ledger, what is open, standings: each file by itself is the night as it was."""
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
    """From the ledger's file: what each account won, and what it has once payments marked as paid are counted."""
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
    """Forty were saved, as one of the night's hands was typed twice and one not at all: whatever the network did, each
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


def test_a_hard_night_is_in_the_end_what_it_was(page: Page, phone: BrowserContext, home: House) -> None:
    sign_in(page, "/c/roessli/e/new/")
    begin_evening(page)
    writer = Writer(page, phone)
    play_at_one_table(writer)
    play_at_two_tables(writer)
    truth = writer.night
    assert sum(len(table.hands) for table in truth.tables) == 40
    truth.share()

    closing = close_and_settle(writer)
    first = receipt_of(page, "Anna")
    put_right_after_the_end(writer, closing)
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
