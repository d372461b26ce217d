"""Table cards: the code opens one table of the round that is played, without an account, and nothing else."""

from __future__ import annotations

import json
import re
import uuid
from typing import Any

import pytest
from django.test import Client

from games.hands import gate as games_gate
from games.integrity import verify
from games.models import Hand, Revision, Table
from league.access import table_cards
from league.models import Club, Membership, Player, Round, Sheet, TableCard, Tournament, User
from league.tournaments import rounds, services
from league.tournaments.table_cards import WRONG_CODES, cards_of
from tests.cast import House, house
from tests.clients import reader
from tests.games import night_writes
from tests.tournaments.played_tournaments import drawn_round, made_tournament, with_entrants

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("en")]


@pytest.fixture
def current(home: House) -> Round:
    """The first round, with a table 1 and a table 2."""
    tournament = made_tournament(home.club, home.owner, rounds=3)
    with_entrants(tournament, home.owner, 8)
    first_round = drawn_round(tournament, home.owner)
    rounds.round_start(tournament=tournament, author=home.owner, number=1)
    return first_round


def tournament_of(current: Round) -> Tournament:
    return Tournament.objects.get(pk=current.tournament_id)


def card(current: Round, number: int = 1) -> TableCard:
    return cards_of(tournament_of(current), [1, 2])[number]


def table(current: Round, number: int = 1) -> Table:
    rows = Table.objects.select_related("evening__club", "evening__house_rules")
    return rows.get(evening=current.evening_id, number=number)


def url(current: Round, number: int = 1, tail: str = "") -> str:
    return f"/c/roessli/t/{table(current, number).pk}/{tail}"


def scanned(current: Round, number: int = 1, client: Client | None = None) -> Client:
    """A browser that opened the code of this table's card."""
    client = client or reader()
    assert client.get(f"/t/{card(current, number).code}/").status_code == 200
    return client


def sent(client: Client, current: Round, number: int = 1) -> Any:
    """Enter a hand with the form of the table's screen."""
    text = client.get(url(current, number)).content.decode()
    form = re.search(r'<form[^>]*id="hand".*?</form>', text, re.DOTALL) or re.search(r"<main.*</main>", text, re.DOTALL)
    assert form
    fields = dict(re.findall(r'<input type="hidden" name="(key|number|players|mode)" value="([^"]*)"', form[0]))
    return client.post(url(current, number), {**fields, "mode": "made", "role-0": "declarer", "role-1": "joiner"})


def sheet(client: Client, current: Round, chips: dict[int, int], pot: int = 0, **more: Any) -> Any:
    address = f"/t/{card(current).code}/"
    fields: dict[str, Any] = {"key": str(uuid.uuid4()), "round": "1", "pot": str(pot)}
    for seat, amount in chips.items():
        fields |= {f"chips-{seat}": str(abs(amount)), f"sign-{seat}": "minus" if amount < 0 else "plus"}
    return client.post(address, fields | more)


def seats(current: Round, number: int = 1) -> list[int]:
    numbers: list[int] = next(table["seats"] for table in current.draw.plan["tables"] if table["number"] == number)
    return numbers


# --- Allowed pages ----------------------------------------------------------------------------------------


def test_the_code_opens_its_table_without_an_account(current):
    client = scanned(current)
    text = client.get(url(current)).content.decode()
    for number in seats(current):
        assert f"G{number}" in text
    assert client.get(url(current, tail="live/")).status_code == 200
    assert client.get(url(current, tail="cards/")).status_code == 200


def test_without_the_card_the_table_asks_for_a_sign_in(current):
    assert "/login/" in reader().get(url(current))["Location"]


def test_a_hand_is_stored_under_the_account_of_the_table(current):
    client = scanned(current)
    answer = sent(client, current)
    assert answer.status_code == 303, answer.content.decode()[:2000]
    revision = Revision.objects.get()
    assert (revision.author, str(revision.author)) == (card(current).user, "Table 1")
    assert client.get(answer["Location"]).status_code == 200
    assert list(verify.differences()) == []


def test_a_hand_is_undone_and_corrected_as_on_an_evening(current):
    client = scanned(current)
    sent(client, current)
    assert client.get(url(current, tail="h/1/edit/")).status_code == 200
    assert client.get(url(current, tail="h/1/history/")).status_code == 200
    answer = client.post(url(current, tail="void/"), {"number": "1", "key": str(uuid.uuid4())})
    assert answer.status_code == 303
    assert table(current).hands == 0


