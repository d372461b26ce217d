"""Waiting writes of a phone are handed to another one as a file or as QR codes, without any network, and are stored
once."""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import segno
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from games.integrity.verify import differences
from games.models import Hand, Place, Revision, Table
from tests.processes import wait_until

from .conftest import new_phone
from .kept_phones import KeptPhones
from .outbox_steps import FLUSH, NO_ANSWER, kept, line, nothing_kept
from .sign_in import sign_in
from .test_night_outbox import PUT, Server, stored, write

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

READ = "/c/roessli/night/read/"


@pytest.fixture
def expected(expected: tuple[str, ...]) -> tuple[str, ...]:
    """Requests that the test cuts off are no fault, nor are answers of a server that is out of order."""
    return (*expected, NO_ANSWER, "status of 5")


@pytest.fixture
def other(kept_phones: KeptPhones, table: Table) -> Iterator[Page]:
    """Another phone with the page open on which it reads; the account is that of the owner."""
    with kept_phones.one() as phone:
        page = phone.new_page()
        sign_in(page, READ, "owner")
        yield page


def hands(table: Table, count: int) -> list[dict[str, Any]]:
    """Return hands in which seat 0 declares and all others but one join in turn."""
    players = list(Place.objects.filter(table=table).order_by("seat").values_list("player_id", flat=True))
    made: list[dict[str, Any]] = []
    for number in range(1, count + 1):
        joiner = number % 4 + 1
        record = {"declarer": 0, "joiners": [joiner], "tricks": {"0": 2, str(joiner): 2}}
        deltas = [0] * len(players)
        deltas[0], deltas[joiner] = 10 * number, -10 * number
        expected = {"deltas": deltas, "pot_after": 5 * number}
        made.append(write("hand", table.pk, number=number, players=players, record=record, expected=expected))
    return made


def record(page: Page, phone: BrowserContext, table: Table, writes: list[dict[str, Any]]) -> Server:
    """Store writes on this phone, which has no network."""
    sign_in(page, "/c/roessli/")
    server = Server(phone)
    server.network = False
    url = f"/c/roessli/t/{table.pk}/night/"
    page.evaluate(PUT, [url, writes])
    page.evaluate(FLUSH)
    line(page).locator("button").tap()
    return server


def saved_file(page: Page) -> Path:
    with page.expect_download() as download:
        page.locator("#outbox-list [data-file]").tap()
    assert re.fullmatch(r"chratzete-roessli-\d{4}-\d\d-\d\d\.json", download.value.suggested_filename)
    return Path(download.value.path())


def read_text(page: Page, text: str) -> None:
    page.locator("[data-night-read] summary").tap()
    page.locator("#pasted").fill(text)
    page.locator("[data-read]").tap()


def shown_links(page: Page) -> list[str]:
    """Return the links of all codes that the sheet shows, one after the other."""
    page.locator("#outbox-list [data-codes]").tap()
    sheet = page.locator("#outbox-codes")
    expect(sheet.locator("svg")).to_be_visible()
    links: list[str] = []
    while (link := sheet.locator("[data-code]").get_attribute("data-link") or "") not in links:
        links.append(link)
        if sheet.locator("[data-flip='1']").is_visible():
            sheet.locator("[data-flip='1']").tap()
    return links


@pytest.mark.core
def test_a_file_is_taken_over_by_another_phone_and_stored_once(
    page: Page, phone: BrowserContext, other: Page, table: Table
) -> None:
    newcomer = write("come", table.pk, guest="Fritz", after=hands(table, 1)[0]["players"][4])
    writes = [*hands(table, 3), newcomer]
    server = record(page, phone, table, writes)
    path = saved_file(page)
    bundle = json.loads(path.read_text())
    assert (bundle["writes"], bundle["by"]) == (writes, ["Recorder"])
    receiving = Server(other.context)
    receiving.network = False
    other.locator("#file").set_input_files(path)
    expect(other.locator("[data-lines] > li")).to_have_count(4)
    expect(other.locator("[data-lines] > li").nth(3)).to_contain_text("Fritz")
    other.locator("[data-take]").tap()
    expect(other.locator("[data-done]")).to_be_visible()
    assert [item["write"] for item in kept(other)] == writes
    # Read once more, nothing is new.
    other.locator("#file").set_input_files(path)
    expect(other.locator("[data-nothing]")).to_be_visible()
    assert other.locator("[data-take]").is_hidden()
    # Both phones send: the server gets the same keys from both.
    answers: dict[str, dict[str, Any]] = {}
    for stub in (receiving, server):
        stub.network = True
        stub.answer = lambda sent: (200, answers.setdefault(sent["key"], stored()))
    other.evaluate(FLUSH)
    page.evaluate(FLUSH)
    nothing_kept(other)
    nothing_kept(page)
    assert [sent["key"] for sent in receiving.sent] == [written["key"] for written in writes] == list(answers)
    assert [sent["key"] for sent in server.sent] == list(answers)


