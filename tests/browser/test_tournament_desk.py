"""The desk of a tournament by keyboard, on two desks at once, and without a network."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from league.models import Entrant, Round, Sheet, Tournament
from league.tournaments import entries, rounds
from tests.cast import House
from tests.tournaments.played_tournaments import drawn_round, made_tournament

from .sign_in import sign_in_as

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = ("Anna", "Andi", "Beni", "Carlo", "Doris", "Emil", "Fritz", "Gritli")


@pytest.fixture
def tournament(home: House) -> Tournament:
    made = made_tournament(home.club, home.owner, minutes=30)
    people = [entries.Newcomer(nickname=name) for name in NAMES]
    entries.enter(tournament=made, author=home.owner, people=people)
    return made


@pytest.fixture
def playing(home: House, tournament: Tournament) -> Round:
    for number in range(1, 9):
        entries.check_in(tournament=tournament, author=home.owner, number=number)
    current = drawn_round(tournament, home.owner)
    return rounds.round_start(tournament=tournament, author=home.owner, number=current.number)


def desk(page: Page, tournament: Tournament) -> Page:
    sign_in_as(page, "owner")
    page.goto(f"/c/roessli/tournaments/{tournament.slug}/desk/")
    return page


def here() -> int:
    return Entrant.objects.filter(checked_in_at__isnull=False).count()


def test_people_are_checked_in_by_two_letters_by_a_badge_and_taken_back(page: Page, tournament: Tournament) -> None:
    desk(page, tournament)
    page.evaluate("window.kept = true")
    page.keyboard.press("/")
    page.keyboard.type("ca")
    expect(page.locator("#who-list li")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("#desk-notes")).to_contain_text("4 Carlo")
    # The field is ready for the next one; a badge is a number and Enter.
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    expect(page.locator("#desk-notes")).to_contain_text("5 Doris")
    # Two begin alike: the arrow chooses the second.
    page.keyboard.type("an")
    expect(page.locator("#who-list li")).to_have_count(2)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#desk-notes")).to_contain_text("1 Anna")
    page.keyboard.press("Escape")
    page.keyboard.press("z")
    expect(page.locator("#desk-notes")).to_contain_text("1 Anna ist nicht da")
    assert sorted(Entrant.objects.filter(checked_in_at__isnull=False).values_list("number", flat=True)) == [4, 5]
    # The page was never loaded again.
    assert page.evaluate("window.kept") is True


@pytest.mark.core
def test_a_sheet_is_typed_and_the_round_finished_by_keyboard_alone(page: Page, playing: Round) -> None:
    desk(page, playing.tournament)
    page.keyboard.press("Space")
    expect(page.locator("[data-clock]")).to_have_attribute("data-running", "0")
    left = int(page.locator("[data-clock]").get_attribute("data-remaining") or 0)
    page.keyboard.press("+")
    expect(page.locator("[data-clock]")).to_have_attribute("data-remaining", str(left + 60))
    for table in ("1", "2"):
        page.keyboard.press(table)
        expect(page.locator("[data-chips]").first).to_be_focused()
        for amount in ("12", "-5", "-4", "-3"):
            page.keyboard.type(amount)
            page.keyboard.press("Enter")
        expect(page.locator("[data-sum]")).to_contain_text("✓")
        page.keyboard.press("Enter")
        expect(page.locator("[data-sheet]")).to_have_count(0)
    assert Sheet.objects.count() == 2
    page.keyboard.press("Enter")
    expect(page.locator(".top li")).to_have_count(5)
    playing.refresh_from_db()
    assert playing.state == "finished"


def test_the_running_sum_names_the_difference_and_the_entry_stays_when_it_is_refused(
    page: Page, playing: Round
) -> None:
    desk(page, playing.tournament)
    page.keyboard.press("1")
    expect(page.locator("[data-chips]").first).to_be_focused()
    for amount in ("12", "-5", "-4", "0"):
        page.keyboard.type(amount)
        page.keyboard.press("Enter")
    expect(page.locator("[data-sum]")).to_contain_text("3")
    page.keyboard.press("Enter")
    expect(page.locator(".sheet-card .errors")).to_contain_text("3")
    expect(page.locator("[data-chips]").first).to_have_value("12")
    assert Sheet.objects.count() == 0


def test_a_change_of_another_desk_appears_and_the_typed_text_stays(
    page: Page, phone: BrowserContext, home: House, playing: Round
) -> None:
    desk(page, playing.tournament)
    page.keyboard.press("1")
    expect(page.locator("[data-chips]").first).to_be_focused()
    page.keyboard.type("12")
    entries.enter(tournament=playing.tournament, author=home.owner, people=[entries.Newcomer(nickname="Zoé")])
    expect(page.locator("#desk-missing")).to_contain_text("Zoé")
    expect(page.locator("[data-chips]").first).to_have_value("12")
    expect(page.locator("[data-chips]").first).to_be_focused()


def test_without_a_network_the_desk_says_so_and_one_more_try_stores_once(
    page: Page, phone: BrowserContext, tournament: Tournament
) -> None:
    desk(page, tournament)
    phone.set_offline(True)
    tried: list[str] = []
    page.on("request", lambda request: tried.append(request.url))
    expect(page.locator("#desk-notes [role=alert]")).to_be_visible()
    assert tried == []
    page.keyboard.press("n")
    page.keyboard.type("Zoé")
    page.locator("#enter button[type=submit]").tap()
    expect(page.locator("#desk-notes [role=alert]")).to_be_visible()
    expect(page.locator("#names")).to_have_value("Zoé")
    phone.set_offline(False)
    page.locator("#enter button[type=submit]").tap()
    expect(page.locator("#desk-notes")).to_contain_text("9 Zoé")
    assert Entrant.objects.count() == 9


def test_the_next_round_is_drawn_early_after_the_desk_confirms_it(page: Page, playing: Round) -> None:
    desk(page, playing.tournament)
    page.locator("#fold-steps summary").tap()
    page.get_by_role("button", name="Runde 2 schon auslosen").tap()
    expect(page.locator("#problem .btn.danger")).to_be_visible()
    page.locator("#problem .btn.danger").tap()
    expect(page.locator("h1")).to_contain_text("Runde 2")
    assert playing.tournament.draws.filter(round=2).count() == 1


def test_two_are_swapped_by_two_taps(page: Page, home: House, playing: Round) -> None:
    for table in playing.draw.plan["tables"]:
        assert table["seats"]
    rounds.round_finish(tournament=playing.tournament, author=home.owner, number=1, despite_open=True)
    sign_in_as(page, "owner")
    page.goto(f"/c/roessli/tournaments/{playing.tournament.slug}/desk/draw/")
    page.locator("[data-next]").tap()
    first = page.locator(".drawn-table").nth(0).locator("[data-seat]").nth(0)
    second = page.locator(".drawn-table").nth(1).locator("[data-seat]").nth(0)
    number = second.get_attribute("data-seat")
    first.tap()
    second.tap()
    expect(page.locator(".drawn-table").nth(0).locator("[data-seat]").nth(0)).to_have_attribute(
        "data-seat", number or ""
    )
