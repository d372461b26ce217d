"""Messages to players: what ends them, a mail server with faults, the mail itself, privacy, a season."""

from __future__ import annotations

import re
import sys
from datetime import timedelta
from email import message_from_string, policy
from smtplib import SMTPDataError, SMTPRecipientsRefused, SMTPServerDisconnected
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core import mail
from django.utils import timezone

from games.models import Table
from league.access import access_to
from league.errors import Refused
from league.jobs.tasks import sweep
from league.models import (
    Club,
    Evening,
    Heartbeat,
    MessageChoice,
    Player,
    PlayerMessage,
)
from league.money import format_money
from league.payments import services as payments
from league.player_messages import queue
from league.player_messages.choices import all_off
from league.privacy.forgetting import person_forget, player_forget
from league.privacy.personal_data_export import PARTS, _rows
from league.roster.merging import players_merge
from league.standings.counting import count_season
from tests.cast import Cast, House
from tests.factories import FAILED, MADE, PlayerFactory
from tests.league.player_messages import (
    account,
    close,
    failing,
    final,
    html_of,
    planned,
    played,
    reopen,
    turn_on,
    wants,
    work,
)
from tests.races import at_once

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def mails_on(settings: Any) -> None:
    turn_on(settings)


@pytest.fixture
def anna(home: House) -> Player:
    """Anna plays with the account of the member, and wants both."""
    player = account(PlayerFactory(club=home.club, nickname="Anna"), home.member)
    wants(player, home.member)
    return player


@pytest.fixture
def noon():
    """It is noon."""
    moment = timezone.localtime().replace(hour=12, minute=0)
    with time_machine.travel(moment, tick=True):
        yield moment


# --- Ending ---


@pytest.mark.both_databases
def test_nothing_is_sent_after_the_end(noon, home, anna):
    table = played(home)
    final(table)
    planned(home)
    count_season(home.season.pk)
    assert queue.store_due() == 2
    all_off(MessageChoice.objects.get())
    assert work() == []
    assert set(PlayerMessage.objects.values_list("state", flat=True)) == {"dropped"}


def test_the_last_look_before_the_mail_server_sees_the_end(home, anna, monkeypatch):
    """Somebody ends the messages while a mail is written."""
    final(played(home))
    real = queue.mail_of

    def ended_meanwhile(*args: Any) -> Any:
        made = real(*args)
        MessageChoice.objects.update(results_since=None)
        return made

    monkeypatch.setattr(queue, "mail_of", ended_meanwhile)
    assert work() == []
    assert PlayerMessage.objects.get().state == "dropped"


def test_without_its_guard_it_is_sent_after_the_end(home, anna, monkeypatch):
    final(played(home))
    real = queue.mail_of

    def ended_meanwhile(*args: Any) -> Any:
        made = real(*args)
        MessageChoice.objects.update(results_since=None)
        return made

    monkeypatch.setattr(queue, "mail_of", ended_meanwhile)
    monkeypatch.setattr(queue, "_wants", lambda *_args: True)
    assert len(work()) == 1


def test_one_kind_may_be_ended_alone(noon, home, anna):
    final(played(home))
    planned(home)
    wants(anna, home.member, results=False)
    (letter,) = work()
    assert letter.subject.startswith("Tomorrow")


def test_an_account_without_a_confirmed_address_chooses_nothing(home):
    player = account(PlayerFactory(club=home.club), home.owner, confirmed=False)
    with pytest.raises(Refused) as refused:
        wants(player, home.owner)
    assert (refused.value.status, MessageChoice.objects.count()) == (409, 0)


def test_another_account_has_to_agree(home, anna):
    since, number = MessageChoice.objects.values_list("results_since", "number").get()
    Player.objects.filter(pk=anna.pk).update(user=home.recorder)
    EmailAddress.objects.create(user=home.recorder, email=home.recorder.email, verified=True, primary=True)
    wants(anna, home.recorder, reminders=False)
    choice = MessageChoice.objects.get()
    assert (choice.user, choice.reminders_since) == (home.recorder, None)
    assert choice.results_since > since
    assert choice.number != number, "the mails of the one end nothing of the other"


