"""Pages on paper: no element covers another one, and no line is broken."""

from __future__ import annotations

import io
import re
import uuid
from typing import Any

import pypdfium2
import pytest
from playwright.sync_api import Page
from pypdf import PdfReader

from games.closing.receipts import token_for
from games.closing.services import evening_close
from games.models import Table
from league.chances.services import chances_compute
from league.models import Player, Season
from league.standings.counting import count_season
from league.standings.seasons import season_close
from tests.cast import House, house
from tests.factories import FAILED, MADE, PASSED_OUT, WALKOVER, create_table, enter

from .sign_in import sign_in_as

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAPER = {"width": 690, "height": 1000}
"""The width of A4 without its margins."""
OVERLAPS = """([first, second]) => [...document.querySelectorAll(second)].flatMap((node) => {
  const near = node.parentElement.querySelector(first).getBoundingClientRect(), box = node.getBoundingClientRect();
  const apart = box.left >= near.right || box.right <= near.left || box.top >= near.bottom || box.bottom <= near.top;
  return apart ? [] : [node.textContent];
})"""
SPILLS = """() => [...document.querySelectorAll(".hands-of tbody:not(.of-table) tr:not(.of-table)")].flatMap((row) => {
  const boxes = [...row.children].map((cell) => cell.getBoundingClientRect()), line = row.getBoundingClientRect();
  const apart = boxes.every((box, nth) => nth === 0 || box.left >= boxes[nth - 1].right);
  const inside = [...row.children].every((cell) => cell.scrollWidth <= cell.clientWidth + 1);
  return apart && inside && boxes.at(-1).right <= line.right + 1 ? [] : [row.textContent];
})"""
ENDS = "(nodes) => nodes.map((node) => Math.round(node.getBoundingClientRect().right))"
LINES = "(node) => node.getClientRects().length"


@pytest.fixture
def home(transactional_db: None) -> House:
    return house("roessli")


def played(home: House, *records: dict[str, Any]) -> Table:
    table = create_table(club=home.club, season=home.season)
    for record in records:
        enter(table, record)
    return table


def printed(page: Page, url: str) -> None:
    page.set_viewport_size(PAPER)
    page.goto(url)
    page.emulate_media(media="print")


@pytest.mark.core
def test_a_receipt_keeps_its_columns_apart_and_each_seal_on_a_line(page: Page, home: House) -> None:
    table = played(home, *(MADE, WALKOVER, FAILED, PASSED_OUT) * 6)
    closing = evening_close(evening=table.evening, author=None, key=uuid.uuid4())
    printed(page, f"/r/{token_for(closing.pk, table.dealer_id)}/")
    assert page.locator(".hands-of tbody tr").count() == 24
    assert page.evaluate(SPILLS) == []
    codes = page.locator(".seal dd code")
    assert [codes.nth(n).evaluate(LINES) for n in range(codes.count())] == [1, 1]


def test_a_ranks_arrow_is_beside_the_name(page: Page, home: House) -> None:
    played(home, MADE, FAILED)
    played(home, FAILED, FAILED, FAILED)
    count_season(home.season.pk)
    sign_in_as(page, "owner")
    printed(page, f"/c/roessli/s/{home.season.slug}/")
    assert page.locator(".standings .move").count() > 0
    assert page.evaluate(OVERLAPS, ["a", ".standings .move"]) == []


def test_an_outstanding_payment_has_its_amount_at_the_right_edge(page: Page, home: House) -> None:
    for _ in range(3):
        table = played(home, MADE, FAILED, FAILED)
        evening_close(evening=table.evening, author=None, key=uuid.uuid4(), pot="kitty")
    sign_in_as(page, "treasurer")
    names = table.places.order_by("seat").values_list("player_id", flat=True)
    for player in names:
        page.goto(f"/c/roessli/p/{player}/")
        if page.locator("#owing-title b").count():
            break
    label, amount = (page.locator(f"#owing-title > {tag}").bounding_box() or {} for tag in ("span", "b"))
    assert amount["x"] > label["x"] + label["width"] + 8


