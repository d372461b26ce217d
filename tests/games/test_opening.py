"""Opening a club in the browser: three steps, then the table; and the set-up page of a new server."""

from __future__ import annotations

import os
import pty
import re
from collections.abc import Callable, Iterator

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import translation

import engine
from games.models import Table
from games.opening import services
from league.access.names import Names
from league.accounts.first_account import first_account, set_up_address, set_up_code
from league.models import Club, HouseRules, Membership, Player, User

pytestmark = pytest.mark.django_db

PASSWORD = "drei muntere karten"
NAME = {"name": "Chratzclub Linde", "game": "chratze", "currency": "CHF"}
READERS = {"visibility": "private"}
PLAYERS = {"names": "Ruedi\n Vreni \n\nHansueli\nTrudi", "stake": "20", "players_shown": "nickname"}


@pytest.fixture
def person() -> User:
    return User.objects.create_user("vreni@example.org", PASSWORD)


@pytest.fixture
def browser(person: User) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(person)
    return client


def fill(browser: Client, *, name=NAME, readers=READERS, players=PLAYERS):
    """Send the three forms; return the answer to the last one."""
    assert browser.post("/clubs/new/", name).status_code == 303
    assert browser.post("/clubs/new/readers/", readers).status_code == 303
    return browser.post("/clubs/new/players/", players)


def test_three_steps_lead_to_the_table_of_a_private_club(browser: Client, person: User) -> None:
    assert browser.get("/clubs/new/").status_code == 200
    answer = fill(browser)
    club, table = Club.objects.get(), Table.objects.get()
    assert answer.status_code == 303
    assert answer["Location"] == f"/c/chratzclub-linde/t/{table.pk}/"
    assert (club.visibility, club.currency) == ("private", "CHF")
    assert Membership.objects.get(club=club).role == "owner"
    assert [place.player.nickname for place in table.places.all()] == ["Ruedi", "Vreni", "Hansueli", "Trudi"]
    assert not Player.objects.filter(guest=True).exists()
    assert Client().get(club.get_absolute_url()).status_code == 404
    assert "Ruedi" in browser.get(answer["Location"]).content.decode()


def test_private_is_chosen_unless_somebody_chooses_otherwise(browser: Client) -> None:
    browser.post("/clubs/new/", NAME)
    page = browser.get("/clubs/new/readers/").content.decode()
    assert re.search(r'value="private"[^>]*checked', page)
    assert fill(browser, readers={"visibility": "unlisted"}).status_code == 303
    assert Client().get(Club.objects.get().get_absolute_url()).status_code == 200


def test_the_stake_becomes_a_house_rule(browser: Client) -> None:
    fill(browser, players={**PLAYERS, "stake": "50"})
    assert Table.objects.get().evening.house_rules.values == {"stake": 50}


@pytest.mark.parametrize(("shown", "seen"), [("nickname", "Ruedi"), ("initials", "R."), ("nobody", "Player 1")])
def test_the_club_chooses_what_visitors_see_of_players(browser: Client, shown: str, seen: str) -> None:
    fill(browser, readers={"visibility": "unlisted"}, players={**PLAYERS, "players_shown": shown})
    club = Club.objects.get()
    assert set(Player.objects.values_list("publicity", flat=True)) == {club.players_shown} == {shown}
    with translation.override("en"):
        assert Names(club, member=False).public()[Player.objects.earliest("pk").pk] == seen


def test_kratzen_is_played_for_its_own_unit(browser: Client) -> None:
    browser.post("/clubs/new/", {**NAME, "game": "kratzen"})
    browser.post("/clubs/new/readers/", READERS)
    assert 'value="10"' in browser.get("/clubs/new/players/").content.decode()
    fill(browser, name={**NAME, "game": "kratzen", "currency": "EUR"}, players={**PLAYERS, "stake": "10"})
    table = Table.objects.get()
    assert (table.evening.game, table.evening.club.currency) == ("kratzen", "EUR")
    assert not HouseRules.objects.exclude(values={}).exists()


