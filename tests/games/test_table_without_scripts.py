"""The recording pages of a browser without scripts: their own forms, filled in and sent."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from games.models import Revision, Table
from league.models import Player
from tests.cast import House
from tests.factories import PlayerFactory, create_table
from tests.page_forms import form_with, without_spare_parts

pytestmark = pytest.mark.django_db


def text(answer: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def test_an_evening_is_begun_with_tick_boxes_and_numbers(recorder: Client, home: House) -> None:
    people = {name: PlayerFactory(club=home.club, nickname=name).pk for name in ("Anna", "Beni", "Carlo")}
    form = form_with(recorder.get("/c/roessli/e/new/"), "held_on")
    for place, name in enumerate(("Carlo", "Anna"), start=1):
        form.tick("player", people[name])
        form.fill(f"order-p{people[name]}", place)
    form.fill("guest", "Fritz")
    form.tick("first_dealer", "g#0")
    answer = form.submit(recorder, "Start the evening")
    table = Table.objects.get()
    assert (answer.status_code, answer.url) == (303, f"/c/roessli/t/{table.pk}/")
    places = table.places.order_by("seat").select_related("player")
    assert [place.player.nickname for place in places] == ["Carlo", "Anna", "Fritz"]
    assert table.dealer.nickname == "Fritz"
    assert Player.objects.get(nickname="Fritz").guest


def test_a_checked_hand_of_kratzen_shows_dealer_pot_and_payments_after_the_cuts(recorder: Client, home: House) -> None:
    table = create_table(club=home.club, season=home.season, seats=4, game="kratzen")
    answer = recorder.get(f"/c/roessli/t/{table.pk}/")
    assert "Muss: Doris has the pack, all play." in text(answer)
    form = form_with(answer, "role-0")
    form.fill("cuts", "AxW")
    checked = form.submit(recorder, "Check first")
    assert "Muss: Anna deals, all play. For the cut: Anna 0.20, the others 0.10 each." in text(checked)
    assert "CHF 1.00 in the pot" in text(checked)
    page = without_spare_parts(checked.content.decode())
    marks = re.findall(r'class="who no-js">(<span class="dealer")?', page)
    assert [bool(mark) for mark in marks] == [True, False, False, False]
    sums = [int(re.sub(r"\D", "", each)) for each in re.findall(r"tonight</span> (−[^<]+)</span>", page)]
    assert sums == [30, 20, 20, 30]


def test_a_refused_hand_keeps_every_choice(recorder: Client, home: House) -> None:
    table = create_table(club=home.club, season=home.season, seats=3)
    chosen = {"role-2": "declarer", "role-0": "joiner", "mode": "tricks", "tricks-2": "4", "tricks-0": "2"}
    chosen["blind"] = "blind"
    form = form_with(recorder.get(f"/c/roessli/t/{table.pk}/"), "role-0")
    for name, value in chosen.items():
        form.fill(name, value)
    refused = form.submit(recorder, "Save hand 1")
    assert refused.status_code == 422
    assert "four in all" in text(refused)
    kept = form_with(refused, "role-0")
    assert {name: kept.control(name).value for name in chosen} == chosen
    assert not Revision.objects.exists()
