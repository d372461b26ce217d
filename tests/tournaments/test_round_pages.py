"""The pages of a round's tables: chips without a currency, the draw's seats, the number of hands, and the way back."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from games import engine_bridge
from games.closing.cash_outs import cash_out
from games.closing.receipts import token_for
from games.corrections.edits import PutIn, Reseat, TakeOut
from games.corrections.services import correct
from games.errors import Refused
from games.models import Table
from games.seating.changes import Leave
from games.seating.services import carry_out
from league.models import Club, Evening, Receipt, Round, Tournament
from league.money import format_money, show_chips, show_francs
from tests.api.api_client import ApiClient, is_problem, key_for
from tests.cast import House
from tests.clients import reader
from tests.factories import FAILED, MADE, PASSED_OUT, create_table, enter, void
from tests.tournaments.rounds import (
    close,
    create_round,
    create_tournament,
    entrants_of,
    hand_in,
    reopen,
    table_of,
)

pytestmark = [pytest.mark.django_db]

AMOUNT_IN_MONEY = re.compile(r"\d\.\d\d\b|CHF|Fr\.")


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Services speak the language that is active; these tests read English."""
    with translation.override("en"):
        yield


@pytest.fixture
def played(home: House) -> Round:
    """A round of two hands a table with a table of five that has played one."""
    tournament = create_tournament(home.club, hands=2)
    entrants_of(tournament, 9)
    current = create_round(tournament, {1: (1, 2, 3, 4, 5), 2: (6, 7, 8, 9)})
    enter(table_of(current), FAILED)
    return current


def page(client: Client, name: str, current: Round, **more: Any) -> str:
    """Return the text of a page about the first table, or about the round."""
    table = table_of(current)
    whose = {"evening": current.evening_id} if name.startswith(("evening", "receipts")) else {"table": table.pk}
    answer = client.get(reverse(name, kwargs={"club": current.tournament.club.slug, **whose, **more}))
    assert answer.status_code == 200
    return str(answer.content.decode())


def main_of(text: str) -> str:
    return text[text.index("<main") : text.index("</main>")]


def shown(text: str) -> str:
    """Return the visible text of a page: without scripts, tags and attributes."""
    return re.sub(r"<[^>]+>", " ", re.sub(r"<(script|style)\b.*?</\1>", " ", main_of(text), flags=re.DOTALL))


PAGES = (("table", {}), ("hand-paid", {"number": 1}), ("hand-edit", {"number": 1}), ("evening", {}))


@pytest.mark.parametrize(("name", "more"), PAGES)
def test_amounts_are_whole_chips_without_a_currency(home, played, name, more):
    text = shown(page(reader(home.recorder), name, played, **more))
    assert re.search(r"[+−]\d", text)
    assert not AMOUNT_IN_MONEY.search(text)


@pytest.mark.parametrize(("name", "more"), PAGES)
def test_an_evening_in_money_has_amounts_in_money(home, played, name, more):
    """The twin: the same pages of an evening after a page in chips."""
    page(reader(home.recorder), name, played, **more)
    Club.objects.filter(pk=home.club.pk).update(publishes_money=True)
    season = home.season
    season.ranking = "balance"
    season.save()
    table = create_table(club=home.club, season=season)
    enter(table, FAILED)
    whose = {"evening": table.evening_id} if name == "evening" else {"table": table.pk}
    answer = reader(home.owner).get(reverse(name, kwargs={"club": home.club.slug, **whose, **more}))
    assert AMOUNT_IN_MONEY.search(shown(answer.content.decode()))


def test_each_request_begins_with_francs(client):
    show_chips()
    try:
        assert (format_money(120), format_money(-1200, plus="+")) == ("120", "−1’200")
        client.get(reverse("home"))
        assert format_money(120) == "1.20"
    finally:
        show_francs()


def test_the_table_names_tournament_round_and_table_and_leads_back(home, played):
    text = page(reader(home.recorder), "table", played)
    heading = re.sub(r"<[^>]+>", " ", text[text.index("<h1>") : text.index("</h1>")])
    assert heading.split() == ["Klausturnier", "Round", "1", "Table", "1"]
    assert played.tournament.get_absolute_url() in text
    for route in ("season", "evening-close", "table-seating"):
        named = {"season": played.tournament.season.slug} if route == "season" else {}
        named |= {"evening": played.evening_id} if route == "evening-close" else {}
        named |= {"table": table_of(played).pk} if route == "table-seating" else {}
        assert f'href="{reverse(route, kwargs={"club": home.club.slug, **named})}' not in text


def test_the_page_of_a_round_leads_back_to_the_tournament(home, played):
    for client in (reader(home.recorder), reader()):
        text = page(client, "evening", played)
        assert played.tournament.get_absolute_url() in text
        assert "Round 1" in text
        assert "Evening" not in shown(text)
        assert reverse("evening-close", kwargs={"club": home.club.slug, "evening": played.evening_id}) not in text


