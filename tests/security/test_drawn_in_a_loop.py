"""Pictures, PDFs and chances that are asked for in a loop: a person, an address and a club each get a bounded work."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.chances import services as chances
from league.config import celery
from league.standings.counting import count_season
from league.web import drawn_limits
from tests.cast import House
from tests.clients import reader
from tests.factories import MADE, UserFactory, create_table, enter
from tests.screens.pdfs import PDFS

from .addresses import every_address

pytestmark = [pytest.mark.django_db, pytest.mark.rest]

LIMITS = {"person": 4, "address": 3, "club": 6}
MANY = 12


@pytest.fixture
def home(people: Any, settings: Any, monkeypatch: pytest.MonkeyPatch) -> House:
    settings.DRAWN_LIMITS = LIMITS
    monkeypatch.setattr(drawn_limits, "SECONDS", 3600)
    enter(create_table(club=people.home.club, season=people.home.season), MADE)
    house: House = people.home
    return house


def statuses(client: Client, url: str, times: int = MANY, **more: Any) -> list[int]:
    """Ask for an address with another parameter each time, as whoever wants to pass a cache does."""
    mark = "&" if "?" in url else "?"
    return [client.get(f"{url}{mark}x={nth}", **more).status_code for nth in range(times)]


def season(home: House, name: str) -> str:
    return reverse(name, kwargs={"club": home.club.slug, "season": home.season.slug})


def test_every_address_that_draws_is_limited() -> None:
    pictures = {
        address.name
        for address in every_address()
        if re.search(r"(picture\.png|\.pdf)$", address.path) and "admin" not in address.name
    }
    pdfs = {pdf.route for pdf in PDFS if "for=pdf" not in pdf.address}
    assert pictures | pdfs <= drawn_limits.DRAWN
    assert {address.name for address in every_address()} >= drawn_limits.DRAWN


@pytest.mark.parametrize("name", ["season-picture", "statistics-picture", "champions-picture"])
def test_a_visitor_gets_few_new_pictures(home: House, name: str) -> None:
    got = statuses(Client(), season(home, name))
    assert (got.count(200), got[-1]) == (LIMITS["address"], 429)


def test_a_refusal_says_so_and_when_to_try_again(home: House) -> None:
    url = season(home, "season-report") + "?for=pdf"
    statuses(Client(), url)
    refused = Client().get(url, headers={"accept-language": "en"})
    assert refused.status_code == 429
    assert refused["Retry-After"] == str(drawn_limits.SECONDS)
    assert "Try again in a minute" in refused.content.decode()


def test_a_kept_picture_and_other_pages_do_not_count(home: House) -> None:
    picture = season(home, "season-picture")
    assert {Client().get(picture).status_code for _nth in range(MANY)} == {200}
    statuses(Client(), picture)
    assert Client().get(season(home, "season-standings")).status_code == 200


def test_another_address_is_counted_apart_until_the_club_has_its_limit(home: House) -> None:
    url = season(home, "season-picture")
    got = [status for last in (1, 2, 3) for status in statuses(Client(), url, REMOTE_ADDR=f"192.0.2.{last}")]
    assert got.count(200) == LIMITS["club"]
    # The club's own people still get theirs, up to a limit of their own.
    owner = statuses(reader(home.owner), url)
    assert owner.count(200) == LIMITS["person"]
    others = [status for _nth in range(3) for status in statuses(reader(UserFactory()), url)]
    assert owner.count(200) + others.count(200) == LIMITS["club"]


def test_a_made_up_authorization_opens_no_further_limit(home: House) -> None:
    url = season(home, "season-picture")
    got = [Client().get(f"{url}?x={n}", headers={"authorization": f"Bearer {n}"}).status_code for n in range(MANY)]
    assert got.count(200) == LIMITS["address"]


def test_a_forged_address_opens_no_further_limit(home: House) -> None:
    url = season(home, "season-picture")
    got = [
        Client().get(f"{url}?x={n}", headers={"x-forwarded-for": f"198.51.100.{n}"}).status_code for n in range(MANY)
    ]
    assert got.count(200) == LIMITS["address"]


def test_chances_in_a_loop_wake_one_worker(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    count_season(home.season.pk)
    woken: list[int] = []
    monkeypatch.setattr(celery, "wake", lambda task, *args: task != chances.TASK or bool(woken.append(1)) or True)
    urls = [season(home, name) for name in ("season-chances", "season-chances-live")]
    urls.append(f"/api/v1/clubs/{home.club.slug}/seasons/{home.season.slug}/chances")
    for client in (Client(), reader(home.owner), Client()):
        for url in urls:
            statuses(client, url)
    assert len(woken) == 1
