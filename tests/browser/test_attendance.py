"""Who comes, in a browser: a new evening begins with those who said yes tonight, and one tap ticks nobody."""

from __future__ import annotations

from datetime import time, timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from league.attendance.services import answer_set
from league.features.table import ALL
from league.models import Club, PlannedEvening
from tests.cast import House
from tests.factories import PlayerFactory

from .sign_in import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def order(page: Page) -> list[str]:
    names: list[str] = page.locator("[data-order] > li").evaluate_all("rows => rows.map((row) => row.dataset.name)")
    return names


@pytest.fixture
def coming(home: House) -> list[str]:
    """Two players who said yes to tonight's evening, in the order of the roster."""
    Club.objects.filter(pk=home.club.pk).update(features=list(ALL))
    day = timezone.localdate()
    tonight = PlannedEvening.objects.create(club=home.club, season=home.season, held_on=day, begins_at=time(20))
    for name, answer in (("Anna", "yes"), ("Beni", "no"), ("Carlo", "yes")):
        player = PlayerFactory(club=home.club, nickname=name)
        answer_set(planned=tonight, player=player, answer=answer, actor=None)
    return ["Anna", "Carlo"]


def test_one_tap_ticks_nobody_also_without_a_network(page: Page, coming: list[str]) -> None:
    sign_in(page, "/c/roessli/e/new/")
    assert order(page) == coming
    page.context.set_offline(True)
    page.locator("[data-coming] a").tap()
    expect(page.locator("[data-order] > li")).to_have_count(0)
    expect(page.locator("[data-roster] input:checked")).to_have_count(0)
    page.context.set_offline(False)


def test_a_page_of_yesterday_ticks_nobody(page: Page, coming: list[str]) -> None:
    sign_in(page, "/c/roessli/e/new/")
    assert order(page) == coming
    page.clock.set_fixed_time(timezone.now() + timedelta(days=1))
    page.reload()
    expect(page.locator("[data-order] > li")).to_have_count(0)
    expect(page.locator("[data-coming]")).to_have_count(0)
