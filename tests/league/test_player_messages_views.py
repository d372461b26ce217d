"""The pages of messages to players: the own choice, the address that ends them, and the way of a player without an
account."""

from __future__ import annotations

import re
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.attendance.link import link_end, link_renew, token_of
from league.features.table import ALL
from league.models import AttendanceLink, Club, MessageChoice, Player, PlayerMessage
from league.player_messages import confirmation, queue
from league.player_messages.choices import all_off, off_address
from league.player_messages.confirmation import confirmation_send
from tests.cast import Cast, House
from tests.clients import reader
from tests.factories import PlayerFactory
from tests.league.player_messages import account, failing, final, played, turn_on, wants, work
from tests.page_forms import form_with, page_forms

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


@pytest.fixture(autouse=True)
def mails_on(settings: Any) -> None:
    turn_on(settings)


@pytest.fixture
def anna(home: House) -> Player:
    return account(PlayerFactory(club=home.club, nickname="Anna"), home.member)


@pytest.fixture
def beni(home: House) -> Player:
    """Beni has no account, but a personal link."""
    player: Player = PlayerFactory(club=home.club, nickname="Beni")
    link_renew(player=player, actor=home.recorder)
    return player


def own(home: House) -> str:
    return reverse("own-messages", kwargs={"club": home.club.slug})


def linked(player: Player) -> str:
    token = token_of(AttendanceLink.objects.get(player=player))
    return reverse("coming-messages", kwargs={"club": player.club.slug, "token": token})


def path(address: str) -> str:
    return address.removeprefix("https://club.example")


def confirming(number: int = -1) -> str:
    """Return the link of a mail that confirms an address."""
    return path(re.findall(r"https://\S+", str(mail.outbox[number].body))[0])


# --- With an account --------------------------------------------------------------------------------------


def test_a_member_chooses_on_one_page(home, anna):
    member = reader(home.member)
    shown = member.get(own(home), headers=ENGLISH)
    assert home.member.email in shown.content.decode()
    assert not MessageChoice.objects.exists(), "looking is no choice"
    answer = member.post(own(home), {"player": anna.pk, "results": "on"}, headers=ENGLISH)
    assert (answer.status_code, answer["Location"]) == (303, own(home))
    choice = MessageChoice.objects.get()
    assert (choice.user, choice.language, choice.reminders_since) == (home.member, "en", None)
    form = form_with(member.get(own(home)), "results")
    assert form.control("results").sent
    assert not form.control("reminders").sent
    member.post(own(home), {"player": anna.pk}, headers=ENGLISH)
    assert MessageChoice.objects.get().results_since is None


def test_nobody_chooses_for_another_player(home, anna, beni):
    answer = reader(home.owner).post(own(home), {"player": beni.pk, "results": "on"})
    assert (answer.status_code, MessageChoice.objects.count()) == (422, 0)


def test_without_a_player_or_a_confirmed_address_the_page_says_so(home):
    page = reader(home.owner).get(own(home), headers=ENGLISH).content.decode()
    assert "You play as nobody here" in page
    account(PlayerFactory(club=home.club), home.owner, confirmed=False)
    page = reader(home.owner).get(own(home), headers=ENGLISH).content.decode()
    assert "Confirm your email address first" in page


def test_the_page_of_the_club_leads_there_for_players(home, anna):
    rows = reverse("club-pages", kwargs={"club": home.club.slug})
    assert own(home) in reader(home.member).get(rows).content.decode()
    assert own(home) not in reader(home.recorder).get(rows).content.decode()


@pytest.mark.parametrize("off", ["feature", "server"])
def test_it_shows_nowhere_if_it_is_off(home, anna, beni, settings, off):
    page, wants_link = reverse("club-pages", kwargs={"club": home.club.slug}), linked(beni)
    if off == "feature":
        Club.objects.filter(pk=home.club.pk).update(features=[key for key in ALL if key != "messages"])
    else:
        settings.MAIL_ON = False
    member = reader(home.member)
    assert own(home) not in member.get(page).content.decode()
    assert (member.get(own(home)).status_code, Client().get(wants_link).status_code) == (404, 404)
    coming = wants_link.removesuffix("messages/")
    assert wants_link not in Client().get(coming).content.decode()
    switches = reader(home.owner).get(reverse("club-features", kwargs={"club": home.club.slug})).content.decode()
    assert ('value="messages"' in switches) == (off == "feature")


def test_a_server_without_mail_keeps_the_switch_as_it_is(home, settings):
    settings.MAIL_ON = False
    home.club.refresh_from_db()
    assert "messages" in home.club.features


