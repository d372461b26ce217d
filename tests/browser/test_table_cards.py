"""A table card on a phone: scan, record, lose the network, hand in a sheet, all without an account."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from games.integrity.verify import differences
from games.models import Hand, Revision, Table
from league.models import Round, Sheet, TableCard, Tournament
from league.tournaments import rounds
from league.tournaments.table_cards import cards_of
from tests.cast import house
from tests.processes import wait_until
from tests.tournaments.played_tournaments import drawn_round, made_tournament, with_entrants

from .outbox_steps import NO_ANSWER, kept
from .test_evening import Screen

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FLUSH = "async () => { await (await import('/static/js/outbox.js')).flush(); }"


@pytest.fixture
def expected(expected: tuple[str, ...]) -> tuple[str, ...]:
    """Requests that the test cuts off are no fault."""
    return (*expected, NO_ANSWER)


@pytest.fixture
def current() -> Round:
    home = house("roessli")
    tournament = made_tournament(home.club, home.owner)
    with_entrants(tournament, home.owner, 8)
    drawn = drawn_round(tournament, home.owner)
    rounds.round_start(tournament=tournament, author=home.owner, number=1)
    return drawn


@pytest.fixture
def card(current: Round) -> TableCard:
    return cards_of(Tournament.objects.get(pk=current.tournament_id), [1])[1]


def to_the_table(page: Page, card: TableCard) -> Screen:
    page.goto(f"/t/{card.code}/")
    page.locator(".table-card a.btn.wide").tap()
    expect(page.locator("[data-save]")).to_be_visible()
    return Screen(page)


def enter_hand(page: Page, screen: Screen, *seats: int) -> None:
    screen.tap(*seats)
    expect(screen.preview().locator("[data-accepted]")).to_be_visible()


@pytest.mark.core
def test_a_scan_a_hand_and_a_hand_without_a_network(
    page: Page, phone: BrowserContext, current: Round, card: TableCard
) -> None:
    screen = to_the_table(page, card)
    enter_hand(page, screen, 0, 1)
    page.locator("[data-save]").tap()
    page.wait_for_url("**/h/1/")
    page.goto(f"/c/roessli/t/{Table.objects.get(evening=current.evening_id, number=1).pk}/")
    enter_hand(page, Screen(page), 2, 3)
    phone.set_offline(True)
    page.locator("[data-save]").tap()
    expect(page.locator("#saved")).to_be_visible()
    assert Hand.objects.count() == 1
    phone.set_offline(False)
    page.goto("/")
    page.evaluate(FLUSH)
    wait_until(lambda: Hand.objects.count() == 2, 10, "the second hand arrives")
    assert set(Revision.objects.values_list("author", flat=True)) == {card.user_id}
    assert list(differences()) == []


def test_a_hand_that_arrives_after_the_round_stays_on_the_phone_with_the_reason(
    page: Page, phone: BrowserContext, current: Round, card: TableCard
) -> None:
    screen = to_the_table(page, card)
    enter_hand(page, screen, 0, 1)
    phone.set_offline(True)
    page.locator("[data-save]").tap()
    expect(page.locator("#saved")).to_be_visible()
    tournament = Tournament.objects.get(pk=current.tournament_id)
    rounds.round_finish(tournament=tournament, author=None, number=1, despite_open=True)
    phone.set_offline(False)
    page.goto("/")
    page.evaluate(FLUSH)
    expect(page.locator("#outbox [data-line].bad")).to_be_visible()
    (item,) = kept(page)
    assert (item["status"], item["user"]) == ("refused", str(card.user_id))
    assert item["why"]
    assert not Hand.objects.exists()


def test_a_sheet_is_typed_on_the_phone(page: Page, card: TableCard) -> None:
    page.goto(f"/t/{card.code}/")
    fields = page.locator("input[name^=chips-]")
    for field, amount in zip(fields.all(), ("20", "15", "0", "7"), strict=True):
        field.fill(amount)
    said = page.locator("[data-sum]")
    expect(said).to_contain_text("42")
    page.locator(".signs label:has([value=minus])").nth(1).tap()
    expect(said).to_contain_text("12")
    page.locator(".signs label:has([value=minus])").nth(3).tap()
    expect(said).to_contain_text("2")
    page.locator("#pot").fill("2")
    expect(said).to_have_class("sum soft fits")
    page.locator(".sheet-form button[type=submit]").tap()
    expect(page.locator(".table-card .note")).to_be_visible()
    assert Sheet.objects.get().author == card.user
