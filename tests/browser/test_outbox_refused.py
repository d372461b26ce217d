"""Hands that the server refused: changed in place, shown beside those of another phone, or discarded."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from games.integrity.verify import differences
from games.models import Hand, Place, Revision, Table
from games.table import pencil
from tests.cast import House
from tests.factories import MADE, enter

from .outbox_steps import (
    NIGHT,
    at,
    back_on_the_network,
    enter_hand,
    kept,
    line,
    nothing_kept,
    save_without_network,
    saved_by_an_older_version,
)
from .outbox_steps import expected as expected  # a fixture
from .sign_in import sign_in
from .test_evening import Screen

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_refused_hand_stays_until_it_is_corrected(page: Page, phone: BrowserContext, table: Table) -> None:
    """The seating changed while the hand waited: every page shows the reason and the hand."""
    sign_in(page, at(table))
    save_without_network(page, phone, 0, 1)
    # Before the page is left: Chromium may let a page that is left send once more.
    first, second = Place.objects.filter(table=table).order_by("seat")[:2]
    Place.objects.filter(pk=first.pk).update(seat=6)
    Place.objects.filter(pk=second.pk).update(seat=0)
    Place.objects.filter(pk=first.pk).update(seat=1)
    page.goto("about:blank")
    phone.set_offline(False)
    page.goto("/c/roessli/")
    expect(line(page)).to_have_class(re.compile("bad"))
    assert not Hand.objects.exists()
    page.reload()
    line(page).locator("button").tap()
    expect(page.locator("#outbox-list [data-summary]")).to_have_text("Anna chratzt ✓, Beni metcho ✓")
    expect(page.locator("#outbox-list [data-why]")).to_contain_text(re.compile("seating|Sitzordnung"))
    page.locator("#outbox-list [data-look]").tap()
    page.wait_for_url(re.compile(r"/t/\d+/"))
    # The entry was adapted to the new seats of its players, and is kept so.
    expect(page.locator("#changed")).to_contain_text(re.compile("seating|Sitzordnung"))
    screen = Screen(page)
    page.reload()
    expect(page.locator("[data-role]").first).to_have_text("metcho")
    assert screen.roles() == ["metcho", "chratzt", "", "", ""]
    screen.save()
    nothing_kept(page)
    assert Revision.objects.get().record["declarer"] == 1


def test_a_hand_whose_number_is_taken_leads_to_both_stories(
    page: Page, phone: BrowserContext, table: Table, home: House
) -> None:
    sign_in(page, at(table))
    save_without_network(page, phone, 2, 1)
    enter(table, MADE, author=home.owner)
    phone.set_offline(False)
    expect(page.locator("#waiting")).to_have_class(re.compile("bad"))
    assert [item["status"] for item in kept(page)] == ["refused"], "the hand must be kept until somebody has chosen"
    page.locator("#waiting").tap()
    both = page.locator("#waiting-list [data-stories]")
    expect(both).to_be_visible()
    assert (both.get_attribute("href") or "").endswith("/stories/?from=1")
    assert Hand.objects.count() == 1


@pytest.mark.core
def test_a_refused_hand_is_changed_in_place_and_gets_a_new_key(page: Page, phone: BrowserContext, table: Table) -> None:
    """The rules of the phone and of the server differ: the server decides, and its sentence is shown."""
    sign_in(page, at(table))
    screen = enter_hand(page, 0, 1)
    page.route(NIGHT, lambda route: route.fulfill(status=422, json=refusal("R3", "made")))
    page.locator("[data-save]").tap()
    expect(screen.preview().locator("[data-refused]")).to_contain_text("R3")
    expect(screen.preview()).to_contain_text("Der Server sagt nein.")
    for seat in (0, 1):
        expect(page.locator(f'[data-seat="{seat}"]')).to_have_class(re.compile("marked"))
    expect(page.locator("[data-save]")).to_have_attribute("aria-disabled", "true")
    (refused,) = kept(page)
    assert refused["status"] == "refused"
    expect(line(page)).to_be_hidden()
    page.unroute_all()
    screen.tap(2)
    expect(page.locator('[data-seat="0"]')).not_to_have_class(re.compile("marked"))
    page.locator("[data-save]").tap()
    page.wait_for_url(re.compile(r"/h/1/$"))
    nothing_kept(page)
    assert str(Revision.objects.get().submission.key) != refused["key"]


def refusal(clause: str, place: str) -> dict[str, Any]:
    """The server's answer to a write that it refuses."""
    said = {"code": clause, "sentence": "Der Server sagt nein.", "clause": clause, "at": place, "details": {}}
    return {"refused": said, "snapshot": None, "stories": None, "final_on": None}


def test_a_form_whose_number_is_taken_can_become_the_next_hand(
    page: Page, phone: BrowserContext, table: Table, home: House
) -> None:
    sign_in(page, at(table))
    saved_by_an_older_version(page, phone, 2, 1)
    enter(table, MADE, author=home.owner)
    back_on_the_network(page, phone)
    expect(page.locator(".versus")).to_contain_text("Carlo")
    assert [item["status"] for item in kept(page)] == ["refused"]
    page.locator("[data-again]").tap()
    expect(page.locator("#hand")).to_have_attribute("data-number", "2")
    expect(page.locator("[data-role]").nth(1)).to_have_text("metcho")
    screen = Screen(page)
    assert screen.roles() == ["", "metcho", "chratzt", "", ""]
    screen.save()
    nothing_kept(page)
    assert Hand.objects.count() == 2
    assert list(differences()) == []


def test_a_form_under_a_new_number_waits_for_the_pencil(
    page: Page, phone: BrowserContext, table: Table, home: House
) -> None:
    """It is kept under its new number until the holder of the pencil saves it, or until it is discarded."""
    sign_in(page, at(table))
    saved_by_an_older_version(page, phone, 2, 1)
    (before,) = kept(page)
    enter(table, MADE, author=home.owner)
    pencil.take_over(table, home.owner, "elsewhere")
    back_on_the_network(page, phone)
    page.locator("[data-again]").tap()
    expect(page.locator("#live")).to_be_visible()
    expect(line(page)).to_contain_text(re.compile("2.*(pencil|Bleistift)"))
    (item,) = kept(page)
    assert (item["number"], item["status"], item["summary"]) == (2, "held", before["summary"])
    assert item["key"] != before["key"]
    page.evaluate("window.dispatchEvent(new Event('online'))")
    page.reload()
    line(page).locator("button").tap()
    expect(page.locator("#outbox-list [data-why]")).to_contain_text(re.compile("pencil|Bleistift"))
    page.locator("#outbox-list [popovertargetaction=hide]").tap()
    assert Hand.objects.count() == 1, "it went out by itself"
    page.locator(".halves [popovertarget=take-over]").tap()
    page.locator("#take-over [value=over]").tap()
    expect(page.locator("[data-role]").nth(1)).to_have_text("metcho")
    screen = Screen(page)
    assert screen.roles() == ["", "metcho", "chratzt", "", ""]
    screen.save()
    nothing_kept(page)
    assert Revision.objects.get(hand__number=2).submission.key == uuid.UUID(item["key"])
    assert list(differences()) == []