def test_the_pencil_and_the_outbox_know_the_account_of_the_table(current):
    client = scanned(current)
    assert client.post(url(current, tail="pencil/"), {"act": "take"}).status_code == 303
    assert "Table 1" in owner_client(current).get(url(current)).content.decode()
    assert json.loads(client.get("/outbox/").content)["user"] == str(card(current).user_id)
    assert "/login/" in reader().get("/outbox/")["Location"]


def owner_client(current: Round) -> Client:
    client = reader()
    client.force_login(Membership.objects.get(club=current.evening.club, role="owner").user)
    return client


def test_it_opens_a_table_of_a_private_club(home, current):
    Club.objects.filter(pk=home.club.pk).update(visibility="private")
    client = scanned(current)
    assert client.get(url(current)).status_code == 200
    assert sent(client, current).status_code == 303
    assert client.get(url(current, tail="h/1/history/")).status_code == 200
    assert reader().get(url(current, tail="h/1/history/")).status_code == 404


def test_a_recorder_of_the_club_keeps_the_own_account(home, current):
    client = reader()
    client.force_login(home.recorder)
    scanned(current, client=client)
    assert table_cards.COOKIE not in client.cookies
    assert sent(client, current).status_code == 303
    assert Revision.objects.get().author == home.recorder


def test_a_member_who_may_not_record_uses_the_card(home, current):
    client = reader()
    client.force_login(home.member)
    assert client.get(url(current)).status_code == 403
    scanned(current, client=client)
    assert sent(client, current).status_code == 303
    assert Revision.objects.get().author == card(current).user


# --- Refused pages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("tail", ["", "live/", "cards/", "paste/", "type/", "h/1/edit/"])
def test_another_table_stays_closed(current, tail):
    client = scanned(current)
    answer = client.get(url(current, 2, tail))
    assert (answer.status_code, answer["Location"]) == (303, f"/t/{card(current).code}/")


def test_the_table_of_another_tournament_stays_closed(home, current):
    other = made_tournament(home.club, home.owner)
    with_entrants(other, home.owner, 12)
    there = drawn_round(other, home.owner)
    client = scanned(current)
    assert client.get(url(there)).status_code == 303
    assert not Hand.objects.exists()


def test_the_table_of_another_club_stays_closed(current):
    away = house("sternen")
    there = drawn_round(_with_people(made_tournament(away.club, away.owner)), away.owner)
    client = scanned(current)
    address = f"/c/sternen/t/{table(there).pk}/"
    assert "/login/" in client.get(address)["Location"]
    assert client.get(f"/c/sternen/t/{table(current).pk}/").status_code in (302, 404)


def _with_people(tournament: Tournament) -> Tournament:
    with_entrants(tournament, None, 8)
    return tournament


SEATING = ["seating/", "h/1/dispute/"]
ELSEWHERE = [
    *("/account/", "/c/roessli/people/", "/c/roessli/roster/", "/c/roessli/settings/", "/c/roessli/log/"),
    *("/c/roessli/e/new/", "/c/roessli/debts/", "/c/roessli/webhooks/", "/c/roessli/tournaments/import/"),
    *("/c/roessli/tournaments/cup/file.json", "/c/roessli/tournaments/cup/desk/", "/api/v1/me"),
]


@pytest.mark.parametrize("address", ELSEWHERE)
def test_every_other_page_takes_its_holder_for_a_visitor(current, address):
    client = scanned(current)
    mine, visitors = client.get(address), reader().get(address)
    assert mine.status_code == visitors.status_code in (302, 401, 403, 404)
    assert mine.get("Location") == visitors.get("Location")


@pytest.mark.parametrize("tail", SEATING)
def test_the_seating_is_for_the_desk(current, tail):
    client = scanned(current)
    sent(client, current)
    answer = client.post(url(current, tail=tail), {"kind": "leave"})
    assert answer.status_code == 409
    assert "the card of table 1 does not open that page" in answer.content.decode()
    assert client.get(url(current, tail=tail))["Location"] == f"/t/{card(current).code}/"


