"""Bills by mail: only to confirmed addresses, once for a request, each failure named; and a member's own page."""

from __future__ import annotations

import io
import uuid
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.urls import reverse
from pypdf import PdfReader

from league.errors import Refused
from league.models import AuditEntry, Player, SentBill
from league.treasury import bill_mail
from league.treasury.bill_mail import bills_send, recipients
from league.treasury.billing_account import billing_set
from league.treasury.statement_files import Statements, statements_of
from tests.cast import House
from tests.factories import FAILED, PlayerFactory
from tests.league.test_treasury import DAY, closed, reader
from tests.league.test_treasury_bills import VALUES

pytestmark = pytest.mark.django_db

PAGE = "https://club.example/c/roessli/bill/"


@pytest.fixture
def owing(home: House, settings: Any) -> House:
    """A club in which two people owe the kitty; the member is one of them, with a confirmed address."""
    settings.MAIL_ON = True
    closed(home, FAILED, held_on=DAY)
    closed(home, FAILED | {"declarer": 1, "joiners": [0, 2], "made": [0, 2]}, held_on=DAY)
    billing_set(club=home.club, actor=None, values=VALUES | {"least_minor": 1})
    first = bills(home).bills()[0]
    Player.objects.filter(pk=first.player_id).update(user=home.member)
    EmailAddress.objects.create(user=home.member, email=home.member.email, verified=True, primary=True)
    return home


def bills(home: House) -> Statements:
    return statements_of(home.club, DAY, DAY)


def send(home: House, *players: int, key: uuid.UUID | None = None) -> list[SentBill]:
    of = bills(home)
    author, key = home.treasurer, key or uuid.uuid4()
    return bills_send(club=home.club, author=author, key=key, of=of, players=players, page=PAGE)


def member(home: House) -> int:
    return Player.objects.get(club=home.club, user=home.member).pk


@pytest.mark.both_databases
def test_a_bill_is_sent_once_with_its_pdf(owing: House) -> None:
    key, player = uuid.uuid4(), member(owing)
    for _time in range(2):
        assert [result.state for result in send(owing, player, key=key)] == ["sent"]
    (sent,) = mail.outbox
    assert sent.to == [owing.member.email]
    assert PAGE in sent.body
    ((name, content, kind),) = sent.attachments
    assert (name, kind) == (f"{owing.club.slug}-{DAY.isoformat()}.pdf", "application/pdf")
    assert len(PdfReader(io.BytesIO(content)).pages) == 1
    assert AuditEntry.objects.get(what="bills_sent").data == {"count": 1, "failed": 0}
    # The page proposes no bill that was sent with the same sum.
    (mine,) = [recipient for recipient in recipients(bills(owing)) if recipient.statement.player_id == player]
    assert (mine.chosen, mine.before) == (False, SentBill.objects.get())


def test_only_a_confirmed_address_gets_a_bill(owing: House) -> None:
    everybody = recipients(bills(owing))
    assert len(everybody) > 1
    assert [recipient.address for recipient in everybody if recipient.address] == [owing.member.email]
    other = next(recipient.statement.player_id for recipient in everybody if not recipient.address)
    EmailAddress.objects.create(user=owing.owner, email=owing.owner.email, verified=False, primary=True)
    Player.objects.filter(pk=other).update(user=owing.owner)
    for player in (other, PlayerFactory().pk):
        with pytest.raises(Refused) as caught:
            send(owing, member(owing), player)
        assert caught.value.status == 422
    assert mail.outbox == []
    assert not SentBill.objects.exists()
    EmailAddress.objects.filter(user=owing.owner).update(verified=True)
    assert len(send(owing, member(owing), other)) == len(mail.outbox) == 2


def test_a_failure_is_named_and_the_others_are_sent(owing: House, monkeypatch: pytest.MonkeyPatch) -> None:
    other = next(recipient.statement.player_id for recipient in recipients(bills(owing)) if not recipient.address)
    EmailAddress.objects.create(user=owing.owner, email=owing.owner.email, verified=True, primary=True)
    Player.objects.filter(pk=other).update(user=owing.owner, nickname="Zoe")
    whole = EmailBackend.send_messages

    def refuses(self: EmailBackend, messages: list[Any]) -> int:
        if messages[0].to == [owing.owner.email]:
            raise OSError("mailbox unavailable")
        return whole(self, messages)

    monkeypatch.setattr(EmailBackend, "send_messages", refuses)
    client = reader(owing.treasurer)
    url = reverse("bills-send", kwargs={"club": owing.club.slug})
    key = str(uuid.uuid4())
    sent = {"key": key, "from": DAY.isoformat(), "to": DAY.isoformat(), "player": [member(owing), other]}
    page = client.post(url, sent, follow=True).content.decode()
    assert "1 bill sent." in page
    assert "did not take it: Zoe." in page
    assert {sent_bill.player_id: sent_bill.state for sent_bill in SentBill.objects.all()} == {
        member(owing): "sent",
        other: "failed",
    }
    # The same request again sends nothing; a new one may.
    client.post(url, sent)
    assert len(mail.outbox) == 1
    assert [recipient.chosen for recipient in recipients(bills(owing)) if recipient.statement.player_id == other] == [
        True
    ]


