"""A club that the operator must confirm: asked for, confirmed or declined once, mails, removed afterwards."""

from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from games.models import Table
from games.opening import requests, services
from league.accounts.club_requests import request_notes
from league.models import Club, ClubRequest, Membership, User
from league.privacy import forgetting, personal_data_export, retention
from tests.races import at_once

pytestmark = pytest.mark.django_db

PASSWORD = "drei muntere karten"
NAME = {"name": "Chratzclub Linde", "game": "chratze", "currency": "EUR"}
READERS = {"visibility": "unlisted"}
PLAYERS = {"names": "Ruedi\nVreni\nHansueli\nTrudi", "stake": "50", "players_shown": "nobody"}
OPENING = services.Opening(**NAME, **READERS, players_shown="nickname", names=["Ruedi", "Vreni", "Hansueli"], stake=20)


@pytest.fixture(autouse=True)
def confirmed_by_the_operator(settings) -> None:
    settings.CLUBS_OPEN = "ask"


@pytest.fixture
def mails(settings) -> list:
    settings.MAIL_ON = True
    settings.BASE_URL = "https://club.example"
    return mail.outbox


@pytest.fixture
def person() -> User:
    return User.objects.create_user("vreni@example.org", PASSWORD)


@pytest.fixture
def operator() -> User:
    return User.objects.create_superuser("beni@example.org", PASSWORD)


def browser_of(user: User, language: str = "en") -> Client:
    client = Client(headers={"accept-language": language})
    client.force_login(user)
    return client


def fill(browser: Client, *, name=NAME, players=PLAYERS):
    """Send the three forms; return the answer to the last one."""
    assert browser.post("/clubs/new/", name).status_code == 303
    assert browser.post("/clubs/new/readers/", READERS).status_code == 303
    return browser.post("/clubs/new/players/", players)


def decide(operator: User, asked: ClubRequest, decision: str, **more: str):
    return browser_of(operator).post("/clubs/requests/", {"request": asked.pk, "decision": decision, **more})


def test_the_operator_opens_what_the_person_asked_for(person, operator) -> None:
    browser = browser_of(person)
    assert "looks at each new club" in browser.get("/clubs/new/").content.decode()
    answer = fill(browser)
    assert (answer.status_code, answer["Location"]) == (303, "/clubs/asked/")
    assert not Club.objects.exists()
    assert "Chratzclub Linde" in browser.get("/clubs/asked/").content.decode()
    assert "waits for whoever runs" in browser.get("/").content.decode()
    listed = browser_of(operator).get("/clubs/requests/").content.decode()
    assert all(text in listed for text in ("Chratzclub Linde", "vreni@example.org", "4 players"))
    assert decide(operator, ClubRequest.objects.get(), "open").status_code == 303
    club, table = Club.objects.get(), Table.objects.get()
    assert (club.visibility, club.currency, club.players_shown) == ("unlisted", "EUR", "nobody")
    assert Membership.objects.get(club=club).user == person
    assert [place.player.nickname for place in table.places.all()] == ["Ruedi", "Vreni", "Hansueli", "Trudi"]
    assert table.evening.house_rules.values == {"stake": 50}
    asked = ClubRequest.objects.get()
    assert (asked.state, asked.club, asked.names) == ("opened", club, [])
    assert browser.get(f"{club.get_absolute_url()}t/{table.pk}/").status_code == 200


def test_the_operator_declines_with_a_sentence(person, operator) -> None:
    fill(browser_of(person))
    asked = ClubRequest.objects.get()
    assert decide(operator, asked, "decline", reason="Only clubs of the valley.").status_code == 303
    asked.refresh_from_db()
    assert (asked.state, asked.names) == ("declined", [])
    page = browser_of(person).get("/").content.decode()
    assert "was not opened" in page
    assert "Only clubs of the valley." in page
    decide(operator, asked, "open")
    assert not Club.objects.exists()
    assert "No club is waiting" in browser_of(operator).get("/clubs/requests/").content.decode()


def test_the_operator_sees_that_somebody_waits_and_opens_own_clubs_at_once(person, operator) -> None:
    browser = browser_of(operator)
    assert "/clubs/requests/" not in browser.get("/").content.decode()
    fill(browser_of(person))
    for page in ("/?all=1", "/account/"):
        assert "A club is waiting for you" in browser.get(page).content.decode()
    fill(browser, name={**NAME, "name": "Own"})
    assert Club.objects.get().name == "Own"


def test_nobody_but_the_operator_finds_the_list(person, operator) -> None:
    fill(browser_of(person))
    asked = ClubRequest.objects.get()
    assert Client().get("/clubs/requests/")["Location"].startswith("/login/")
    assert browser_of(person).get("/clubs/requests/").status_code == 404
    assert decide(person, asked, "open").status_code == 404
    User.objects.filter(pk=person.pk).update(is_staff=True)
    assert decide(person, asked, "open").status_code == 404
    assert not Club.objects.exists()


@pytest.mark.parametrize("sent", [{}, {"request": "x", "decision": "open"}, {"request": "1", "decision": "perhaps"}])
def test_a_decision_that_the_page_does_not_offer_is_refused(operator, sent) -> None:
    assert browser_of(operator).post("/clubs/requests/", sent).status_code == 422