# --- Ending -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", ["as it is", "feature off", "suspended", "no mail"])
def test_one_click_ends_all_without_signing_in_and_without_a_form(home, anna, settings, state):
    choice = wants(anna, home.member)
    final(played(home))
    queue.store_due()
    if state == "feature off":
        Club.objects.update(features=[])
    if state == "suspended":
        Club.objects.update(suspended_at=timezone.now())
    settings.MAIL_ON = state != "no mail"
    program = Client(enforce_csrf_checks=True)
    where = path(off_address(choice))
    shown = program.get(where, headers=ENGLISH)
    assert (shown.status_code, shown["X-Robots-Tag"]) == (200, "noindex, nofollow")
    assert "no-store" in shown["Cache-Control"]
    assert MessageChoice.objects.get().results_since is not None, "looking ends nothing"
    answer = program.post(where, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    ended = MessageChoice.objects.get()
    assert (ended.results_since, ended.reminders_since) == (None, None)
    assert program.post(where, {"List-Unsubscribe": "One-Click"}).status_code == 200, "again"


def test_the_page_to_end_has_one_button(home, anna):
    where = path(off_address(wants(anna, home.member)))
    answer = Client().get(where, headers=ENGLISH)
    (form,) = [form for form in page_forms(answer) if form.buttons and form.buttons[0].text == "Send me no more"]
    assert form.submit(Client(enforce_csrf_checks=True), "Send me no more").status_code == 200
    assert MessageChoice.objects.get().results_since is None


def test_the_address_is_that_of_one_player_of_one_club(home, anna, people: Cast):
    where = path(off_address(wants(anna, home.member)))
    assert Client().post(where.replace("roessli", "sternen")).status_code == 404
    assert Client().post(where[:-2] + "x/").status_code == 404
    assert Client().post(re.sub(r"off/\d+", "off/12345", where)).status_code == 404
    assert MessageChoice.objects.get().results_since is not None


def test_other_pages_still_ask_for_the_token_of_a_form(home, anna):
    """The guard that only this address is without."""
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(home.member)
    assert strict.post(own(home), {"player": anna.pk, "results": "on"}).status_code == 403


# --- Without an account -----------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_an_address_gets_nothing_before_it_is_confirmed(home, beni):
    link = linked(beni)
    assert Client().get(link).status_code == 200
    sent = {"email": "beni@example.org", "results": "on"}
    assert "beni@example.org" in Client().post(link, sent, headers=ENGLISH).content.decode()
    assert not MessageChoice.objects.exists()
    final(played(home))
    assert [letter.subject for letter in work()] == []
    (asked,) = mail.outbox
    assert (asked.to, asked.subject) == (["beni@example.org"], f"Confirm: messages from {home.club.name}")
    page = Client().get(confirming(), headers=ENGLISH)
    assert "beni@example.org" in page.content.decode()
    assert not MessageChoice.objects.exists(), "a program that looks at links confirms nothing"
    assert Client().post(confirming(), headers=ENGLISH).status_code == 200
    choice = MessageChoice.objects.get()
    assert (choice.player, choice.user, choice.email, choice.reminders_since) == (beni, None, "beni@example.org", None)
    assert choice.language == "en"
    final(played(home))
    (letter,) = work()
    assert letter.to == ["beni@example.org"]


def test_the_page_of_the_link_leads_there_and_tells_no_address(home, beni):
    where = linked(beni)
    assert where in Client().get(where.removesuffix("messages/")).content.decode()
    wants(beni, None, email="secret.name@example.org")
    page = Client().get(where).content.decode()
    assert "s…@example.org" in page
    assert "secret.name" not in page
    Client().post(where, {"do": "end"})
    ended = MessageChoice.objects.get()
    assert (ended.results_since, ended.email) == (None, "")


def test_who_has_an_account_chooses_there(home, beni):
    where = linked(beni)
    account(beni, home.recorder)
    page = Client().get(where, headers=ENGLISH).content.decode()
    assert "has an account" in page
    answer = Client().post(where, {"email": "x@example.org", "results": "on"})
    assert (answer.status_code, len(mail.outbox)) == (409, 0)
    wants(beni, home.recorder)
    Client().post(where, {"do": "end"})
    assert MessageChoice.objects.get().results_since is not None, "the holder of a link ends no choice of an account"


def test_a_confirmation_is_over_with_its_link_and_after_three_days(home, beni, people: Cast):
    confirmation_send(player=beni, email="beni@example.org", results=True, reminders=True)
    where = confirming()
    assert Client().post(where.replace("roessli", "sternen")).status_code == 404
    with time_machine.travel(timezone.now() + confirmation.VALID * 1.1):
        assert Client().post(where).status_code == 404
    link_end(player=beni, actor=home.recorder)
    assert Client().post(where).status_code == 404
    assert not MessageChoice.objects.exists()


def test_nobody_fills_a_letter_box_with_confirmations(home, beni):
    where, sent = linked(beni), {"email": "victim@example.org", "results": "on"}
    assert [Client().post(where, sent).status_code for _try in range(5)] == [200, 200, 200, 429, 429]
    other = PlayerFactory(club=home.club, nickname="Other")
    link_renew(player=other, actor=home.recorder)
    assert Client().post(linked(other), sent | {"email": "Victim@example.org"}).status_code == 429
    assert len(mail.outbox) == confirmation.MOST_A_DAY


@pytest.mark.parametrize(
    ("sent", "says"),
    [({"email": "nonsense", "results": "on"}, "no email address"), ({"email": "a@example.org"}, "Tick what")],
)
def test_what_is_missing_is_said(home, beni, sent, says):
    answer = Client().post(linked(beni), sent, headers=ENGLISH)
    assert (answer.status_code, len(mail.outbox)) == (422, 0)
    assert says in answer.content.decode()


def test_a_mail_server_that_fails_is_said(home, beni, monkeypatch):
    failing(monkeypatch, TimeoutError())
    sent = {"email": "beni@example.org", "results": "on"}
    assert Client().post(linked(beni), sent).status_code == 503


def test_a_player_who_gets_an_account_is_asked_again(home, beni):
    wants(beni, None, email="beni@example.org")
    account(beni, home.recorder)
    final(played(home))
    assert work() == []
    assert PlayerMessage.objects.get().state == "dropped"


# --- The people of the club -------------------------------------------------------------------------------


def test_owners_see_whose_address_was_refused(home, anna):
    choice, page = wants(anna, home.member), reverse("club-people", kwargs={"club": home.club.slug})
    assert "refused the address" not in reader(home.owner).get(page, headers=ENGLISH).content.decode()
    all_off(choice)
    MessageChoice.objects.update(refused_at=timezone.now())
    assert "refused the address of Anna" in reader(home.owner).get(page, headers=ENGLISH).content.decode()
    assert "refused your address" in reader(home.member).get(own(home), headers=ENGLISH).content.decode()