def test_the_account_of_a_card_signs_in_nowhere_and_is_in_no_list(home, current):
    user = card(current).user
    assert not user.is_active
    assert not user.has_usable_password()
    assert not reader().login(email=user.email, password="")
    assert not Membership.objects.filter(user=user).exists()
    assert user.email not in owner_client(current).get("/c/roessli/people/").content.decode()


def test_a_cookie_that_this_server_did_not_sign_opens_nothing(current):
    client = reader()
    client.cookies[table_cards.COOKIE] = f"{card(current).code}:made-up"
    assert "/login/" in client.get(url(current))["Location"]
    client.cookies[table_cards.COOKIE] = card(current).code
    assert "/login/" in client.get(url(current))["Location"]


def test_a_twin_without_the_look_at_the_table_would_open_another_one(current, monkeypatch):
    client = scanned(current)
    monkeypatch.setattr(games_gate, "opens", lambda *_any: True)
    assert client.get(url(current, 2)).status_code == 200


def test_a_visitor_gets_no_page_that_was_kept_for_a_card(current):
    client = scanned(current)
    client.get(url(current, tail="live/"))
    assert "/login/" in reader().get(url(current, tail="live/"))["Location"]


# --- Wrong and old codes, and the end ---------------------------------------------------------------------


@pytest.mark.services
@pytest.mark.parametrize(
    "code", ["nope", "x" * 200, "' or 1=1", pytest.param("%00", marks=pytest.mark.both_databases), "2345-6"]
)
def test_a_wrong_code_is_not_found(current, code):
    assert reader().get(f"/t/{code}/").status_code == 404


def test_too_many_wrong_codes_are_refused_for_a_while(current):
    client = reader()
    for number in range(WRONG_CODES.most):
        assert client.get(f"/t/wrong{number}/").status_code == 404
    assert client.get("/t/wrong/").status_code == 429
    assert client.get(f"/t/{card(current).code}/").status_code == 429


def test_wrong_codes_of_a_network_of_ipv6_count_together(current):
    for number in range(WRONG_CODES.most):
        assert reader().get(f"/t/wrong{number}/", REMOTE_ADDR=f"2001:db8:0:7::{number + 1}").status_code == 404
    assert reader().get("/t/wrong/", REMOTE_ADDR="2001:db8:0:7:8::1").status_code == 429
    assert reader().get("/t/wrong/", REMOTE_ADDR="2001:db8:0:8::1").status_code == 404


def test_a_holder_of_a_card_continues_while_codes_are_guessed(current):
    client = scanned(current)
    for number in range(WRONG_CODES.most):
        reader().get(f"/t/wrong{number}/")
    assert client.get(f"/t/{card(current).code}/").status_code == 200


def test_after_the_round_it_says_so_and_leads_to_where_do_i_sit(home, current):
    client = scanned(current)
    assert sent(client, current).status_code == 303
    tournament = tournament_of(current)
    rounds.round_finish(tournament=tournament, author=home.owner, number=1, despite_open=True)
    closed = client.get(url(current))
    assert (closed.status_code, closed["Location"]) == (303, f"/t/{card(current).code}/")
    late = client.post(url(current), {"number": "2"}, headers={"outbox": "1"})
    assert late.status_code == 409
    assert "Nothing was stored. Round 1 is finished." in late.content.decode()
    assert Hand.objects.count() == 1
    text = client.get(f"/t/{card(current).code}/").content.decode()
    assert "Round 1 is finished." in text
    assert "/c/roessli/tournaments/cup/seat/" in text


def test_with_the_next_draw_the_same_card_opens_the_next_table(home, current):
    client = scanned(current)
    tournament = tournament_of(current)
    rounds.round_finish(tournament=tournament, author=home.owner, number=1, despite_open=True)
    following = drawn_round(tournament, home.owner, seed=2)
    assert "Round 2" in client.get(f"/t/{card(current).code}/").content.decode()
    assert client.get(url(following)).status_code == 200
    assert client.get(url(current)).status_code == 303


