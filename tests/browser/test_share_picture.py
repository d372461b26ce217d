"""The picture of a screen of the year: the share sheet gets it as a file; a browser without one saves it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page

from league.models import Club
from league.standings.counting import count_season
from tests.cast import House
from tests.factories import MADE, SeasonFactory, create_table, enter
from tests.processes import wait_until

from .sign_in import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SHARE_SHEET = """() => {
  navigator.canShare = ({ files }) => files.length === 1;
  navigator.share = async ({ files: [file] }) => {
    const head = new Uint8Array(await file.slice(1, 4).arrayBuffer());
    window.shared = [file.name, file.type, String.fromCharCode(...head)];
  };
}"""
NAME = "roessli-2025-1.png"


@pytest.fixture
def year(page: Page, home: House) -> Page:
    """The page of a club's year."""
    assert timezone.localdate() > date(2025, 12, 1)
    season = SeasonFactory(club=Club.objects.get(pk=home.club.pk), slug="then", starts_on=date(2024, 8, 1))
    enter(create_table(club=home.club, season=season, held_on=date(2025, 3, 7)), MADE)
    count_season(season.pk)
    sign_in(page, "/c/roessli/year/2025/", "member")
    return page


def test_without_a_share_sheet_the_picture_is_saved(year: Page) -> None:
    with year.expect_download() as saved:
        year.locator("#screen-1 .picture").tap()
    assert saved.value.suggested_filename == NAME
    assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")
    assert year.url.endswith("/c/roessli/year/2025/")


def test_the_share_sheet_gets_the_picture_as_a_file(year: Page) -> None:
    year.evaluate(SHARE_SHEET)
    year.locator("#screen-1 .picture").tap()
    wait_until(lambda: bool(year.evaluate("window.shared")), 10, "the share sheet is open")
    assert year.evaluate("window.shared") == [NAME, "image/png", "PNG"]