def test_a_bill_that_was_claimed_before_a_crash_is_not_sent_again(
    owing: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = uuid.uuid4()
    with monkeypatch.context() as crash:
        crash.setattr(bill_mail, "_mail", lambda *_given: exec("raise KeyboardInterrupt"))
        with pytest.raises(KeyboardInterrupt):
            send(owing, member(owing), key=key)
    assert [result.state for result in send(owing, member(owing), key=key)] == ["claimed"]
    assert mail.outbox == []
    sent = {"key": str(key), "from": DAY.isoformat(), "to": DAY.isoformat(), "player": [member(owing)]}
    page = reader(owing.treasurer).post(reverse("bills-send", kwargs={"club": owing.club.slug}), sent, follow=True)
    assert f"Perhaps sent: {Player.objects.get(pk=member(owing)).nickname}." in page.content.decode()
    assert "Not sent" not in page.content.decode()


def test_a_bill_that_another_request_claims_at_the_same_time_is_perhaps_sent(
    owing: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, real = uuid.uuid4(), bill_mail._claim

    def claimed(*given: Any) -> tuple[SentBill, bool]:
        return real(*given)[0], False

    monkeypatch.setattr(bill_mail, "_claim", claimed)
    assert [result.state for result in send(owing, member(owing), key=key)] == ["claimed"]
    assert mail.outbox == []
    assert not AuditEntry.objects.filter(what="bills_sent").exists()


def test_all_mails_of_a_request_go_through_one_connection(owing: House, monkeypatch: pytest.MonkeyPatch) -> None:
    other = next(recipient.statement.player_id for recipient in recipients(bills(owing)) if not recipient.address)
    EmailAddress.objects.create(user=owing.owner, email=owing.owner.email, verified=True, primary=True)
    Player.objects.filter(pk=other).update(user=owing.owner)
    done: list[str] = []
    for name in ("open", "send_messages", "close"):
        monkeypatch.setattr(EmailBackend, name, lambda self, *given, name=name: done.append(name))
    send(owing, member(owing), other)
    assert done == ["open", "send_messages", "open", "send_messages", "close"]


def test_a_server_without_mail_shows_that_and_sends_nothing(owing: House, settings: Any) -> None:
    settings.MAIL_ON = False
    client = reader(owing.treasurer)
    url = reverse("bills-send", kwargs={"club": owing.club.slug})
    page = client.get(url, {"from": DAY.isoformat(), "to": DAY.isoformat()})
    assert "This server sends no mail." in page.content.decode()
    assert not page.context["can_send"]
    with pytest.raises(Refused) as caught:
        send(owing, member(owing))
    assert (caught.value.status, caught.value.code) == (409, "mail")


@pytest.mark.parametrize("base", ["", "https://club.example"])
def test_a_mail_has_an_absolute_link_with_and_without_a_base_address(owing: House, settings: Any, base: str) -> None:
    settings.BASE_URL = base
    url = reverse("bills-send", kwargs={"club": owing.club.slug})
    days = {"from": DAY.isoformat(), "to": DAY.isoformat()}
    link = f"{base or 'http://testserver'}{reverse('bill-mine', kwargs={'club': owing.club.slug})}"
    shown = reader(owing.treasurer).get(url, days)
    assert link in shown.content.decode()
    answer = reader(owing.treasurer).post(url, {**days, "key": shown.context["key"], "player": member(owing)})
    assert answer.status_code == 303
    assert link in mail.outbox[0].body.splitlines()


def test_a_member_reads_only_the_own_bill(owing: House) -> None:
    client = reader(owing.member)
    url = reverse("bill-mine", kwargs={"club": owing.club.slug})
    pdf = reverse("bill-mine-pdf", kwargs={"club": owing.club.slug})
    ((mine, _outcome),) = client.get(url).context["statements"]
    assert mine.player_id == member(owing)
    others = [statement.player_id for statement in bills(owing).found if statement.player_id != mine.player_id]
    assert [client.get(pdf, {"player": number}).status_code for number in (*others, "x")] == [404] * (len(others) + 1)
    answer = client.get(pdf, {"player": mine.player_id})
    assert mine.name in PdfReader(io.BytesIO(answer.content)).pages[0].extract_text()
    assert reader(owing.recorder).get(pdf).status_code == 303
    assert reader(owing.recorder).get(url).context["statements"] == []
