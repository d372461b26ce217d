"""The pot: every page counts the antes of the next hand, and the sums of tonight add up with it."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from games.closing.last_hands import last_hand
from games.hands.selectors import table_view
from games.models import Table
from games.seating.changes import Arrive
from league.models import Season, User
from tests.cast import House
from tests.clients import reader
from tests.factories import FAILED, MADE, MUSS, PlayerFactory, create_table, enter
from tests.games.test_seating import do, who
from tests.page_forms import without_spare_parts

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(home: House) -> Table:
    return create_table(season=home.season, club=home.club, held_on=timezone.localdate())


def read(person: User, name: str, **where: int | str) -> str:
    answer = reader(person).get(reverse(name, kwargs=where))
    assert answer.status_code == 200
    return answer.content.decode()


def rappen(text: str) -> int:
    return int(re.sub(r"[^0-9−]", "", text).replace("−", "-"))


def tonight(page: str) -> list[int]:
    """The sums beside the names of a table."""
    return [rappen(text) for text in re.findall(r"tonight</span>([^<]*)</span>", without_spare_parts(page))]


def in_pot(page: str) -> int:
    """The pot above the seats of a table."""
    match = re.search(r'class="pot num">(.*?)</span><span class="soft">(?:<button[^>]*>)?(?:were )?in the pot', page)
    assert match
    return rappen(re.sub(r"<[^>]+>", "", match[1]))


def pages(table: Table, home: House) -> dict[str, str]:
    """The pages that name the pot of a running table."""
    arguments = {"club": home.club.slug, "table": table.pk}
    return {
        "table": read(home.recorder, "table", **arguments),
        "live": read(home.owner, "table-live", **arguments),
        "seating": read(home.recorder, "table-seating", **arguments),
        "evening": read(home.treasurer, "evening", club=home.club.slug, evening=table.evening_id),
    }


@pytest.mark.parametrize(
    ("game", "record", "pot"), [("chratze", MADE, 100), ("chratze", FAILED, 300), ("kratzen", MUSS, 110)]
)
def test_every_page_names_the_same_pot(home, game, record, pot):
    seats = 4 if game == "kratzen" else 5
    table = create_table(season=home.season, club=home.club, held_on=timezone.localdate(), game=game, seats=seats)
    enter(table, record)
    shown = pages(table, home)
    assert in_pot(shown["table"]) == in_pot(shown["live"]) == pot
    for name in ("seating", "evening"):
        assert f"CHF\xa0{pot / 100:.2f} in the pot" in shown[name], name


def test_the_sums_of_tonight_and_the_pot_add_up(table, home):
    enter(table, FAILED)
    shown = pages(table, home)
    for name in ("table", "live"):
        assert tonight(shown[name]) == [-240, 10, 10, -40, -40], name
        assert sum(tonight(shown[name])) + in_pot(shown[name]) == 0


def test_a_hand_that_is_corrected_is_shown_with_its_antes(table, home):
    enter(table, FAILED)
    page = read(home.recorder, "hand-edit", club=home.club.slug, table=table.pk, number=1)
    assert (in_pot(page), tonight(page)) == (100, [-20] * 5)


def test_the_evening_counts_the_ante_of_a_player_without_a_hand(table, home):
    enter(table, FAILED)
    do(table, Arrive(PlayerFactory(club=home.club, nickname="Fritz").pk, who(table)["Emil"]))
    page = pages(table, home)["evening"]
    assert "CHF\xa03.20 in the pot" in page
    assert re.search(r"Fritz</a>.*?−CHF\xa00\.20", page, re.DOTALL)


def test_nobody_has_paid_an_ante_after_the_last_hand_for_all(table, home):
    enter(table, FAILED)
    last_hand(evening=table.evening, author=None, key=uuid.uuid4())
    table.refresh_from_db()
    assert table_view(table).pot_minor == 300
    enter(table, MADE)
    table.refresh_from_db()
    shown = pages(table, home)
    assert in_pot(shown["table"]) == table.pot_minor == 0
    assert sum(tonight(shown["table"])) == 0
    for name in ("seating", "evening"):
        assert "CHF\xa00.00 in the pot" in shown[name], name


def test_a_closed_evening_shows_the_sums_without_antes(table, home):
    enter(table, MADE)
    evening = table.evening
    evening.held_on = timezone.localdate() - timedelta(days=9)
    evening.state = evening.State.CLOSED
    evening.save()
    page = read(home.treasurer, "evening", club=home.club.slug, evening=table.evening_id)
    assert "in the pot" not in page
    assert "+0.60" in page
    assert "+0.40" not in page


def test_a_reader_without_amounts_costs_no_query_for_antes(table, home, django_assert_max_num_queries):
    enter(table, MADE)
    Season.objects.update(ranking=Season.Ranking.POINTS)
    with django_assert_max_num_queries(9):
        page = reader().get(reverse("evening", kwargs={"club": home.club.slug, "evening": table.evening_id}))
    assert "in the pot" not in page.content.decode()


def test_the_preview_of_a_change_names_the_pot_without_antes(table, home):
    enter(table, FAILED)
    player = table.places.get(seat=1).player_id
    where = reverse("table-seating", kwargs={"club": home.club.slug, "table": table.pk})
    page = reader(home.recorder).get(f"{where}?do=leave&player={player}").content.decode()
    assert "Pot without antes" in page
    assert "It holds CHF\xa02.00, as before." in page