def test_a_finished_or_archived_tournament_is_closed(home, current):
    client = scanned(current)
    tournament = tournament_of(current)
    rounds.round_finish(tournament=tournament, author=home.owner, number=1, despite_open=True)
    services.tournament_finish(tournament=tournament, author=home.owner)
    assert "This tournament is finished." in client.get(f"/t/{card(current).code}/").content.decode()
    services.tournament_archive(tournament=tournament, author=home.owner)
    assert "This tournament is finished." in client.get(f"/t/{card(current).code}/").content.decode()
    assert client.get(url(current)).status_code == 303
    assert sheet(client, current, dict.fromkeys(seats(current), 0)).status_code == 409


def test_a_card_of_a_table_that_is_not_in_the_round_says_so(home, current):
    code = cards_of(tournament_of(current), [9])[9].code
    assert "Nobody sits at table 9 in round 1." in reader().get(f"/t/{code}/").content.decode()


# --- The sheet --------------------------------------------------------------------------------------------


def test_a_sheet_is_handed_in_at_the_table(current):
    first, second, third, fourth = seats(current)
    answer = sheet(scanned(current), current, {first: 30, second: -20, third: 0, fourth: -15}, pot=5)
    assert answer.status_code == 303
    stored = Sheet.objects.get()
    assert stored.chips == {str(first): 30, str(second): -20, str(third): 0, str(fourth): -15}
    assert (stored.pot, stored.at_table, stored.author) == (5, True, card(current).user)


def test_a_sheet_that_does_not_add_up_is_refused_and_keeps_the_typed_values(current):
    answer = sheet(scanned(current), current, dict.fromkeys(seats(current), 7))
    text = answer.content.decode()
    assert answer.status_code == 422
    assert "28 chips too many" in text
    assert text.count('value="7"') == 4
    assert not Sheet.objects.exists()


@pytest.mark.parametrize("wrong", ["", "seven", "1.5", "١", "9" * 30])
def test_a_text_that_is_no_number_is_refused(current, wrong):
    chips = dict.fromkeys(seats(current), 0)
    answer = sheet(scanned(current), current, chips, **{f"chips-{seats(current)[0]}": wrong})
    assert answer.status_code == 422
    assert not Sheet.objects.exists()


def test_a_minus_before_the_number_does_as_well(current):
    first, second, *rest = seats(current)
    chips = {first: 4, **dict.fromkeys(rest, 0)}
    answer = sheet(scanned(current), current, chips, **{f"chips-{second}": "−4", f"sign-{second}": "plus"})
    assert answer.status_code == 303
    assert Sheet.objects.get().chips[str(second)] == -4


def test_the_same_page_sent_twice_is_one_sheet(current):
    client, key = scanned(current), str(uuid.uuid4())
    for _twice in range(2):
        assert sheet(client, current, dict.fromkeys(seats(current), 0), key=key).status_code == 303
    assert Sheet.objects.count() == 1


def test_where_hands_were_recorded_no_sheet_is_taken(current):
    client = scanned(current)
    sent(client, current)
    assert sheet(client, current, dict.fromkeys(seats(current), 0)).status_code == 409


def test_a_sheet_of_another_round_is_refused(current):
    answer = sheet(scanned(current), current, dict.fromkeys(seats(current), 0), round="2")
    assert answer.status_code == 409


def test_cards_are_made_once(current):
    tournament = tournament_of(current)
    first = {number: card.code for number, card in cards_of(tournament, [1, 2, 3]).items()}
    again = {number: card.code for number, card in cards_of(tournament, [3, 2, 1, 4]).items()}
    assert {number: again[number] for number in first} == first
    assert TableCard.objects.count() == User.objects.filter(email__endswith="@tables.invalid").count() == 4


# --- Writes of a phone ------------------------------------------------------------------------------------


def test_a_card_stores_the_writes_of_its_table_and_reads_no_roster(current):
    client, other = scanned(current), url(current, 2, "night/")
    Player.objects.create(club=table(current).evening.club, nickname="Zora")
    write = night_writes.hand(table(current), record={"declarer": 0, "joiners": [1], "made": [0, 1]})
    answer = night_writes.post(client, write, table(current))
    assert night_writes.stored(answer)["number"] == 1
    assert "Zora" not in answer.content.decode()
    assert client.get(url(current, tail="night/")).json()["roster"] == []
    night_writes.refused(night_writes.post(client, night_writes.hand(table(current, 2)), table(current)), 422, "write")
    assert client.get(other).status_code in (303, 404)
    assert night_writes.post(client, night_writes.begin(table(current).evening.season, [1, 2])).status_code == 302