def test_the_amounts_of_payments_end_below_each_other(page: Page, home: House) -> None:
    table = played(home, *(MADE, FAILED, FAILED) * 8)
    sign_in_as(page, "owner")
    printed(page, f"/c/roessli/e/{table.evening_id}/close/")
    amounts = page.locator("#then .pays .amount")
    assert len({len(text) for text in amounts.all_text_contents()}) > 1, "all of one width"
    assert len(set(amounts.evaluate_all(ENDS))) == 1


CUT_OFF = """() => [...document.querySelectorAll("main table")].flatMap((table) => {
  const edge = document.querySelector("main").getBoundingClientRect().right;
  return table.getBoundingClientRect().right > edge + 1 ? [table.textContent.trim().slice(0, 40)] : [];
})"""
"""The tables that are wider than the paper."""


@pytest.mark.parametrize("address", ["treasurer/", "s/{season}/report/"])
def test_the_tables_of_a_report_end_on_the_paper_also_with_a_long_name(page: Page, home: House, address: str) -> None:
    for _ in range(2):
        table = played(home, MADE, FAILED, FAILED)
        Player.objects.filter(pk=table.dealer_id).update(nickname=f"{table.pk}{'W' * 38}")
        evening_close(evening=table.evening, author=None, key=uuid.uuid4(), pot="kitty")
    count_season(home.season.pk)
    sign_in_as(page, "owner")
    printed(page, f"/c/roessli/{address.format(season=home.season.slug)}")
    assert page.locator("main table").count() > 0
    assert page.evaluate(CUT_OFF) == []


def test_a_sum_is_below_the_last_line_and_not_on_each_page(page: Page, home: House) -> None:
    table = played(home, MADE, FAILED, FAILED)
    evening_close(evening=table.evening, author=None, key=uuid.uuid4(), pot="kitty")
    sign_in_as(page, "owner")
    printed(page, "/c/roessli/treasury/?book=kitty")
    foot = page.locator("main tfoot").first
    assert foot.evaluate("(node) => getComputedStyle(node).display") == "table-row-group"


def test_a_print_from_a_dark_screen_has_the_colours_of_paper(page: Page, home: House) -> None:
    played(home, MADE)
    page.emulate_media(color_scheme="dark")
    printed(page, "/c/roessli/")
    inks = "getComputedStyle(document.documentElement)"
    for name in ("--rose-ink", "--felt-ink", "--paper"):
        assert page.evaluate(f"{inks}.getPropertyValue('{name}').trim()") == "#fff", name


CUT_WITHIN = """() => [...document.querySelectorAll("main .scroll-x")]
  .filter((box) => box.scrollWidth > box.clientWidth + 1)
  .map((box) => box.textContent.trim().slice(0, 40))"""
"""The parts that scroll on a screen, and end at the edge of the paper."""
WITHOUT_TABLE = """() => [...document.querySelectorAll("main svg[role=img]")].filter((svg) => !svg.closest("table"))
  .filter((svg) => {
    const near = svg.closest("section"), link = near.querySelector("a[href^='#']");
    const parts = [near, ...(link ? [document.querySelector(link.getAttribute("href"))] : [])];
    return !parts.some((part) => [...part.querySelectorAll("table")].some((table) => table.checkVisibility()));
  })
  .map((svg) => svg.textContent.trim().slice(0, 40) || svg.getAttribute("class"))"""
"""The charts whose numbers are not on the paper."""
PALE = """() => [...document.querySelectorAll("main *")]
  .filter((node) => node.checkVisibility() && !node.closest("svg"))
  .filter((node) => [...node.childNodes].some((one) => one.nodeType === 3 && one.textContent.trim()))
  .filter((node) => {
    const style = getComputedStyle(node);
    const [red, green, blue] = style.color.match(/[\\d.]+/g).map((part) => (part / 255) ** 2.2);
    const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    return style.printColorAdjust !== "exact" && 1.05 / (light + 0.05) < 4.5;
  }).map((node) => node.textContent.trim().slice(0, 40))"""