def test_more_people_than_a_table_seats_choose_who_sits_down(browser: Client) -> None:
    answer = fill(browser, players={**PLAYERS, "names": "\n".join(f"Nr {n}" for n in range(9))})
    assert answer["Location"] == "/c/chratzclub-linde/e/new/"
    assert Player.objects.count() == 9
    assert not Table.objects.exists()


@pytest.mark.parametrize(
    ("names", "stake", "says"),
    [
        ("Ruedi", "20", "at least two names"),
        ("Ruedi\nruedi", "20", "is there twice"),
        ("Ruedi\n" + "V" * 41, "20", "is too long"),
        ("Ruedi\nVreni", "0", 'id="stake-help"><p class="errorlist"'),
        ("Ruedi\nVreni", "99999", 'id="stake-help"><p class="errorlist"'),
    ],
)
def test_a_refused_step_stores_nothing_and_keeps_what_was_typed(browser: Client, names, stake, says) -> None:
    answer = fill(browser, players={**PLAYERS, "names": names, "stake": stake})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert says in page
    assert "Ruedi" in page
    assert not Club.objects.exists()


def test_a_later_step_waits_for_the_earlier_ones(browser: Client) -> None:
    assert browser.get("/clubs/new/players/")["Location"] == "/clubs/new/"
    assert browser.get("/clubs/new/nothing/").status_code == 404


def test_the_earlier_answers_are_kept_for_the_way_back(browser: Client) -> None:
    browser.post("/clubs/new/", NAME)
    assert 'value="Chratzclub Linde"' in browser.get("/clubs/new/").content.decode()


def test_a_second_tap_on_the_button_opens_no_second_club(browser: Client, person: User) -> None:
    fill(browser)
    opening = services.Opening(**NAME, **READERS, players_shown="nickname", names=["Ruedi", "Vreni"], stake=20)
    club, table = services.club_open(opening=opening, owner=person, address="192.0.2.1")
    assert (club, table) == (Club.objects.get(), Table.objects.get())


def test_two_clubs_of_one_name_have_two_addresses(browser: Client, person: User, monkeypatch) -> None:
    monkeypatch.setattr(services, "REPEATED", services.REPEATED * 0)
    fill(browser)
    fill(browser)
    assert set(Club.objects.values_list("slug", flat=True)) == {"chratzclub-linde", "chratzclub-linde-2"}


def test_a_person_opens_so_many_clubs_a_day_and_no_more(browser: Client, monkeypatch) -> None:
    monkeypatch.setitem(services.CLUBS_A_DAY, "person", 2)
    for number in range(2):
        assert fill(browser, name={**NAME, "name": f"Club {number}"}).status_code == 303
    answer = fill(browser, name={**NAME, "name": "Club 3"})
    assert answer.status_code == 429
    assert "Try again tomorrow" in answer.content.decode()
    assert "Ruedi" in answer.content.decode()
    assert Club.objects.count() == 2


def test_without_the_setting_only_the_operator_opens_a_club(browser: Client, person: User, settings) -> None:
    settings.CLUBS_OPEN = "no"
    assert browser.get("/clubs/new/").status_code == 404
    assert "/clubs/new/" not in Client().get("/").content.decode()
    User.objects.filter(pk=person.pk).update(is_superuser=True)
    assert browser.get("/clubs/new/").status_code == 200


def test_a_visitor_creates_an_account_and_goes_on(settings) -> None:
    User.objects.create_user("anna@example.org", PASSWORD)
    settings.SIGNUP_OPEN = True
    assert 'href="/signup/?next=/clubs/new/"' in Client().get("/").content.decode()
    assert Client().get("/clubs/new/").status_code == 302


def test_a_club_of_the_command_is_private() -> None:
    call_command("club_new", "roessli", "Rössli", "--owner", "anna@example.org")
    assert Club.objects.get().visibility == "private"


