"""Hands card by card in Chromium: entered by taps, stepped through by keys and swipes, with all pictures loaded."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.models import Revision, Table
from tests.cast import House
from tests.factories import create_table, enter
from tests.games.test_cards import CALLS, DEAL, HANDS, PLAY, STEPS, WHOLE

from .sign_in import sign_in_as

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def table(home: House) -> Table:
    return create_table(club=home.club, season=home.season, seats=3)


@pytest.fixture
def recorder(page: Page, home: House) -> Page:
    sign_in_as(page, "recorder")
    return page


def card(page: Page, name: str) -> Any:
    return page.locator(f'#steps [value="{name}"]')


def sentence(page: Page) -> Any:
    return page.locator(".said").first


@pytest.mark.core
def test_a_hand_is_tapped_in_card_by_card_and_saved(recorder: Page, table: Table) -> None:
    page = recorder
    page.goto(f"/c/roessli/t/{table.pk}/cards/")
    for name, hand in zip(("Anna", "Beni", "Carlo"), HANDS, strict=True):
        expect(sentence(page)).to_contain_text(name)
        for each in hand:
            card(page, each).check()
        page.tap("[data-go]")
    expect(sentence(page)).to_contain_text("aufgedeckt")
    card(page, "9s").tap()
    for seat, word in CALLS:
        expect(sentence(page)).to_contain_text(("Anna", "Beni", "Carlo")[seat])
        card(page, word).tap()
    for name in ("Anna", "Beni"):
        expect(sentence(page)).to_contain_text(name)
        page.tap("[data-go]")
    # The last card of each player needs no tap.
    for trick in PLAY[:3]:
        for each in trick:
            expect(card(page, each)).to_be_visible()
            card(page, each).tap()
    page.locator(".hand-end [value=save]").tap()
    page.wait_for_url(re.compile(r"/h/1/$"))
    assert Revision.objects.get().record["play"] == PLAY


def test_no_more_cards_can_be_ticked_than_the_question_allows(recorder: Page, table: Table) -> None:
    page = recorder
    page.goto(f"/c/roessli/t/{table.pk}/cards/")
    for each in ("As", "Ks", "Qs", "Js", "Ts"):
        card(page, each).tap()
    assert page.locator("#steps [name=answer]:checked").count() == 4
    expect(card(page, "Ts")).not_to_be_checked()


def test_a_greyed_card_shows_the_reason_when_it_is_tapped(recorder: Page, table: Table) -> None:
    page = recorder
    page.goto(f"/c/roessli/t/{table.pk}/cards/")
    for each in HANDS[0]:
        card(page, each).check()
    page.tap("[data-go]")
    page.locator("#steps .no").first.tap()
    expect(page.locator("#why")).to_contain_text("R2")
    page.goto(f"/c/roessli/t/{table.pk}/paste/")
    page.fill("textarea", json.dumps({"deal": DEAL, "calls": CALLS, "play": [["Ah", "9d"]]}))
    page.get_by_role("button").filter(has_text="prüfen").tap()
    expect(page.locator("mark")).to_have_text('"9d"')
    page.locator("[value=go]").tap()
    # Playwright takes a greyed card for one that cannot be tapped.
    card(page, "9d").tap(force=True)
    expect(page.locator("#refused")).to_contain_text("C5.2")


def test_keys_and_swipes_step_through_a_stored_hand(page: Page, table: Table) -> None:
    enter(table, WHOLE)
    page.goto(f"/c/roessli/t/{table.pk}/h/1/through/")
    position = page.locator(".wind .at")
    expect(position).to_have_text(f"4 / {STEPS}")
    page.keyboard.press("ArrowRight")
    expect(position).to_have_text(f"5 / {STEPS}")
    page.keyboard.press("End")
    expect(position).to_have_text(f"{STEPS} / {STEPS}")
    expect(page).to_have_url(re.compile(rf"\?step={STEPS}$"))
    page.keyboard.press("ArrowLeft")
    expect(position).to_have_text(f"{STEPS - 1} / {STEPS}")
    page.keyboard.press("Home")
    expect(position).to_have_text(f"0 / {STEPS}")
    _swipe(page, 300, 60)
    expect(position).to_have_text(f"1 / {STEPS}")
    _swipe(page, 60, 300)
    expect(position).to_have_text(f"0 / {STEPS}")


def test_every_quick_tap_is_a_step(page: Page, table: Table) -> None:
    enter(table, WHOLE)
    page.goto(f"/c/roessli/t/{table.pk}/h/1/through/?step=0")
    page.route(re.compile(r"\?step="), lambda route: (page.wait_for_timeout(150), route.continue_()))
    for _ in range(5):
        page.locator("[data-wind=on]").tap()
    expect(page.locator(".wind")).to_have_attribute("data-step", "5")
    expect(page.locator(".wind .at")).to_have_text(f"5 / {STEPS}")
    page.locator("[data-wind=back]").tap()
    expect(page.locator(".wind")).to_have_attribute("data-step", "4")


def _swipe(page: Page, start: int, end: int) -> None:
    session = page.context.new_cdp_session(page)
    y = 420
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": start, "y": y}]})
    for x in (start + (end - start) // 2, end):
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


def test_every_picture_is_loaded_and_nothing_is_wider_than_the_phone(page: Page, table: Table) -> None:
    enter(table, WHOLE)
    answers: list[int] = []
    page.on("response", lambda answer: answers.append(answer.status) if "/cards/french" in answer.url else None)
    page.goto(f"/c/roessli/t/{table.pk}/h/1/through/?step=10")
    page.wait_for_load_state("networkidle")
    assert answers
    assert set(answers) <= {200, 304}
    drawn = page.locator(".hands-open .playing").first.evaluate("svg => svg.firstElementChild.getBBox().width")
    assert drawn > 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_half_entered_hand_survives_a_reload_and_a_tap_without_an_answer(recorder: Page, table: Table) -> None:
    page = recorder
    page.goto(f"/c/roessli/t/{table.pk}/cards/")
    for each in HANDS[0]:
        card(page, each).check()
    page.tap("[data-go]")
    expect(sentence(page)).to_contain_text("Beni")
    page.context.set_offline(True)
    for each in HANDS[1]:
        card(page, each).check()
    page.tap("[data-go]")
    expect(page.locator("[data-no-answer]")).to_be_visible()
    page.context.set_offline(False)
    page.tap("[data-go]")
    expect(sentence(page)).to_contain_text("Carlo")
    expect(page.locator("[data-no-answer]")).to_be_hidden()
    page.close()
    again = recorder.context.new_page()
    again.goto(f"/c/roessli/t/{table.pk}/cards/")
    expect(sentence(again)).to_contain_text("Carlo")
    # A hand with no step left is removed from the phone.
    again.tap("[data-back]")
    expect(sentence(again)).to_contain_text("Beni")
    again.tap("[data-back]")
    expect(sentence(again)).to_contain_text("Anna")
    again.reload()
    expect(sentence(again)).to_contain_text("Anna")


def test_a_whole_hand_waits_for_its_answer_and_is_stored_once(recorder: Page, table: Table) -> None:
    page = recorder
    page.goto(f"/c/roessli/t/{table.pk}/paste/")
    page.fill("#text", json.dumps(WHOLE))
    page.reload()
    expect(page.locator("#text")).to_have_value(json.dumps(WHOLE))
    page.locator(".paste [type=submit]").tap()

    lost: list[int] = []
    repeated: list[Any] = []
    answering: list[bool] = []

    def lose(route: Any) -> None:
        if answering or "do=save" not in (route.request.post_data or ""):
            route.continue_()
        elif lost:
            repeated.append(route)
        else:
            lost.append(route.fetch(max_redirects=0).status)
            route.abort("internetdisconnected")

    page.route(re.compile("/cards/"), lose)
    page.locator(".hand-end [value=save]").tap()
    # The phone repeats the request by itself: it arrives only after the note was seen.
    expect(page.locator(".waits-note")).to_be_visible()
    assert Revision.objects.count() == len(lost) == 1
    # The route is not removed: Playwright then continues the held requests itself, and refuses to do it twice.
    answering.append(True)
    for route in repeated:
        route.continue_()
    page.wait_for_url(re.compile(r"/h/1/$"))
    assert Revision.objects.get().record["play"] == PLAY