# --- The mail server ---


@pytest.mark.both_databases
def test_an_address_that_is_refused_switches_the_messages_off(home, anna, monkeypatch):
    final(played(home))
    failing(monkeypatch, SMTPRecipientsRefused({home.member.email: (550, b"no such user")}))
    assert work() == []
    choice = MessageChoice.objects.get()
    assert (choice.results_since, choice.reminders_since) == (None, None)
    assert choice.refused_at is not None
    assert (PlayerMessage.objects.get().state, PlayerMessage.objects.get().error) == ("failed", "refused 550")
    final(played(home))
    assert work() == []
    wants(anna, home.member)
    assert MessageChoice.objects.get().refused_at is None


@pytest.mark.parametrize(
    "error",
    [
        SMTPRecipientsRefused({"a@b.example": (450, b"greylisted")}),
        SMTPServerDisconnected("gone"),
        SMTPDataError(554, b"not now"),
        ConnectionRefusedError(),
        TimeoutError(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_fault_that_passes_is_tried_again(home, anna, monkeypatch, error):
    final(played(home))
    failing(monkeypatch, error)
    assert work() == []
    assert work() == [], "not at once"
    message = PlayerMessage.objects.get()
    assert (message.state, message.tries) == ("waiting", 1)
    assert message.next_at > timezone.now() + timedelta(minutes=4)
    with time_machine.travel(message.next_at, tick=True):
        assert len(work()) == 1
    assert MessageChoice.objects.get().results_since is not None


def test_it_is_given_up_after_the_last_try(home, anna, monkeypatch):
    final(played(home))
    failing(monkeypatch, *[TimeoutError()] * 20)
    now = timezone.now()
    for _try in range(20):
        with time_machine.travel(now, tick=True):
            work()
        now += timedelta(hours=27)
    message = PlayerMessage.objects.get()
    assert (message.state, message.tries, message.next_at) == ("failed", len(queue.BACK_OFF) + 1, None)


def test_one_mail_that_fails_delays_no_other(home, anna, monkeypatch):
    beni = account(PlayerFactory(club=home.club, nickname="Beni"), home.recorder)
    wants(beni, home.recorder)
    final(played(home))
    failing(monkeypatch, TimeoutError())
    assert len(work()) == 1


@pytest.mark.both_databases
def test_a_claim_holds_for_its_lease_and_then_another_sender_takes_it(home, anna):
    final(played(home))
    count_season(home.season.pk)
    queue.store_due()
    assert queue._claim() is not None
    assert queue._claim() is None
    assert work() == []
    PlayerMessage.objects.update(next_at=timezone.now() - timedelta(seconds=1))
    assert len(work()) == 1


def test_killed_between_mail_server_and_mark_it_is_sent_again_with_the_same_id(home, anna):
    """The one case of a second mail, which docs/messages.md names."""
    final(played(home))
    count_season(home.season.pk)
    queue.store_due()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(queue, "_end", lambda *_args, **_more: sys.exit())
        with pytest.raises(SystemExit):
            queue.send_due()
    assert (len(mail.outbox), work()) == (1, [])
    PlayerMessage.objects.update(next_at=timezone.now())
    assert len(work()) == 1
    first, second = mail.outbox
    assert first.extra_headers["Message-ID"] == second.extra_headers["Message-ID"]


def test_the_sweep_wakes_the_task(home, anna, monkeypatch):
    woken: list[str] = []
    monkeypatch.setattr("league.jobs.tasks.wake", woken.append)
    sweep()
    assert woken == []
    Heartbeat.objects.update(busy_until=None)
    final(played(home))
    count_season(home.season.pk)
    sweep()
    assert woken == ["league.player_messages.tasks.send", "league.luck.tasks.count"]


# --- The mail ---


def test_the_mail_is_from_the_club_has_two_forms_and_can_be_ended_with_one_click(home, anna):
    Club.objects.filter(pk=home.club.pk).update(name="Jass & Söhne,\n<Rössli>")
    final(played(home))
    (letter,) = work()
    parsed = message_from_string(letter.message().as_string(), policy=policy.default)
    sender = parsed["From"].addresses[0]
    assert (sender.display_name, sender.addr_spec) == ("Jass & Söhne, <Rössli>", "karten@club.example")
    off = parsed["List-Unsubscribe"].strip()
    assert off.startswith("<https://club.example/c/roessli/messages/off/")
    assert off.endswith("/>")
    assert parsed["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert parsed["Message-ID"].endswith("@club.example>")
    kinds = [part.get_content_type() for part in parsed.walk()]
    assert kinds == ["multipart/alternative", "text/plain", "text/html"]
    html = html_of(letter)
    assert '<meta name="color-scheme" content="light dark">' in html
    assert "Jass &amp; Söhne" in html
    assert "<Rössli>" not in html
    for remote in ("<img", "src=", "url(", "<script", "<link"):
        assert remote not in html
    assert off.strip("<>") in letter.body
    assert off.strip("<>") in html


def test_no_mail_has_another_club_or_the_amounts_of_others(people: Cast) -> None:
    """Names and amounts that only others may see are marked, and are in no mail."""
    home, away = people.home, people.away
    Club.objects.filter(pk=home.club.pk).update(publishes_money=True)
    Club.objects.filter(pk=away.club.pk).update(name="Canaryclub")
    away.club.refresh_from_db()
    home.club.refresh_from_db()
    anna = account(PlayerFactory(club=home.club, nickname="Anna"), home.owner)
    wants(anna, home.owner)
    other = PlayerFactory(club=away.club, nickname="Anna", user=home.owner)
    assert other.club_id != anna.club_id
    played(away, MADE, MADE, MADE)
    table = played(home, MADE, FAILED, FAILED | {"joiners": [1, 2, 3], "made": [1, 2, 3]})
    final(table, *Table.objects.exclude(pk=table.pk))
    letters = work()
    assert len(letters) == 1
    evening = Evening.objects.select_related("season").get(pk=table.evening_id)
    sums = queue.own_sums(evening)
    own = {abs(sums[anna.pk][1] or 0)}
    own |= {payment.amount_minor for payment in payments.outstanding_payments(home.club, [anna.pk])}
    others = {abs(change or 0) for player, (_points, change) in sums.items() if player != anna.pk}
    others |= {payment.amount_minor for payment in payments.outstanding_payments(home.club)}
    assert others - own - {0}
    for text in (letters[0].body, html_of(letters[0])):
        assert "Canaryclub" not in text
        assert "sternen" not in text
        for amount in others - own - {0}:
            assert f" {format_money(amount)}" not in text
            assert f"+{format_money(amount)}" not in text


def test_the_pot_of_the_night_is_no_amount_for_an_owner_of_a_club_that_publishes_amounts(home, monkeypatch):
    Club.objects.filter(pk=home.club.pk).update(publishes_money=True)
    home.club.refresh_from_db()
    wants(account(PlayerFactory(club=home.club, nickname="Anna"), home.owner), home.owner)
    final(played(home, MADE))
    (letter,) = work()
    assert re.search(r"Hand of the night: \d+ antes", letter.body)
    # Without its guard it is one.
    monkeypatch.setattr(
        "league.player_messages.results._reader", lambda _choice, evening: access_to(home.owner, evening.club)
    )
    final(played(home, MADE))
    (letter,) = work()
    assert "Hand of the night: CHF" in letter.body


# --- Privacy ---


def test_forgetting_deletes_choices_and_messages(home, anna):
    final(played(home))
    work()
    player_forget(player=anna, actor=home.owner)
    assert (MessageChoice.objects.count(), PlayerMessage.objects.count()) == (0, 0)


def test_deleting_an_account_deletes_its_choice(home, anna):
    Player.objects.filter(pk=anna.pk).update(user=None)
    person_forget(user=home.member, actor=home.member)
    assert MessageChoice.objects.count() == 0


@pytest.mark.both_databases
def test_merging_moves_choice_and_messages(home, anna):
    final(played(home))
    work()
    main = PlayerFactory(club=home.club, nickname="Anna Meier")
    players_merge(club=home.club, player=anna, main=main, actor=home.owner, reason="the same")
    assert MessageChoice.objects.get().player == main
    assert PlayerMessage.objects.get().player == main
    table = played(home)
    final(table)
    assert len(work()) == 1, "played as Anna, sent to the one person"
    assert PlayerMessage.objects.filter(player=main).count() == 2


def test_of_two_choices_that_of_the_main_player_stays(home, anna):
    main = PlayerFactory(club=home.club, nickname="Anna Meier", user=home.member)
    wants(main, home.member, results=False)
    players_merge(club=home.club, player=anna, main=main, actor=home.owner, reason="the same")
    choice = MessageChoice.objects.get()
    assert (choice.player, choice.results_since) == (main, None)


def test_the_personal_data_export_has_them(home, anna):
    final(played(home))
    work()
    exported = {part.name: list(_rows(home.member, part)) for part in PARTS}
    assert [row["player_id"] for row in exported["message_choices"]] == [anna.pk]
    assert [(row["kind"], row["state"]) for row in exported["player_messages"]] == [("result", "sent")]


def test_old_messages_are_deleted(home, anna):
    final(played(home))
    work()
    assert queue.tidy() == 0
    assert queue.tidy(timezone.now() + timedelta(days=366)) == 1


# --- A season ---


@pytest.mark.rest
@pytest.mark.both_databases
def test_a_season_of_evenings_is_one_message_a_person_and_evening(home, anna, monkeypatch):
    """Twenty evenings; workers are killed between claim and mail, and between mail and mark; one person ends the
    messages after the tenth evening."""
    beni = account(PlayerFactory(club=home.club, nickname="Beni"), home.recorder)
    wants(beni, home.recorder)
    killed = 0
    for nth in range(1, 21):
        final(played(home, MADE))
        if nth % 3 == 0:
            # A worker claims, and is killed before it sends.
            count_season(home.season.pk)
            queue.store_due()
            killed += queue._claim() is not None
            work()
            PlayerMessage.objects.filter(next_at__isnull=False).update(next_at=timezone.now())
        work()
        work()
        if nth == 10:
            all_off(MessageChoice.objects.get(player=beni))
    assert killed == 6
    got = [letter.to[0] for letter in mail.outbox]
    assert (got.count(home.member.email), got.count(home.recorder.email)) == (20, 10)
    assert len({letter.extra_headers["Message-ID"] for letter in mail.outbox}) == 30


def test_without_its_guard_an_evening_that_is_closed_again_sends_again(home, anna, monkeypatch):
    table = played(home)
    final(table)
    assert len(work()) == 1
    for known, mails in ((queue._stored, 0), (lambda _evening: {}, 1)):
        monkeypatch.setattr(queue, "_stored", known)
        reopen(table)
        close(table)
        final(table)
        assert len(work()) == mails


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_senders_at_once_send_each_message_once(home: House) -> None:
    """Four workers store and send at the same time."""
    people = [home.owner, home.treasurer, home.recorder, home.member]
    for name, user in zip(("Anna", "Beni", "Carlo", "Doris"), people, strict=True):
        wants(account(PlayerFactory(club=home.club, nickname=name), user), user)
    tables = [played(home) for _evening in range(3)]
    final(*tables)
    count_season(home.season.pk)
    assert at_once([lambda: (queue.store_due(), queue.send_due())] * 4) == [""] * 4
    queue.store_due()
    queue.send_due()
    assert PlayerMessage.objects.filter(state="sent").count() == 12
    assert len(mail.outbox) == len({message.extra_headers["Message-ID"] for message in mail.outbox}) == 12