def test_the_page_that_closes_an_evening_leads_to_the_tournament(home, played):
    where = reverse("evening-close", kwargs={"club": home.club.slug, "evening": played.evening_id})
    answer = reader(home.owner).get(where)
    assert (answer.status_code, answer["Location"]) == (302, played.tournament.get_absolute_url())
    key = str(engine_bridge.new_key())
    refused = reader(home.owner).post(where, {"key": key, "pot": "carry", "settling": ""})
    assert refused.status_code in (409, 422)
    assert Round.objects.get().evening.state == "open"


# --- The number of hands -----------------------------------------------------------------------------------


def test_the_table_takes_as_many_hands_as_the_format_says(home, played):
    enter(table_of(played), MADE)
    with pytest.raises(Refused) as refused:
        enter(table_of(played), MADE)
    assert (refused.value.status, refused.value.code) == (409, "hands")
    assert "all 2 hands" in refused.value.sentence
    text = page(reader(home.recorder), "table", played)
    assert "This table has played all 2 hands of this round." in text
    assert 'id="hand"' not in text
    assert "Undo" in text
    void(table_of(played))
    assert 'id="hand"' in page(reader(home.recorder), "table", played)
    enter(table_of(played), PASSED_OUT)


def test_without_a_limit_the_table_takes_more(home):
    tournament = create_tournament(home.club, hands=0, minutes=20)
    entrants_of(tournament, 5)
    current = create_round(tournament, {1: (1, 2, 3, 4, 5)})
    for _hand in range(4):
        enter(table_of(current), PASSED_OUT)
    assert table_of(current).hands == 4


def test_the_final_has_its_own_number_of_hands(home):
    tournament = create_tournament(home.club, hands=2, final_places=5, final_hands=3)
    entrants_of(tournament, 5)
    current = create_round(tournament, {1: (1, 2, 3, 4, 5)})
    Round.objects.filter(pk=current.pk).update(final=True)
    for _hand in range(3):
        enter(table_of(current), PASSED_OUT)
    with pytest.raises(Refused):
        enter(table_of(current), PASSED_OUT)
    assert "Final" in page(reader(home.recorder), "table", current)


def test_after_the_last_hand_nobody_puts_in_an_ante(home, played):
    enter(table_of(played), PASSED_OUT)
    pot = table_of(played).pot_minor
    text = shown(page(reader(home.recorder), "hand-paid", played, number=2))
    assert f" {pot} " in text
    assert "the last hand of this round at this table" in text
    assert f"{pot + 100} " not in text


def test_a_correction_adds_no_hand_beyond_the_number(home, played):
    enter(table_of(played), MADE)
    table = table_of(played)
    players = tuple(table.places.order_by("seat").values_list("player_id", flat=True))
    with pytest.raises(Refused) as refused:
        correct(table=table, edit=PutIn(1, players=players, sent=PASSED_OUT), author=None, key=uuid.uuid4())
    assert refused.value.code == "hands"


# --- Seating -----------------------------------------------------------------------------------------------


def test_nobody_comes_or_leaves_between_two_hands(home, played):
    table = table_of(played)
    leaves = Leave(player_id=table.places.order_by("seat")[0].player_id)
    with pytest.raises(Refused) as refused:
        carry_out(table=table, change=leaves, author=None, key=uuid.uuid4())
    assert (refused.value.status, refused.value.code) == (409, "round")
    assert "the draw says" in refused.value.sentence
    assert table.places.count() == 5
    text = shown(page(reader(home.recorder), "table-seating", played))
    assert "The draw says who sits where." in text


def test_a_correction_puts_nobody_else_on_a_seat(home, played):
    stranger = played.tournament.entrants.get(number=6).player_id
    sat = table_of(played).places.order_by("seat").values_list("player_id", flat=True)[0]
    edit = Reseat(1, last=1, who=((sat, stranger),))
    with pytest.raises(Refused) as refused:
        correct(table=table_of(played), edit=edit, author=None, key=uuid.uuid4())
    assert refused.value.code == "round"


# --- The last round before the prize giving ------------------------------------------------------------------


def test_a_hidden_last_round_is_shown_to_recorders_alone(home):
    tournament = create_tournament(home.club, rounds=1, hide_last=True)
    entrants_of(tournament, 5)
    current = create_round(tournament, {1: (1, 2, 3, 4, 5)})
    enter(table_of(current), MADE)
    close(current)
    where = reverse("evening", kwargs={"club": home.club.slug, "evening": current.evening_id})
    history = reverse("hand-history", kwargs={"club": home.club.slug, "table": table_of(current).pk, "number": 1})
    assert reader(home.recorder).get(where).status_code == 200
    for person in (home.member, None):
        assert [reader(person).get(url).status_code for url in (where, history)] == [404, 404]
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.FINISHED)
    assert reader(home.member).get(where).status_code == 200