@pytest.fixture
def terminal(monkeypatch) -> Iterator[Callable[..., None]]:
    """Return a function that types lines into a terminal, from which the process reads."""
    typed, screen = pty.openpty()
    with os.fdopen(screen) as file:
        monkeypatch.setattr("sys.stdin", file)
        yield lambda *lines: os.write(typed, "".join(f"{line}\n" for line in lines).encode())
    os.close(typed)


def test_the_command_asks_in_a_terminal(terminal, capsys) -> None:
    terminal("", "", "", "Chratzclub Linde", "kratzen", "", "", "anna@", "anna@example.org")
    terminal("Ruedi", "", "", "", "Ruedi", "Vreni", "Hansueli", "", "30", "initials")
    call_command("club_new")
    club = Club.objects.get()
    assert (club.name, club.slug, club.currency, club.visibility) == (
        NAME["name"],
        "chratzclub-linde",
        "CHF",
        "private",
    )
    assert Membership.objects.get(club=club).user.email == "anna@example.org"
    assert list(club.players.order_by("pk").values_list("nickname", flat=True)) == ["Ruedi", "Vreni", "Hansueli"]
    assert HouseRules.objects.exclude(values={}).get().values == {"unit": 30}
    assert not Table.objects.exists()
    assert "/c/chratzclub-linde/" in capsys.readouterr().out


def test_without_a_terminal_the_command_asks_nothing(monkeypatch) -> None:
    with open(os.devnull) as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        with pytest.raises(CommandError, match="SHORT-NAME, NAME and --owner"):
            call_command("club_new")
    assert not Club.objects.exists()


# --- A server without an account -----------------------------------------------------------------------


def test_a_new_server_leads_to_its_set_up_page_and_on_to_the_club(settings) -> None:
    browser = Client()
    assert browser.get("/")["Location"] == "/setup/"
    page = browser.get(set_up_address()).content.decode()
    assert f'value="{set_up_code()}"' in page
    sent = {"code": set_up_code().lower(), "email": "Vreni@Example.org", "password1": PASSWORD}
    answer = browser.post("/setup/", sent)
    assert answer["Location"] == "/clubs/new/"
    person = User.objects.get()
    assert (person.email, person.is_superuser) == ("vreni@example.org", True)
    assert browser.get("/clubs/new/").status_code == 200


@pytest.mark.parametrize(
    "changed", [{"code": "AAAA-BBBB-CCCC"}, {"code": ""}, {"password1": "kurz"}, {"email": "no address"}]
)
def test_nobody_sets_a_server_up_without_its_code_and_a_good_password(changed) -> None:
    sent = {"code": set_up_code(), "email": "vreni@example.org", "password1": PASSWORD, **changed}
    assert Client().post("/setup/", sent).status_code == 422
    assert not User.objects.exists()


def test_the_set_up_page_is_used_once(person: User) -> None:
    sent = {"code": set_up_code(), "email": "eve@example.org", "password1": PASSWORD}
    assert Client().get(set_up_address()).status_code == 404
    assert Client().post("/setup/", sent).status_code == 404
    assert first_account("eve@example.org", PASSWORD) is None
    assert User.objects.get() == person


# --- The first page ------------------------------------------------------------------------------------


def test_the_hand_on_the_first_page_is_what_the_engine_computes(person: User) -> None:
    page = Client().get("/").content.decode().split("door-hand")[1].split("</figure>")[0]
    shown = [round(float(text.replace("−", "-")) * 100) for text in re.findall(r">([+−]\d\.\d\d)<", page)]
    hand = {"game": "chratze", "seats": 4, "dealer": 3, "pot_before": 160, "deal_number": 1}
    result = engine.replay({**hand, "declarer": 0, "joiners": [1, 2], "tricks": {"0": 2, "1": 2}})
    assert re.search(r'class="pot">(\d\.\d\d)', page)[1] == "2.40"
    moved = [line["amount"] for line in result["lines"] if line["kind"] != "ante"]
    assert (result["pot"], moved) == (240, shown)