def test_codes_are_read_without_a_network_in_any_order_and_across_loads(
    page: Page, phone: BrowserContext, other: Page, table: Table
) -> None:
    writes = hands(table, 45)
    # Hands that the phone could not count.
    writes[7]["expected"] = None
    del writes[8]["expected"]
    record(page, phone, table, writes)
    links = shown_links(page)
    assert len(links) in (2, 3)
    Server(other.context).network = False
    last, *rest = reversed(links)
    other.goto(last)
    expect(other.locator("[data-parts]")).to_be_visible()
    expect(other.locator("[data-parts] p").first).to_contain_text(re.compile(f"1 (of|von) {len(links)}"))
    other.reload()
    expect(other.locator("[data-parts]")).to_be_visible()
    other.context.set_offline(True)
    for link in rest:
        # The camera opens the kept page with another fragment.
        other.evaluate("(hash) => { window.location.hash = hash; }", link.partition("#")[2])
    expect(other.locator("[data-lines] > li")).to_have_count(45)
    other.locator("[data-take]").tap()
    expect(other.locator("[data-done]")).to_be_visible()
    assert [item["write"] for item in kept(other)] == [{"expected": None} | write for write in writes]
    assert other.evaluate("async () => (await indexedDB.databases()).length") == 1


def test_a_file_of_another_club_or_a_newer_version_is_refused_in_words(other: Page, table: Table) -> None:
    bundle: dict[str, Any] = {"format": 1, "kind": "chratzete-night", "club": "krone", "writes": [], "players": {}}
    problem = other.locator("[data-problem]")
    read_text(other, json.dumps(bundle))
    expect(problem).to_contain_text("krone")
    for text in ("no json", "[]", "{}", json.dumps(bundle | {"writes": 5}), "https://example.ch/#1.2.1.00000000.AAAA"):
        other.locator("#pasted").fill(text)
        other.locator("[data-read]").tap()
        expect(problem).to_contain_text(re.compile("no file|keine Datei"))
    other.locator("#pasted").fill(json.dumps(bundle | {"format": 2}))
    other.locator("[data-read]").tap()
    expect(problem).to_contain_text(re.compile("newer|neueren"))
    assert kept(other) == []


def test_writes_after_an_unreadable_line_stay(other: Page, table: Table) -> None:
    writes = hands(table, 3)
    writes[1]["record"]["tricks"] = {"0": "<b>2</b>"}
    bundle = {"format": 1, "kind": "chratzete-night", "club": "roessli", "writes": writes, "players": {}}
    read_text(other, json.dumps(bundle))
    states = "(lines) => lines.map((line) => line.dataset.state)"
    expect(other.locator("[data-lines] > li")).to_have_count(3)
    assert other.locator("[data-lines] > li").evaluate_all(states) == ["new", "unreadable", "after"]
    Server(other.context).network = False
    other.locator("[data-take]").tap()
    expect(other.locator("[data-done]")).to_be_visible()
    assert [item["key"] for item in kept(other)] == [writes[0]["key"]]


def modules(svg: Locator) -> list[str]:
    """Return the rows of a drawn code, a digit for each module, without its quiet zone."""
    side = int((svg.get_attribute("viewBox") or "").split()[2])
    rows = [[0] * side for _ in range(side)]
    for x, y, wide in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", svg.locator("path").get_attribute("d") or ""):
        for each in range(int(x), int(x) + int(wide)):
            rows[int(y)][each] = 1
    assert not any(map(any, rows[:4])), "the quiet zone is empty"
    return ["".join(map(str, row[4:-4])) for row in rows[4:-4]]


@pytest.fixture
def padded(monkeypatch: pytest.MonkeyPatch) -> None:
    """segno writes a byte of zeros before the padding where no bit is missing; cameras do not mind, but it differs."""

    def fill(bits: Any, version: object, length: int) -> None:
        bits.extend([0] * (-length % 8))

    monkeypatch.setattr("segno.encoder.write_padding_bits", fill)


def of_the_standard(link: str, side: int) -> Iterator[list[str]]:
    """Return the codes of this size for a link as segno makes them, one for each mask and level."""
    for level, mask in itertools.product("lmqh", range(8)):
        version = (side - 17) // 4
        with contextlib.suppress(segno.DataOverflowError):
            code = segno.make(link, error=level, mask=mask, version=version, mode="byte", boost_error=False)
            yield ["".join(str(int(bool(module))) for module in row) for row in code.matrix_iter(border=0)]


@pytest.mark.usefixtures("padded")
@pytest.mark.parametrize("count", [1, 24])
def test_the_code_on_the_screen_is_a_code_of_its_link(
    page: Page, phone: BrowserContext, table: Table, count: int
) -> None:
    record(page, phone, table, hands(table, count))
    page.locator("#outbox-list [data-codes]").tap()
    shown = page.locator("#outbox-codes [data-code]")
    drawn = modules(shown.locator("svg"))
    assert len(drawn) <= 117, "version 25 is the largest"
    link = shown.get_attribute("data-link") or ""
    assert any(code == drawn for code in of_the_standard(link, len(drawn)))
    box = shown.locator("svg").bounding_box()
    assert box is not None
    assert box["width"] / (len(drawn) + 8) > 2, "a module is at least two pixels wide"
    colours = "(svg) => [getComputedStyle(svg).fill, getComputedStyle(svg.parentElement).backgroundColor]"
    assert shown.locator("svg").evaluate(colours) == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]


