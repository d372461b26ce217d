"""The way from a pasted list to the first round, counted in taps and requests, through the forms of the pages."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urljoin

import pytest
from django.test import Client

from league.models import Entrant, Round, Tournament
from league.tournaments import quick_start
from league.tournaments.pasted_list import people_in
from tests.cast import Cast
from tests.page_forms import PageForm, form_with, page_forms
from tests.tournaments.desk_pages import Desk

pytestmark = pytest.mark.django_db

LIST = "Name\tVerein\tTeam\n" + "\n".join(f"Guest {n}\tClub {n % 5}\t" for n in range(1, 38))
MOST_TAPS, MOST_REQUESTS = 10, 10
"""A form for each club and each check-in took 146 requests and 6 to 8 minutes by hand."""


class Hand:
    """A person at a browser without scripts. Counts taps (a link, a field, a paste, a tick, a button) and requests."""

    def __init__(self, client: Client, address: str) -> None:
        self.client = client
        self.taps = self.requests = 0
        self._load(self.client.get(address), address)
        self.taps = 0

    def _load(self, answer: Any, address: str) -> None:
        self.requests += 1
        while answer.status_code in (302, 303):
            address = urljoin(address, answer.headers["Location"])
            answer = self.client.get(address)
            self.requests += 1
        assert answer.status_code == 200, (address, answer.status_code)
        self.address, self.answer = address, answer

    def follow(self, text: str) -> None:
        links = re.findall(r'<a [^>]*href="([^"]+)"[^>]*>\s*([^<]*)', self.answer.content.decode())
        (href,) = {href for href, shown in links if shown.strip() == text}
        self.taps += 1
        self._load(self.client.get(href), href)

    def form_with(self, button: str) -> PageForm:
        return next(
            page_form for page_form in page_forms(self.answer) if any(button in each.text for each in page_form.buttons)
        )

    def press(self, button: str, form: PageForm | None = None) -> None:
        self.taps += 1
        self._load((form or self.form_with(button)).submit(self.client, button), self.address)


def test_a_pasted_list_becomes_the_first_round_in_a_dozen_taps(people: Cast):
    client = Client(headers={"accept-language": "en"})
    client.force_login(people.home.owner)
    hand = Hand(client, "/c/roessli/tournaments/")
    hand.follow("New tournament")
    form = hand.form_with("Create")
    form.fill("name", "Klausturnier")
    form.fill("names", LIST)
    form.tick("here", "on")
    form.tick("names_shown", "on")
    hand.taps += 1 + 2 + 1 + 1  # the name; the list and the paste; two ticks
    hand.press("Create", form)
    hand.press("Draw round 1")
    hand.press("Publish")
    hand.press("Start round 1")
    current = Round.objects.get(tournament__slug="klausturnier")
    assert current.state == Round.State.PLAYING
    assert sum(len(table["seats"]) for table in current.draw.plan["tables"]) == 37
    for table in current.draw.plan["tables"]:
        clubs = [number % 5 for number in table["seats"]]
        assert len(set(clubs)) == len(clubs), "the clubs of the list are kept apart"
    assert Entrant.objects.get(number=6).labels == ["Club 1"]
    assert hand.taps <= MOST_TAPS
    assert hand.requests <= MOST_REQUESTS


def test_people_who_were_entered_before_the_evening_are_checked_in_by_one_tap(people: Cast):
    desk = Desk(people)
    desk.create()
    desk.enter(here=False)
    desk.post("tournament-check-in", {"who": "Anna"})
    page = desk.get()
    assert "All of them are here" in page
    desk.post("tournament-check-in", {"everybody": "yes"})
    here = Entrant.objects.exclude(checked_in_at=None)
    assert here.count() == 8
    (moment,) = re.findall(r'name="everybody" value="([^"]+)"', desk.get())
    desk.post("tournament-check-in", {"everybody": moment, "away": "1"})
    assert [entrant.player.nickname for entrant in here] == ["Anna"], "who was checked in before stays"
    desk.post("tournament-check-in", {"everybody": "yesterday", "away": "1"}, status=422)
    desk.post("tournament-check-in", {"everybody": "yes"})
    desk.publish()
    desk.post("tournament-check-in", {"everybody": "yes"}, status=409)


def test_a_list_that_is_refused_leaves_no_tournament_and_stays_in_the_form(people: Cast):
    client = Client(headers={"accept-language": "en"})
    client.force_login(people.home.owner)
    form = form_with(client.get("/c/roessli/tournaments/new/"), "names")
    form.fill("name", "Klausturnier")
    form.fill("names", "Anna\nBeni\nanna")
    answer = form.submit(client, "Create")
    assert answer.status_code == 409
    assert "Beni\nanna" in answer.content.decode().replace("\r", "")
    assert not Tournament.objects.filter(slug="klausturnier").exists()
    form.fill("names", "Anna\nBeni\nCarlo")
    assert [form.submit(client, "Create").status_code for _time in range(2)] == [303, 303]
    assert Entrant.objects.filter(tournament__slug="klausturnier").count() == 3, "sent twice, stored once"
    assert quick_start.Tournament.objects.filter(slug__startswith="klausturnier").count() == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Anna\nBeni, Carla\n", [("Anna", (), ""), ("Beni", (), ""), ("Carla", (), "")]),
        ("Anna; Beni; Carla", [("Anna", (), ""), ("Beni", (), ""), ("Carla", (), "")]),
        ("1. Anna\n2) Beni", [("Anna", (), ""), ("Beni", (), "")]),
        ("Anna\tBern\tEck\nBeni\n\n", [("Anna", ("Bern",), "Eck"), ("Beni", (), "")]),
        ("Anna;Bern, Thun\r\nBeni;;Eck", [("Anna", ("Bern", "Thun"), ""), ("Beni", (), "Eck")]),
        ("Nr;Vorname;Nachname;Verein\n1;Anna;Graf;Bern\n2;Beni;;", [("Anna Graf", ("Bern",), ""), ("Beni", (), "")]),
        ("Team\tName\tMail\nEck\tAnna\ta@b.ch", [("Anna", (), "Eck")]),
        ("\n ;\n", []),
    ],
)
def test_columns_of_a_pasted_list(text, expected):
    assert [(person.nickname, person.labels, person.team) for person in people_in(text)] == expected