"""The texts that nobody reads on white paper. A printer leaves backgrounds out, unless the style prints them."""
WITHOUT_PRINT_RULES = """(name) => {
  const sheet = [...document.styleSheets].find((one) => one.href.includes(name));
  for (let nth = sheet.cssRules.length - 1; nth >= 0; nth--) {
    if (sheet.cssRules[nth].media?.mediaText === "print") sheet.deleteRule(nth);
  }
}"""
NIGHTS = 6


def season_of_nights(home: House) -> tuple[Season, Player]:
    """Play enough evenings for shares, ratings and chances; return the season and a player with a long name."""
    for _ in range(NIGHTS):
        table = played(home, *(MADE, FAILED, MADE, WALKOVER))
        evening_close(evening=table.evening, author=None, key=uuid.uuid4(), pot="kitty")
    player = Player.objects.get(pk=table.dealer_id)
    Player.objects.filter(pk=player.pk).update(nickname="Bartholomäus von und zu Grossaffoltern ob")
    Season.objects.filter(pk=home.season.pk).update(planned_evenings=NIGHTS + 2)
    count_season(home.season.pk)
    assert chances_compute(home.season.pk)
    return Season.objects.get(pk=home.season.pk), player


def test_pages_of_figures_are_whole_on_paper_with_the_numbers_of_each_chart(page: Page, home: House) -> None:
    season, player = season_of_nights(home)
    sign_in_as(page, "owner")
    base = f"s/{season.slug}/"
    addresses = [
        base,
        f"{base}statistics/",
        f"{base}chances/",
        f"{base}records/",
        f"{base}report/",
        "records/",
        f"p/{player.pk}/",
    ]
    by_address = {address: faults_on_paper(page, f"/c/roessli/{address}") for address in addresses}
    page.goto(f"/c/roessli/{base}statistics/")
    few = sheets(page)
    page.evaluate(WITHOUT_PRINT_RULES, "statistics")
    folded = sheets(page)
    page.evaluate("() => document.querySelectorAll('.fold').forEach((part) => { part.open = true; })")
    # Paper shows the folded parts, in less space than the screen.
    assert folded < few <= 3 < sheets(page)
    season_close(season=season, actor=None)
    for address in (f"{base}champions/", "champions/"):
        by_address[address] = faults_on_paper(page, f"/c/roessli/{address}")
    assert {address: faults for address, faults in by_address.items() if faults} == {}


def sheets(page: Page) -> int:
    """Return the number of sheets of A4 that a page needs."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4", prefer_css_page_size=True)))


@pytest.mark.parametrize("game", ["chratze", "kratzen"])
def test_the_handouts_are_two_pages_of_a5_in_black_on_white(page: Page, home: House, game: str) -> None:
    sign_in_as(page, home.recorder)
    page.emulate_media(color_scheme="dark")
    page.goto(f"/c/roessli/handouts/?game={game}")
    pdf = page.pdf(prefer_css_page_size=True, print_background=True)
    pages = PdfReader(io.BytesIO(pdf)).pages
    assert [(round(sheet.mediabox.width), round(sheet.mediabox.height)) for sheet in pages] == [(420, 595)] * 2
    assert "Spiel 7 speichern" in pages[0].extract_text()
    # One in the sentence, and the marks of two rows; the counts of two rows.
    assert pages[0].extract_text().count("✕" if game == "chratze" else "−") == (3 if game == "chratze" else 2)
    assert "/c/roessli/standings" in pages[1].extract_text()
    with pypdfium2.PdfDocument(pdf) as document:
        corners = [sheet.render().to_pil().getpixel((4, 4)) for sheet in document]
    assert corners == [(255, 255, 255)] * 2


def faults_on_paper(page: Page, url: str) -> list[Any]:
    """Return the elements that are cut off, have no table, or are unreadable without backgrounds."""
    printed(page, url)
    assert page.locator("main h1").count() == 1
    return [fault for script in (CUT_OFF, CUT_WITHIN, WITHOUT_TABLE, PALE) for fault in page.evaluate(script)]
