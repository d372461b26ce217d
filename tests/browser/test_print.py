"""Pages on paper: nothing lies over anything else, and what belongs on one line is on one line."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from playwright.sync_api import Page

from games.closing.receipts import token_for
from games.closing.services import evening_close
from games.models import Table
from league.standings.counting import count_season
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


def test_what_is_outstanding_has_its_amount_at_the_other_end(page: Page, home: House) -> None:
    for _ in range(3):
        table = played(home, MADE, FAILED, FAILED)
        evening_close(evening=table.evening, author=None, key=uuid.uuid4(), pot="kitty")
    sign_in_as(page, "treasurer")
    names = table.places.order_by("seat").values_list("player_id", flat=True)
    for player in names:
        page.goto(f"/c/roessli/p/{player}/")
        if page.locator("#owing-title b").count():
            break
    label, amount = (page.locator(f"#owing-title > {one}").bounding_box() or {} for one in ("span", "b"))
    assert amount["x"] > label["x"] + label["width"] + 8


def test_the_amounts_of_payments_end_below_each_other(page: Page, home: House) -> None:
    table = played(home, *(MADE, FAILED, FAILED) * 8)
    sign_in_as(page, "owner")
    printed(page, f"/c/roessli/e/{table.evening_id}/close/")
    amounts = page.locator("#then .pays .amount")
    assert len({len(text) for text in amounts.all_text_contents()}) > 1, "all of one width"
    assert len(set(amounts.evaluate_all(ENDS))) == 1