def test_a_round_that_is_not_hidden_is_shown_to_everybody(home, played):
    where = reverse("evening", kwargs={"club": home.club.slug, "evening": played.evening_id})
    assert Client().get(where).status_code == 200
    assert Table.objects.filter(evening=played.evening).count() == 2


# --- Receipts, and settling up -----------------------------------------------------------------------------


@pytest.fixture
def sealed(home: House, played: Round) -> Receipt:
    """The receipt of the round: hands at the first table, a sheet at the second."""
    close(played, {2: hand_in(played, 2, [-30, 10, 10, 5], pot=5)})
    return Receipt.objects.get()


def receipt_of(sealed: Receipt, current: Round, number: int) -> str:
    player = current.tournament.entrants.get(number=number).player_id
    answer = Client(headers={"accept-language": "en"}).get(
        reverse("receipt", kwargs={"token": token_for(sealed.pk, player)})
    )
    assert answer.status_code == 200
    return " ".join(shown(answer.content.decode()).split())


def test_a_receipt_shows_the_chips_of_the_own_table(home, played, sealed):
    text = receipt_of(sealed, played, 6)
    assert "Franziska −28" in text
    assert "Your table handed in a sheet" in text
    assert "by the sheet −30" in text
    assert "your share of the pot +2" in text
    assert "5 chips that were left in the pot" in text
    assert "Anna" not in text
    text = receipt_of(sealed, played, 1)
    assert "Klausturnier · Round 1" in text
    assert "Beni" in text
    assert "Franziska" not in text
    assert not AMOUNT_IN_MONEY.search(text)


def test_a_receipt_of_a_pot_of_nobody_says_so(home, played):
    close(played, divided=False)
    assert "belongs to nobody" in receipt_of(Receipt.objects.get(), played, 1)


def test_an_older_receipt_says_that_a_sheet_changed(home, played, sealed):
    reopen(played)
    close(played, {2: hand_in(played, 2, [-30, 10, 15, 0], pot=5)})
    text = receipt_of(sealed, played, 6)
    assert "The sheet of a table is different now." in text


def test_a_hidden_round_shows_a_participant_the_own_chips_alone(home):
    tournament = create_tournament(home.club, rounds=1, hide_last=True)
    entrants_of(tournament, 5)
    current = create_round(tournament, {1: (1, 2, 3, 4, 5)})
    enter(table_of(current), FAILED)
    close(current)
    text = receipt_of(Receipt.objects.get(), current, 1)
    assert re.search(r"Anna −\d", text)
    assert "Net" not in text


@pytest.mark.parametrize("what", ["settlement", "cash-outs"])
def test_the_api_settles_no_round(home, played, what):
    api = ApiClient(key=key_for(home.recorder))
    assert is_problem(api.get(f"clubs/{home.club.slug}/evenings/{played.evening_id}/{what}"), 409, "round")


def test_the_api_closes_no_round(home, played):
    api = ApiClient(key=key_for(home.owner))
    where = f"clubs/{home.club.slug}/evenings/{played.evening_id}"
    for rest, sent in (("close", {"pot": "carry"}), ("close/preview", {"pot": "carry"}), ("last-hand", {"on": True})):
        answer = api.post(f"{where}/{rest}", sent)
        assert is_problem(answer, 409, "round"), rest


def test_nobody_settles_up_in_chips(home, played):
    anna = played.tournament.entrants.get(number=1).player_id
    beni = played.tournament.entrants.get(number=2).player_id
    with pytest.raises(Refused) as refused:
        cash_out(evening=played.evening, author=None, key=uuid.uuid4(), player_id=anna, other_id=beni, open_minor=-220)
    assert "Chips are no money" in refused.value.sentence


# --- Corrections until the tournament is finished ---------------------------------------------------------------


def test_a_hand_can_be_corrected_until_the_tournament_is_finished(home, played):
    enter(table_of(played), PASSED_OUT)
    close(played)
    Evening.objects.filter(pk=played.evening_id).update(final_at=timezone.now() - timedelta(days=7))
    correct(table=table_of(played), edit=TakeOut(2), author=None, key=uuid.uuid4())
    assert table_of(played).hands == 1
    Tournament.objects.update(state=Tournament.State.FINISHED)
    with pytest.raises(Refused) as refused:
        correct(table=table_of(played), edit=TakeOut(1), author=None, key=uuid.uuid4())
    assert (refused.value.status, refused.value.code) == (409, "final")
    assert "tournament is finished" in refused.value.sentence
    text = page(reader(home.recorder), "hand-edit", played, number=1)
    assert "This tournament is finished." in shown(text)
