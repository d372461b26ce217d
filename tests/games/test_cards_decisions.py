"""What the play of a hand decided, as the page of the hand card by card says it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games.models import Table
from tests.cast import House
from tests.clients import reader
from tests.factories import create_table, enter
from tests.games.test_cards import CALLS, STEPS, WHOLE, page, url

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(home: House) -> Table:
    return create_table(club=home.club, season=home.season, seats=3)


GAVE_AWAY: dict[str, Any] = {
    "deal": {
        "hands": [["Jd", "As", "8s", "6s"], ["Qd", "Ah", "9h", "9s"], ["Kc", "Qc", "Jc", "Tc"]],
        "turned": ["Kd"],
    },
    "calls": CALLS,
    "exchanges": [{"seat": 0}, {"seat": 1}],
    "play": [["Jd", "Qd"], ["Ah", "6s"], ["9h", "8s"], ["9s", "As"]],
}
"""Anna leads her only trump; with the ace of spades first she would have had two tricks."""
FIRST_CARD = STEPS - 7


def through(table: Table, step: int) -> str:
    return page(reader().get(url(table, f"h/1/through/?step={step}"))).split("<main")[1]


def test_the_card_that_decided_is_marked_and_the_one_that_would_have_done_better_is_named(table):
    enter(table, GAVE_AWAY)
    end = through(table, STEPS)
    assert "One card decided this hand." in end
    assert f'href="?step={FIRST_CARD}">Show the card that decided</a>' in end
    assert re.findall(r'step=(\d+)">[^<]*<span class="tag gold">decided', end) == [str(FIRST_CARD)]
    assert "Here Anna gave it away: with ace of spades it would have worked out." in through(table, FIRST_CARD)
    assert "gave it away" not in through(table, FIRST_CARD + 1)
    assert "One card decided" not in through(table, STEPS - 1)


def test_a_joiner_who_could_have_stopped_it_is_named_with_the_cards(table):
    hands = [["Jc", "Ad", "9d", "7s"], ["Ac", "Qc", "8c", "8d"], ["Kh", "Qh", "Jh", "Th"]]
    play = [["Jc", "8c"], ["Ad", "8d"], ["9d", "Qc"], ["Ac", "7s"]]
    enter(table, GAVE_AWAY | {"deal": {"hands": hands, "turned": ["6c"]}, "play": play})
    said = "Here Anna could still be stopped: Beni had to play queen of clubs or ace of clubs."
    assert said in through(table, FIRST_CARD + 1)


def test_a_hand_that_no_card_decided_says_whether_it_could_be_stopped(table):
    enter(table, WHOLE)
    assert "Even with all cards open nobody could have stopped Anna." in through(table, STEPS)
    assert "Show the card that decided" not in through(table, STEPS)
