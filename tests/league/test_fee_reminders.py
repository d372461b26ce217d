"""Reminders of unpaid member fees: the rule, who gets one, once, what it says, and what ends them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from league.errors import Refused
from league.features.table import ALL
from league.models import AuditEntry, Club, FeeReminders, MemberFeeShare, MessageChoice, Player, PlayerMessage
from league.player_messages import fees as fee_messages
from league.player_messages import queue
from league.player_messages.choices import all_off
from league.player_messages.fee_rule import due_day, due_number, in_words, rule_of, rule_set
from league.privacy.forgetting import player_forget
from league.privacy.personal_data_export import PARTS, _rows
from league.roster.merging import players_merge
from tests.cast import House
from tests.clients import reader
from tests.factories import PlayerFactory
from tests.league.player_messages import account, html_of, turn_on, wants, work
from tests.league.push_service import push_service
from tests.league.test_member_fees import book, mark, of, undo
from tests.league.test_push import on
from tests.page_forms import form_with

pytestmark = pytest.mark.django_db
RULE = FeeReminders(first_days=14, every_days=10, most=3)


@pytest.fixture(autouse=True)
def mails_on(settings: Any) -> None:
    turn_on(settings)
    settings.PUSH_PRIVATE = True


@pytest.fixture
def noon() -> datetime:
    return timezone.localtime().replace(hour=12, minute=0)


@pytest.fixture
def club(home: House) -> House:
    """A club with all features that reminds after 14 days, then every 10 days, three times."""
    home.club.features = list(ALL)
    home.club.save(update_fields=["features"])
    rule_set(club=home.club, actor=home.treasurer, rule=FeeReminders(first_days=14, every_days=10, most=3))
    return home


@pytest.fixture
def anna(club: House, noon: datetime) -> Iterator[Player]:
    """Anna wants reminders of member fees, and owes one from today on."""
    player = account(PlayerFactory(club=club.club, nickname="Anna"), club.member)
    with time_machine.travel(noon, tick=True):
        wants(player, club.member, results=False, reminders=False, fees=True)
        book(club, player)
        yield player


def after(noon: datetime, days: int, hour: int = 12) -> Any:
    return time_machine.travel((noon + timedelta(days=days)).replace(hour=hour), tick=True)


# --- The rule ---


@pytest.mark.parametrize(
    ("days", "number"), [(-1, 0), (0, 0), (13, 0), (14, 1), (23, 1), (24, 2), (33, 2), (34, 3), (44, 3), (900, 3)]
)
def test_the_number_of_a_day(days: int, number: int) -> None:
    day = date(2026, 12, 20)
    assert due_number(RULE, day, day + timedelta(days=days)) == number


def test_each_number_is_due_on_its_day_and_not_before() -> None:
    for first in (1, 14, 365):
        for every in (7, 30, 365):
            rule, day = FeeReminders(first_days=first, every_days=every, most=12), date(2024, 2, 29)
            for number in range(1, 13):
                due = due_day(rule, day, number)
                assert (due_number(rule, day, due), due_number(rule, day, due - timedelta(days=1))) == (
                    number,
                    number - 1,
                )


@pytest.mark.parametrize(("field", "value"), [("first_days", 0), ("every_days", 6), ("every_days", 366), ("most", 13)])
def test_a_rule_out_of_range_is_refused(club: House, field: str, value: int) -> None:
    values = {"first_days": 14, "every_days": 14, "most": 3} | {field: value}
    with pytest.raises(Refused) as refused:
        rule_set(club=club.club, actor=club.treasurer, rule=FeeReminders(**values))
    assert (refused.value.status, refused.value.at) == (422, field)
    assert FeeReminders.objects.get().every_days == 10


@pytest.mark.usefixtures("en")
def test_the_treasurer_sets_the_rule_on_the_page_and_a_recorder_does_not(club: House) -> None:
    rule_set(club=club.club, actor=None, rule=None)
    url, treasurer = f"/c/{club.club.slug}/treasury/fees/", reader(club.treasurer)
    page = treasurer.get(url)
    assert page.context["rule"] == "off"
    form = form_with(page, "first_days")
    assert [form.control(name).value for name in ("first_days", "every_days", "most")] == ["14", "14", "3"]
    form.tick("on", "on")
    assert form.submit(treasurer, "Save").status_code == 303
    assert treasurer.get(url).context["rule"] == "14 days after the day, then every 14 days, 3 at most"
    assert AuditEntry.objects.latest("pk").data == {"fields": ["fee_reminders"]}
    wrong = {"on": "on", "first_days": "14", "every_days": "1", "most": "3"}
    answer = treasurer.post(url, wrong)
    assert answer.status_code == 422
    assert 'value="1"' in answer.content.decode()
    assert reader(club.recorder).post(url, {}).status_code == 403
    assert FeeReminders.objects.count() == 1
    assert treasurer.post(url, {"first_days": ""}).status_code == 303
    assert rule_of(club.club) is None
    assert in_words(FeeReminders(first_days=1, every_days=7, most=1)) == "1 day after the day, once"


# --- Who gets one, and once ---


@pytest.mark.rest
@pytest.mark.both_databases
def test_sixty_days_with_killed_workers_are_one_message_a_person_and_number(
    club: House, anna: Player, noon: datetime
) -> None:
    """Beni wants none, Cla ends them after the first, Dora pays after the second."""
    cla = account(PlayerFactory(club=club.club, nickname="Cla"), club.recorder)
    dora = account(PlayerFactory(club=club.club, nickname="Dora"), club.owner)
    beni = PlayerFactory(club=club.club, nickname="Beni")
    for player, user in ((cla, club.recorder), (dora, club.owner)):
        wants(player, user, results=False, reminders=False, fees=True)
    book(club, beni, cla, dora)
    got: dict[str, list[int]] = {}
    killed = 0
    for day in range(61):
        with after(noon, day):
            if day % 2 == 0:
                # A worker stores and claims, and is killed before it sends.
                queue.store_due()
                killed += queue._claim() is not None
                work()
                PlayerMessage.objects.filter(next_at__isnull=False).update(next_at=timezone.now())
            before = len(mail.outbox)
            work()
            work()
            for letter in mail.outbox[before:]:
                got.setdefault(letter.to[0], []).append(day)
            if day == 20:
                all_off(MessageChoice.objects.get(player=cla))
            if day == 30:
                mark(club, of(dora))
    assert killed == 3
    # The others were sent by the first sender of the day, beside the one that was killed.
    assert len(mail.outbox) == 6
    sent = PlayerMessage.objects.filter(state="sent")
    numbers = {name: sorted(sent.filter(player__nickname=name).values_list("version", flat=True)) for name in NAMES}
    assert numbers == {"Anna": [1, 2, 3], "Beni": [], "Cla": [1], "Dora": [1, 2]}
    assert len({letter.extra_headers["Message-ID"] for letter in mail.outbox}) == 6


NAMES = ("Anna", "Beni", "Cla", "Dora")


@pytest.mark.both_databases
def test_the_database_refuses_a_second_message_of_a_number(club: House, anna: Player, noon: datetime) -> None:
    with after(noon, 15):
        assert (queue.store_due(), queue.store_due()) == (1, 0)
    message = PlayerMessage.objects.get()
    message.pk = None
    with pytest.raises(IntegrityError, match=r"version|once_a_number"), transaction.atomic():
        message.save()


def test_a_late_worker_sends_the_latest_alone(anna: Player, noon: datetime) -> None:
    with after(noon, 200):
        assert len(work()) == 1
        assert work() == []
    assert PlayerMessage.objects.get().version == 3


def test_a_waiting_one_gives_way_to_the_next(anna: Player, noon: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    with after(noon, 14):
        assert queue.store_due() == 1
    with after(noon, 24):
        assert len(work()) == 1
    assert list(PlayerMessage.objects.order_by("version").values_list("version", "state")) == [
        (1, "dropped"),
        (2, "sent"),
    ]


def test_before_nine_nothing_is_stored(anna: Player, noon: datetime) -> None:
    for hour, stored in ((8, 0), (9, 1)):
        with after(noon, 14, hour):
            assert len(fee_messages.to_remind()) == stored


def test_only_what_is_due_after_the_choice(club: House, anna: Player, noon: datetime) -> None:
    all_off(MessageChoice.objects.get())
    with after(noon, 15):
        wants(anna, club.member, results=False, reminders=False, fees=True)
        assert work() == []
    with after(noon, 24):
        assert len(work()) == 1


STOPS = {
    "paid": lambda club, anna: mark(club, of(anna)),
    "undone": lambda club, anna: undo(club, MemberFeeShare.objects.get().fee),
    "unsubscribed": lambda club, anna: all_off(MessageChoice.objects.get()),
    "no rule": lambda club, anna: rule_set(club=club.club, actor=None, rule=None),
    "no member fees": lambda club, anna: Club.objects.update(features=["messages"]),
    "no messages": lambda club, anna: Club.objects.update(features=["member_fees"]),
    "suspended": lambda club, anna: Club.objects.update(suspended_at=timezone.now()),
    "left the roster": lambda club, anna: Player.objects.filter(pk=anna.pk).update(active=False),
}


@pytest.mark.parametrize("stop", STOPS)
@pytest.mark.parametrize("stored", [False, True])
def test_nothing_is_sent_after(club: House, anna: Player, noon: datetime, stop: str, stored: bool) -> None:
    with after(noon, 14):
        if stored:
            assert queue.store_due() == 1
        STOPS[stop](club, anna)
        assert work() == []


def test_without_any_stop_it_is_sent(anna: Player, noon: datetime) -> None:
    """The twin of the test above."""
    with after(noon, 14):
        assert len(work()) == 1


@pytest.mark.parametrize("guarded", [True, False])
def test_the_last_look_sees_a_payment_that_is_marked_meanwhile(
    club: House, anna: Player, noon: datetime, monkeypatch: pytest.MonkeyPatch, guarded: bool
) -> None:
    real, paid = queue.mail_of, []

    def paid_meanwhile(*args: Any) -> Any:
        made = real(*args)
        paid.append(mark(club, of(anna)))
        if not guarded:
            monkeypatch.setattr(fee_messages, "still_due", lambda _message: True)
        return made

    monkeypatch.setattr(queue, "mail_of", paid_meanwhile)
    with after(noon, 14):
        assert (len(work()), len(paid)) == (0 if guarded else 1, 1)


# --- What it says ---


def test_the_mail_says_what_is_owed_and_has_no_amount_of_others(club: House, anna: Player, noon: datetime) -> None:
    other = PlayerFactory(club=club.club, nickname="Kanarienvogel")
    book(club, other, amount_minor=98765)
    with after(noon, 14):
        (letter,) = work()
    fee = MemberFeeShare.objects.get(player=anna).fee
    assert letter.subject == f"Not paid yet: {fee.title}, {club.club.name}"
    for text in (letter.body, html_of(letter)):
        assert "CHF\xa050.00" in text
        assert "thank you" in text
        assert f"https://club.example/c/{club.club.slug}/bill/" in text
        assert "Kanarienvogel" not in text
        # Fewer digits stand in one of many tokens by chance.
        assert "987.65" not in text
        assert "98765" not in text
    assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    off = letter.extra_headers["List-Unsubscribe"].strip("<>").removeprefix("https://club.example")
    assert Client().post(off).status_code == 200
    with after(noon, 24):
        assert work() == []


@pytest.mark.parametrize("amounts", [False, True])
def test_a_push_has_the_amount_only_where_it_is_wanted(
    club: House, anna: Player, noon: datetime, amounts: bool
) -> None:
    with push_service() as service:
        phone = on(service.phone(), club.member)
        wants(anna, club.member, results=False, reminders=False, fees=True, way="push", amounts=amounts)
        with after(noon, 14):
            assert work() == []
        (got,) = phone.got
    assert ("50.00" in got["body"] + got["title"]) is amounts
    assert got["url"] == f"/c/{club.club.slug}/bill/"


def test_a_player_without_an_account_gets_no_link(club: House, noon: datetime) -> None:
    player = PlayerFactory(club=club.club, nickname="Anna")
    with time_machine.travel(noon, tick=True):
        wants(player, None, results=False, reminders=False, fees=True, email="anna@post.example")
        book(club, player)
    with after(noon, 14):
        (letter,) = work()
    assert letter.to == ["anna@post.example"]
    assert "/bill/" not in letter.body


# --- Choosing, and privacy ---


@pytest.mark.usefixtures("en")
def test_it_is_a_choice_of_its_own_where_the_club_has_member_fees(club: House, anna: Player) -> None:
    url, member = f"/c/{club.club.slug}/messages/", reader(club.member)
    assert 'type="checkbox" name="fees" checked' in member.get(url).content.decode()
    Club.objects.update(features=["messages"])
    page = member.get(url)
    assert "member fee" not in page.content.decode()
    form_with(page, "fees").submit(member, "Save")
    assert MessageChoice.objects.get().fees_since is not None, "the choice is kept while the feature is off"
    member.post(url, {"player": anna.pk, "results": "on", "way": "mail"})
    choice = MessageChoice.objects.get()
    assert (choice.fees_since, choice.results_since is None) == (None, False)


@pytest.mark.both_databases
def test_merged_forgotten_and_exported(club: House, anna: Player, noon: datetime) -> None:
    other = PlayerFactory(club=club.club, nickname="Anna Meier")
    book(club, other)
    with after(noon, 14):
        assert len(work()) == 1
        players_merge(club=club.club, player=anna, main=other, actor=club.owner, reason="the same")
        (letter,) = work()
        assert letter.to == [club.member.email], "the share of the other player is the person's, too"
    with after(noon, 24):
        assert len(work()) == 2
    assert PlayerMessage.objects.filter(player=other).count() == 4
    exported = {part.name: list(_rows(club.member, part)) for part in PARTS}
    assert [row["number"] for row in exported["player_messages"]] == [1, 1, 2, 2]
    assert exported["message_choices"][0]["fees_since"] is not None
    player_forget(player=other, actor=club.owner)
    assert (MessageChoice.objects.count(), PlayerMessage.objects.count()) == (0, 0)
