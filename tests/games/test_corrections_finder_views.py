"""The page of the difference finder: counted coins, guesses, and the way to their corrections."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.integrity.verify import differences
from tests.cast import House
from tests.factories import FAILED, MADE, PASSED_OUT, WALKOVER
from tests.page_forms import form_with

from .test_corrections_views import fields, played, text_of, url

pytestmark = pytest.mark.django_db


def test_a_guess_links_to_its_correction(recorder: Client, home: House) -> None:
    table = played(home, MADE, FAILED, WALKOVER, FAILED)
    # In fact the last declarer made it and a joiner did not: 1.00 for both in the pot and the next antes.
    where = url(table, "table-difference")
    assert "What was counted" in text_of(recorder.get(where))
    agrees = recorder.get(where, {"pot": "3.00"})
    assert "The coins match" in text_of(agrees)
    answer = recorder.get(where, {"pot": "1.00"})
    guesses = answer.context["guesses"]
    assert 0 < len(guesses) <= 10
    first = next(guess for guess in guesses if guess.url)
    shown = recorder.get(first.url)
    assert shown.status_code == 200, text_of(shown)
    saved = recorder.post(first.url.split("?")[0], fields(shown) | {"step": "save"})
    assert saved.status_code == 303
    assert "The coins match" in text_of(recorder.get(where, {"pot": "1.00"}))


def test_the_form_of_the_finder_leads_to_the_wrong_hand(recorder: Client, home: House) -> None:
    table = played(home, MADE, FAILED, PASSED_OUT)
    # In truth everybody made it in hand 2: the pot has two antes of five and those of the next hand.
    form = form_with(recorder.get(url(table, "table-difference")), "pot")
    form.fill("pot", "2.00")
    answer = form.submit(recorder, "Find the difference")
    link = re.findall(r'class="guess" href="([^"]+)"', answer.content.decode())[0].replace("&amp;", "&")
    assert form_with(recorder.get(link), "seen").submit(recorder, "Correct hand 2").status_code == 303
    assert list(differences()) == []
    assert 'class="guesses"' not in form.submit(recorder, "Find the difference").content.decode()


def test_a_missing_ante_has_nothing_to_correct(recorder: Client, home: House) -> None:
    table = played(home, MADE)
    page = text_of(recorder.get(url(table, "table-difference"), {"pot": "0.80"}))
    assert "Antes of CHF 0.20 are missing. The record is right" in page


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"pot": "x"}, "Write an amount like 4.20."),
        ({"pot": "-1"}, "nothing below 0"),
        ({"antes": "1"}, "Say what is in the pot"),
        ({"gain": "1", "player": "999999"}, "Say what is in the pot"),
        ({"pot": "999999999.99"}, "No single mistake explains it"),
    ],
)
def test_impossible_counts_are_refused(recorder: Client, home: House, sent: dict[str, str], sentence: str) -> None:
    table = played(home, MADE)
    assert sentence in text_of(recorder.get(url(table, "table-difference"), sent))


def test_an_empty_table_has_its_antes(recorder: Client, home: House) -> None:
    table = played(home)
    assert "The coins match" in text_of(recorder.get(url(table, "table-difference"), {"pot": "1.00"}))
    assert recorder.get(url(table, "table-difference"), {"pot": "0.80"}).status_code == 200
