"""Mails to players that come back: the sender of each mail, and what `manage.py bounce` does with a report."""

from __future__ import annotations

import io
import sys
from email.message import EmailMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.parser import Parser
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.management import call_command
from django.db import OperationalError
from hypothesis import given
from hypothesis import strategies as st

from league.management.commands import bounce as command
from league.models import MessageChoice, Player, PlayerMessage
from league.player_messages import bounces
from league.player_messages.bounces import bounce_take, envelope_sender
from league.player_messages.choices import refused_names
from tests.cast import House
from tests.factories import PlayerFactory
from tests.league.player_messages import account, final, played, turn_on, wants, work

pytestmark = pytest.mark.django_db

FAILED = "Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 no such user\n"
DELAYED = "Action: delayed\nStatus: 4.4.1\n"
FULL_FOR_NOW = "Action: failed\nStatus: 4.2.2\n"
DELIVERED = "Action: delivered\nStatus: 2.0.0\n"


@pytest.fixture(autouse=True)
def bounces_on(settings: Any) -> None:
    turn_on(settings)
    settings.BOUNCES_TO = "bounces@club.example"


@pytest.fixture
def anna(home: House) -> Player:
    player = account(PlayerFactory(club=home.club, nickname="Anna"), home.member)
    wants(player, home.member)
    return player


def choice() -> MessageChoice:
    return MessageChoice.objects.get()


def envelope() -> str:
    return envelope_sender(choice(), choice().user.email)  # type: ignore[union-attr]


def report(to: str, outcome: str = FAILED) -> bytes:
    """A report on a delivery as Postfix writes it (RFC 3464)."""
    whole = MIMEMultipart("report", report_type="delivery-status")
    whole["From"] = "MAILER-DAEMON@mx.example (Mail Delivery System)"
    whole["To"] = to
    whole["Subject"] = "Undelivered Mail Returned to Sender"
    whole.attach(MIMEText("I'm sorry to have to inform you that your message could not be delivered."))
    status = Parser().parsestr(
        "Content-Type: message/delivery-status\n\n"
        "Reporting-MTA: dns; mx.example\nArrival-Date: Sun, 29 Nov 2026 12:00:00 +0000 (UTC)\n\n"
        f"Final-Recipient: rfc822; member@b.example\n{outcome}"
    )
    whole.attach(status)
    original = Parser().parsestr("Content-Type: text/rfc822-headers\n\nSubject: The evening\n")
    whole.attach(original)
    return whole.as_bytes()


def is_on() -> bool:
    return choice().results_since is not None and choice().refused_at is None


def test_each_mail_has_a_sender_to_which_it_comes_back(home, anna):
    final(played(home))
    (letter,) = work()
    head = letter.message()
    assert letter.from_email == envelope()
    assert letter.from_email.startswith("bounces+")
    assert letter.from_email.endswith("@club.example")
    assert len(letter.from_email.partition("@")[0]) <= 64
    assert head["From"].startswith(home.club.name)
    assert "bounces" not in head.as_string(), "no head and no text has it"


def test_a_server_that_takes_no_bounces_sends_as_before(home, anna, settings):
    settings.BOUNCES_TO = ""
    final(played(home))
    (letter,) = work()
    assert letter.from_email == letter.message()["From"]
    assert letter.from_email.startswith(home.club.name)


@pytest.mark.both_databases
def test_a_mail_that_came_back_ends_the_messages_and_the_club_sees_it(home, anna):
    final(played(home))
    (letter,) = work()
    waiting = PlayerMessage.objects.create(player=anna, kind="result", evening=played(home).evening, day="2026-11-29",
                                           version=7, next_at="2026-11-30T00:00Z")  # fmt: skip
    assert bounce_take(report(letter.from_email))
    assert not is_on()
    assert choice().refused_at is not None
    waiting.refresh_from_db()
    assert (waiting.state, waiting.next_at) == ("dropped", None)
    assert refused_names(home.club) == ["Anna"]
    final(played(home))
    assert work() == []
    wants(anna, home.member)
    assert is_on()


@pytest.mark.parametrize("outcome", [DELAYED, FULL_FOR_NOW, DELIVERED, "Status: 5.1.1\n", "Action: failed\n"])
def test_a_delay_ends_nothing(anna, outcome):
    assert not bounce_take(report(envelope(), outcome))
    assert is_on()


def test_one_failed_recipient_among_several_is_enough(anna):
    assert bounce_take(report(envelope(), f"{DELIVERED}\nFinal-Recipient: rfc822; b@b.example\n{FAILED}"))


def test_the_mail_server_may_tell_the_address_and_change_its_case(anna):
    text = report("Undisclosed recipients:;")
    assert not bounce_take(text)
    assert bounce_take(text, envelope().upper())


def test_an_answer_ends_nothing(anna):
    answer = EmailMessage()
    answer["To"], answer["Subject"] = envelope(), "I am on holiday"
    answer.set_content("Action: failed\nStatus: 5.1.1")
    assert not bounce_take(answer.as_bytes())
    assert is_on()


def forged(address: str) -> str:
    """The address with another signature."""
    name, _at, domain = address.partition("@")
    return f"{name[:-1]}{'0' if name[-1] != '0' else '1'}@{domain}"


def test_an_address_that_this_server_did_not_make_ends_nothing(anna):
    unknown = (
        "bounces@club.example",
        "bounces+1-0123456789abcdef@club.example",
        f"b+{'f' * 16}-{'f' * 16}@club.example",
    )
    for to in (forged(envelope()), *unknown):
        assert not bounce_take(report(to))
    assert is_on()


def test_without_the_signature_anybody_could_end_them(anna, monkeypatch):
    monkeypatch.setattr(bounces, "constant_time_compare", lambda mine, theirs: True)
    assert bounce_take(report(forged(envelope())))


def test_the_bounce_of_an_address_that_was_changed_since_ends_nothing(home, anna):
    before = envelope()
    EmailAddress.objects.filter(user=home.member).update(email="new@b.example")
    assert not bounce_take(report(before))
    assert is_on()


@given(st.binary(max_size=400))
def test_any_bytes_are_read(text):
    assert not bounce_take(text)
    assert not bounce_take(b"Content-Type: multipart/report; boundary=x\n\n--x\n" + text)


class Input:
    """The standard input of a process."""

    def __init__(self, text: bytes) -> None:
        self.buffer = io.BytesIO(text)


def test_the_command_takes_a_mail_from_its_input(anna, monkeypatch):
    monkeypatch.setattr(sys, "stdin", Input(report("somebody@club.example") + b"\n" * (2 * bounces.LARGEST)))
    call_command("bounce", envelope())
    assert not is_on()
    assert mail.outbox == []


def test_the_command_asks_for_the_mail_again_while_the_database_is_away(anna, monkeypatch):
    def away(*_args: Any) -> bool:
        raise OperationalError

    monkeypatch.setattr(sys, "stdin", Input(b""))
    monkeypatch.setattr(command, "bounce_take", away)
    with pytest.raises(SystemExit) as ended:
        call_command("bounce")
    assert ended.value.code == command.TRY_AGAIN