def test_a_second_tap_opens_no_second_club(person, operator) -> None:
    fill(browser_of(person))
    asked = ClubRequest.objects.get()
    first, again = requests.request_confirm(asked.pk), requests.request_confirm(asked.pk)
    assert first.club == again.club == Club.objects.get()
    assert requests.request_decline(asked.pk, "too late").state == "opened"


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_two_taps_at_once_open_one_club(person) -> None:
    asked = requests.club_ask(opening=OPENING, owner=person, address="192.0.2.1")
    assert at_once([lambda: requests.request_confirm(asked.pk)] * 3) == ["", "", ""]
    assert Club.objects.count() == 1


def test_a_person_waits_for_one_club_at_a_time(person) -> None:
    browser = browser_of(person)
    fill(browser)
    assert browser.get("/clubs/new/")["Location"] == "/clubs/asked/"
    asked = requests.club_ask(opening=OPENING, owner=person, address="192.0.2.1")
    assert ClubRequest.objects.get() == asked
    with pytest.raises(IntegrityError, match=r"user_id|waits_once"):
        ClubRequest.objects.create(user=person, name="x", game="chratze", currency="CHF", stake=20)


def test_a_person_withdraws_and_the_operator_finds_it_gone(person, operator) -> None:
    browser = browser_of(person)
    fill(browser)
    asked = ClubRequest.objects.get()
    assert browser.post("/clubs/asked/").status_code == 303
    assert not ClubRequest.objects.exists()
    assert decide(operator, asked, "open").status_code == 303
    assert not Club.objects.exists()


def test_so_many_requests_a_day_and_no_more(person, monkeypatch) -> None:
    monkeypatch.setitem(services.CLUBS_A_DAY, "person", 2)
    browser = browser_of(person)
    for _number in range(2):
        assert fill(browser).status_code == 303
        browser.post("/clubs/asked/")
    answer = fill(browser)
    assert answer.status_code == 429
    assert "Ruedi" in answer.content.decode()
    assert not ClubRequest.objects.exists()


def test_what_could_not_be_opened_is_refused_at_once_and_leaves_nothing(person) -> None:
    answer = fill(browser_of(person), players={**PLAYERS, "names": "Ruedi\nRuеdi"})
    assert answer.status_code == 422
    assert "looks like" in answer.content.decode()
    assert not ClubRequest.objects.exists()
    assert not Club.objects.exists()


# --- Mails ---------------------------------------------------------------------------------------------


def test_operator_and_person_get_a_mail_each_in_their_language(
    person, operator, mails, django_capture_on_commit_callbacks
) -> None:
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    with django_capture_on_commit_callbacks(execute=True):
        fill(browser_of(person))
    assert [message.to for message in mails] == [["beni@example.org"]]
    assert "https://club.example/clubs/requests/" in mails[0].body
    with django_capture_on_commit_callbacks(execute=True):
        sent = {"request": ClubRequest.objects.get().pk, "decision": "open"}
        browser_of(operator, "de").post("/clubs/requests/", sent)
    assert mails[1].to == ["vreni@example.org"]
    assert "Your table is here" in mails[1].body
    assert f"https://club.example/c/chratzclub-linde/t/{Table.objects.get().pk}/" in mails[1].body


def test_a_declined_person_reads_the_sentence(person, operator, mails, django_capture_on_commit_callbacks) -> None:
    asked = requests.club_ask(opening=OPENING, owner=person, address="192.0.2.1")
    with django_capture_on_commit_callbacks(execute=True):
        requests.request_decline(asked.pk, "Only clubs of the valley.")
    assert mails[0].to == ["vreni@example.org"]
    assert mails[0].body.endswith("Only clubs of the valley.")


def test_without_mail_nothing_is_sent(person, operator, settings, django_capture_on_commit_callbacks) -> None:
    settings.MAIL_ON = False
    with django_capture_on_commit_callbacks(execute=True):
        fill(browser_of(person))
    assert mail.outbox == []


@pytest.mark.parametrize("way", ["ask", "yes"])
def test_an_address_is_confirmed_first_where_mails_are_sent(person, mails, settings, way) -> None:
    settings.CLUBS_OPEN = way
    address = EmailAddress.objects.create(user=person, email=person.email, verified=False, primary=True)
    browser = browser_of(person)
    assert "Confirm your email address first" in browser.get("/clubs/new/").content.decode()
    assert browser.post("/clubs/new/", NAME).status_code == 409
    address.verified = True
    address.save()
    assert fill(browser).status_code == 303


# --- Personal data -------------------------------------------------------------------------------------


def test_a_request_is_in_the_export_and_goes_with_the_account(person) -> None:
    requests.club_ask(opening=OPENING, owner=person, address="192.0.2.1")
    parts = [part for part in personal_data_export.PARTS if part.name == "club_requests"]
    [row] = [row for part in parts for row in personal_data_export._rows(person, part)]
    assert (row["name"], row["names"]) == ("Chratzclub Linde", ["Ruedi", "Vreni", "Hansueli"])
    forgetting.person_forget(user=person, actor=person)
    assert not ClubRequest.objects.exists()


def test_a_request_is_removed_some_days_after_the_decision(person, operator) -> None:
    asked = requests.club_ask(opening=OPENING, owner=person, address="192.0.2.1")
    now = timezone.now()
    requests.request_decline(asked.pk, "")
    assert retention.tidy(now + timedelta(days=13))["club_requests"] == 0
    assert request_notes(person).own == asked
    assert retention.tidy(now + timedelta(days=15))["club_requests"] == 1


def test_a_request_that_nobody_decides_ends(person) -> None:
    requests.club_ask(opening=OPENING, owner=person, address="192.0.2.1")
    assert retention.tidy(timezone.now() + timedelta(days=89))["club_requests"] == 0
    assert retention.tidy(timezone.now() + timedelta(days=91))["club_requests"] == 1
