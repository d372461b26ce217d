"""The line about the pencil on the pages beside the table screen: typing a sheet back, card by card, paste, seating."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.models import Pencil, Table
from league.models import Evening

from .test_table_pencil import anna as anna  # fixtures
from .test_table_pencil import beat
from .test_table_pencil import beni as beni
from .test_table_pencil import table as table
from .test_table_views import text, url

pytestmark = pytest.mark.django_db

PAGES = {"hand-type": "type/", "hand-cards": "cards/", "hand-paste": "paste/", "table-seating": "seating/"}
HAND_PAGES = ["hand-type", "hand-cards", "hand-paste"]


def line(client: Client, table: Table, page: str) -> str:
    """The line on a page."""
    body = text(client.get(url(table, PAGES[page])))
    assert body.count('id="pencil"') == 1
    return body[body.index('id="pencil"') :].split("</header>")[0]


def polled(client: Client, table: Table, page: str) -> str:
    return text(client.get(url(table, f"live/?as={page}")))


def tap(client: Client, table: Table, page: str, act: str, **more: Any) -> str:
    """The line that a tap on it gets back."""
    sent = {"act": act, "page": page} | more
    answer = client.post(url(table, "pencil/"), sent, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    return text(answer)


@pytest.mark.parametrize("page", PAGES)
def test_each_page_beside_the_table_names_the_holder_of_the_pencil(anna, beni, table, page):
    assert "Nobody has the pencil." in line(anna, table, page)
    beat(anna, table)
    assert "You write at this table." in line(anna, table, page)
    assert "data-lost" not in line(anna, table, page)
    seen = line(beni, table, page)
    assert "Recorder writes, since" in seen
    assert "data-lost" in seen
    assert 'value="ask"' in seen
    assert "Recorder writes, since" in polled(beni, table, page)


@pytest.mark.parametrize("page", PAGES)
def test_only_a_page_that_stores_hands_takes_a_free_pencil(anna, table, page):
    """A person on the seating page need not write; the holder keeps the pencil on that page."""
    assert ("data-beat" in line(anna, table, page)) is (page in HAND_PAGES)
    beat(anna, table)
    assert "data-beat" in line(anna, table, page)


@pytest.mark.parametrize("page", PAGES)
def test_the_pencil_is_taken_over_without_leaving_the_page(anna, beni, table, home, page):
    beat(anna, table)
    assert "You write at this table." in tap(beni, table, page, "over")
    assert Pencil.objects.get().holder == home.owner
    assert "Owner writes, since" in polled(anna, table, page)


def test_asking_and_handing_over_without_leaving_the_page(anna, beni, table, home):
    beat(anna, table)
    assert "no longer ask" in tap(beni, table, "hand-type", "ask")
    assert "<b>Owner</b> would like to write." in polled(anna, table, "table-seating")
    assert "Owner writes, since" in tap(anna, table, "table-seating", "give", to=home.owner.pk)
    assert "You write at this table." in polled(beni, table, "hand-type")


def test_a_refusal_is_shown_on_the_page(anna, beni, table, home):
    beat(anna, table)
    assert "You no longer have the pencil." in tap(beni, table, "hand-type", "give", to=home.owner.pk)


@pytest.mark.parametrize("page", PAGES)
def test_without_scripts_a_tap_leads_back_to_the_page(anna, beni, table, page):
    beat(anna, table)
    answer = beni.post(url(table, "pencil/"), {"act": "over", "page": page})
    assert (answer.status_code, answer["Location"]) == (303, url(table, PAGES[page]))
    answer = beni.post(url(table, "pencil/"), {"act": "down", "page": "https://elsewhere.example/"})
    assert answer["Location"] == url(table)
    assert Pencil.objects.exists()


@pytest.mark.parametrize("change", [{"state": Evening.State.CLOSED}, {"dissolved": True}])
@pytest.mark.parametrize("page", PAGES)
def test_nobody_writes_at_a_table_that_has_ended(anna, table, page, change):
    beat(anna, table)
    rows = Evening.objects.filter(pk=table.evening_id) if "state" in change else Table.objects.filter(pk=table.pk)
    rows.update(**change)
    body = text(anna.get(url(table, PAGES[page])))
    assert "data-beat" not in body
    assert "You write at this table." not in body
    assert "data-beat" not in polled(anna, table, page)


def test_an_unchanged_line_is_not_sent_again(anna, beni, table):
    beat(anna, table)
    beni.get(url(table))
    etag = beni.get(url(table, "live/?as=hand-type"))["ETag"]
    seen = {"headers": {"if-none-match": etag}}
    assert beni.get(url(table, "live/?as=hand-type"), **seen).status_code == 304
    tap(beni, table, "hand-type", "over")
    assert beni.get(url(table, "live/?as=hand-type"), **seen).status_code == 200