KEPT_READ = """async (path) => {
  const names = (await caches.keys()).filter((one) => one.startsWith("chratzete-pages-"));
  const found = await Promise.all(names.map(async (name) => (await caches.open(name)).match(path)));
  return found.some(Boolean) && navigator.serviceWorker.controller !== null;
}"""


def test_a_phone_that_opened_the_table_once_reads_a_code_without_a_network(
    page: Page, phone: BrowserContext, chromium: Browser, live_server: Any, table: Table
) -> None:
    """The link opens the page that the service worker kept together with the table."""
    writes = hands(table, 3)
    record(page, phone, table, writes)
    (link,) = shown_links(page)
    context = new_phone(chromium, live_server.url, with_worker=True)
    other = context.new_page()
    sign_in(other, f"/c/roessli/t/{table.pk}/", "owner")
    wait_until(lambda: other.evaluate(KEPT_READ, READ), 20, "the page is kept")
    context.set_offline(True)
    scanned = context.new_page()
    scanned.goto(link)
    expect(scanned.locator("[data-lines] > li")).to_have_count(3)
    expect(scanned.locator("[data-lines] > li").first).to_contain_text(names(table)[0])
    scanned.locator("[data-take]").tap()
    expect(scanned.locator("[data-done]")).to_be_visible()
    assert [item["write"] for item in kept(scanned)] == writes
    context.close()


def names(table: Table) -> list[str]:
    return list(Place.objects.filter(table=table).order_by("seat").values_list("player__nickname", flat=True))


# --- A table's writes without their order, and without their keys ------------------------------------------------


def test_without_the_order_the_writes_of_a_file_are_mixed_up(
    page: Page, phone: BrowserContext, other: Page, table: Table
) -> None:
    """A twin: items without their place go out in the order of their random keys."""
    path = "**/js/outbox_store.js"
    guard = "a.place - b.place || a.at - b.at"

    def without(route: Route) -> None:
        text = route.fetch().text()
        assert guard in text
        route.fulfill(content_type="text/javascript", body=text.replace(guard, "a.key < b.key ? -1 : 1"))

    other.context.route(path, without)
    other.reload()
    writes = hands(table, 12)
    receiving = Server(other.context)
    bundle = {"format": 1, "kind": "chratzete-night", "club": "roessli", "writes": writes, "players": {}}
    read_text(other, json.dumps(bundle))
    other.locator("[data-take]").tap()
    expect(other.locator("[data-done]")).to_be_visible()
    nothing_kept(other)
    assert sorted(sent["number"] for sent in receiving.sent) == list(range(1, 13))
    assert receiving.sent != writes


def test_two_phones_that_send_the_same_hands_store_them_once(
    page: Page, phone: BrowserContext, other: Page, table: Table
) -> None:
    """The real server: the same keys get the same answer on both phones."""
    writes = real_hands(table, 3)
    both_send(page, other, table, writes, writes)
    nothing_kept(page)
    nothing_kept(other)
    assert Hand.objects.count() == Revision.objects.count() == 3
    assert list(differences()) == []


def test_without_the_keys_the_second_phone_is_refused(
    page: Page, phone: BrowserContext, other: Page, table: Table
) -> None:
    """A twin: under other keys they are other hands, whose numbers are taken."""
    writes = real_hands(table, 3)
    both_send(page, other, table, writes, [write | {"key": str(uuid.uuid4())} for write in writes])
    nothing_kept(page)
    assert {item["status"] for item in kept(other)} == {"refused", "waiting"}


def real_hands(table: Table, count: int) -> list[dict[str, Any]]:
    """Return hands that nobody declared: they change no sum, so that the phone need not count."""
    players = list(Place.objects.filter(table=table).order_by("seat").values_list("player_id", flat=True))
    fields: dict[str, Any] = {"players": players, "record": {"declarer": None}}
    fields["expected"] = {"deltas": [0] * len(players), "pot_after": 0}
    return [write("hand", table.pk, number=number, **fields) for number in range(1, count + 1)]


def both_send(
    page: Page, other: Page, table: Table, writes: list[dict[str, Any]], handed: list[dict[str, Any]]
) -> None:
    bundle = {"format": 1, "kind": "chratzete-night", "club": "roessli", "writes": handed, "players": {}}
    other.context.set_offline(True)
    read_text(other, json.dumps(bundle))
    other.locator("[data-take]").tap()
    expect(other.locator("[data-done]")).to_be_visible()
    sign_in(page, "/c/roessli/")
    page.evaluate(PUT, [f"/c/roessli/t/{table.pk}/night/", writes])
    page.evaluate(FLUSH)
    other.context.set_offline(False)
    other.evaluate(FLUSH)
