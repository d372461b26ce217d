"""Messages to players: who gets a result or a reminder, what it says, and once."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import time, timedelta
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core import mail
from django.utils import timezone

from games.closing.services import payments_mark
from games.corrections.edits import Change, TakeOut
from games.corrections.services import correct
from games.models import Table
from league.attendance.services import answer_set
from league.models import (
    Club,
    Evening,
    EveningToTell,
    Membership,
    MessageChoice,
    PlannedEvening,
    Player,
    PlayerMessage,
    Season,
    User,
)
from league.player_messages import choices, queue
from league.standings.counting import count_season
from tests.cast import House
from tests.factories import FAILED, MADE, PASSED_OUT, PlayerFactory, SeasonFactory
from tests.league.player_messages import account, close, final, html_of, planned, played, reopen, turn_on, wants, work

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


# --- The result ---


@pytest.mark.both_databases
@pytest.mark.services
def test_whoever_wants_it_gets_the_result_once_the_evening_is_final(home, anna):
    table = played(home)
    assert work() == []
    final(table)
    (letter,) = work()
    assert letter.to == [home.member.email]
    assert work() == []
    assert (PlayerMessage.objects.get().state, EveningToTell.objects.count()) == ("sent", 0)


def test_the_mail_has_the_sum_the_rank_the_payments_and_the_hand_of_the_night(home, anna):
    played(home)
    table = played(home, MADE, MADE, FAILED)
    final(table)
    (letter,) = work()
    html = html_of(letter)
    assert letter.subject.startswith("Your result: Evening 2, ")
    for text in (letter.body, html):
        assert "points" in text
        assert "Hand of the night" in text
        assert "hand 1" in text
        assert f"https://club.example{table.evening.get_absolute_url()}" in text
        assert home.season.name in text
        assert "You get" in text or "You pay" in text
    assert "CHF" in letter.body


@pytest.mark.parametrize("language", ["de", "en"])
def test_it_is_in_the_language_in_which_it_was_chosen(home, anna, language):
    wants(anna, home.member, language)
    final(played(home))
    (letter,) = work()
    assert letter.subject.startswith({"de": "Dein Resultat", "en": "Your result"}[language])
    assert f'<html lang="{language}">' in html_of(letter)


def test_a_season_of_points_only_has_no_amount(home, anna):
    Season.objects.filter(pk=home.season.pk).update(points_only=True, ranking="points")
    home.season.refresh_from_db()
    final(played(home))
    (letter,) = work()
    assert "point" in letter.body
    for text in (letter.body, html_of(letter)):
        assert "CHF" not in text
        assert "You pay" not in text
        assert "all paid" not in text
    assert PlayerMessage.objects.get().change_minor is None


def test_a_season_by_balance_says_the_amount_first(home, anna):
    Season.objects.filter(pk=home.season.pk).update(ranking="balance")
    home.season.refresh_from_db()
    table = played(home)
    final(table)
    (letter,) = work()
    assert "CHF" in letter.body.splitlines()[2]


def test_paid_is_paid(home, anna):
    table = played(home)
    payments_mark(evening=Evening.objects.get(pk=table.evening_id), author=None, key=uuid.uuid4(), paid=True)
    final(table)
    (letter,) = work()
    assert "Payments: all paid" in letter.body


@pytest.mark.both_databases
def test_a_correction_is_sent_to_those_whose_own_sum_changed(home, anna):
    beni = account(PlayerFactory(club=home.club, nickname="Beni"), home.recorder)
    emil = account(PlayerFactory(club=home.club, nickname="Emil"), home.owner)
    for player, user in ((beni, home.recorder), (emil, home.owner)):
        wants(player, user)
    table = played(home, MADE, MADE, PASSED_OUT)
    final(table)
    assert len(work()) == 3
    reopen(table)
    assert work() == []
    close(table)
    final(table)
    assert work() == [], "closed again as it was"
    reopen(table)
    # Carlo joined, and not Beni: for Anna and Emil nothing changes.
    players = tuple(table.places.order_by("seat").values_list("player_id", flat=True))
    carlo_joined = {"declarer": 0, "joiners": [2], "made": [0, 2]}
    edit = Change(1, players, carlo_joined)
    correct(table=Table.objects.get(pk=table.pk), author=home.recorder, key=uuid.uuid4(), edit=edit)
    close(table)
    final(table)
    (letter,) = work()
    assert (letter.to, letter.subject.startswith("Corrected: ")) == ([home.recorder.email], True)
    assert work() == []


def test_an_evening_that_is_opened_before_it_is_sent_sends_nothing_and_then_once(home, anna):
    table = played(home)
    final(table)
    count_season(home.season.pk)
    queue.store_due()
    reopen(table)
    assert work() == []
    assert PlayerMessage.objects.get().state == "dropped"
    close(table)
    final(table)
    assert len(work()) == 1
    assert len(work()) == 0


def test_a_correction_during_the_time_for_corrections_makes_one_mail_with_the_last_sums(home, anna):
    table = played(home, MADE, MADE, FAILED)
    correct(table=Table.objects.get(pk=table.pk), author=home.recorder, key=uuid.uuid4(), edit=TakeOut(1))
    final(table)
    assert len(work()) == 1
    assert PlayerMessage.objects.get().version == 2


def test_other_points_while_a_message_waits_are_in_it(home, anna):
    final(played(home))
    count_season(home.season.pk)
    queue.store_due()
    before = PlayerMessage.objects.get().points
    Season.objects.filter(pk=home.season.pk).update(points_declared=7)
    assert len(work()) == 1
    message = PlayerMessage.objects.get()
    assert (message.state, message.points == before) == ("sent", False)


def test_nobody_gets_a_mail_who_was_not_there_or_did_not_agree(home, anna):
    account(PlayerFactory(club=home.club, nickname="Beni"), home.recorder)
    absent = account(PlayerFactory(club=home.club, nickname="Zoe"), home.owner)
    wants(absent, home.owner, reminders=False)
    final(played(home))
    assert [letter.to for letter in work()] == [[home.member.email]]


def test_nobody_gets_evenings_before_the_agreement(home, anna):
    table = played(home)
    Evening.objects.filter(pk=table.evening_id).update(final_at=timezone.now() - timedelta(hours=3))
    assert work() == []
    assert not EveningToTell.objects.exists()


def test_an_evening_that_was_final_for_a_week_is_no_news(home, anna):
    MessageChoice.objects.update(results_since=timezone.now() - timedelta(days=90))
    table = played(home)
    Evening.objects.filter(pk=table.evening_id).update(final_at=timezone.now() - timedelta(days=8))
    assert work() == []


@pytest.mark.parametrize("change", ["feature", "membership", "untied", "unconfirmed", "inactive", "left", "other"])
def test_nothing_is_sent_once_it_is_not_theirs_any_more(home, anna, change):
    final(played(home))
    changes: dict[str, Callable[[], Any]] = {
        "feature": lambda: Club.objects.filter(pk=home.club.pk).update(features=[]),
        "membership": lambda: Membership.objects.filter(user=home.member).delete(),
        "untied": lambda: Player.objects.filter(pk=anna.pk).update(user=None),
        "unconfirmed": lambda: EmailAddress.objects.update(verified=False),
        "inactive": lambda: User.objects.filter(pk=home.member.pk).update(is_active=False),
        "left": lambda: Player.objects.filter(pk=anna.pk).update(active=False),
        "other": lambda: Player.objects.filter(pk=anna.pk).update(user=home.recorder),
    }
    changes[change]()
    assert work() == []


def test_without_its_guard_an_account_that_left_the_club_gets_a_mail(home, anna, monkeypatch):
    final(played(home))
    Membership.objects.filter(user=home.member).delete()
    monkeypatch.setattr(queue, "address_of", lambda choice: choices.confirmed_address(choice.user))
    assert len(work()) == 1


def test_a_suspended_club_sends_nothing_until_it_is_resumed(home, anna):
    table = played(home)
    final(table)
    count_season(home.season.pk)
    queue.store_due()
    Club.objects.filter(pk=home.club.pk).update(suspended_at=timezone.now())
    assert work() == []
    Club.objects.filter(pk=home.club.pk).update(suspended_at=None)
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=True):
        assert len(work()) == 1


def test_the_result_waits_for_the_count_but_not_forever(home, anna):
    table = played(home)
    final(table)
    assert (queue.store_due(), queue.is_due()) == (0, False)
    with time_machine.travel(timezone.now() + timedelta(hours=2), tick=True):
        assert queue.store_due() == 1
        assert queue.send_due() == 1
    assert home.season.name not in mail.outbox[0].body


def test_a_server_without_mail_stores_nothing(home, anna, settings):
    settings.MAIL_ON = False
    final(played(home))
    assert (EveningToTell.objects.count(), queue.is_due()) == (0, False)


# --- The reminder ---
@pytest.mark.both_databases
@pytest.mark.parametrize(("answer", "says"), [("", "Are you coming?"), ("open", "not sure yet"), ("yes", "You said")])
def test_the_day_before_whoever_did_not_say_no_is_reminded_once(noon, home, anna, answer, says):
    evening = planned(home, place="Bären")
    if answer:
        answer_set(planned=evening, player=anna, answer=answer, actor=None)
    (letter,) = work()
    assert letter.subject == f"Tomorrow at 20:00: {home.club.name}"
    for text in (letter.body, html_of(letter)):
        assert says in text
        assert "Bären" in text
        assert f"/c/roessli/s/2026/plan/{evening.pk}/coming/" in text
    answer_set(planned=evening, player=anna, answer="open", actor=None)
    assert work() == []


def test_looking_for_reminders_costs_the_same_in_each_club(noon, home, anna, django_assert_num_queries):
    for days in range(5):
        season = SeasonFactory(club=home.club)
        PlannedEvening.objects.create(
            club=home.club, season=season, held_on=timezone.localdate() + timedelta(days=1), begins_at=time(20, days)
        )
    assert len(work()) == 5
    with django_assert_num_queries(4):
        assert not queue.is_due()


def test_whoever_does_not_come_is_not_reminded(noon, home, anna):
    evening = planned(home)
    answer_set(planned=evening, player=anna, answer="no", actor=None)
    assert work() == []
    answer_set(planned=evening, player=anna, answer="yes", actor=None)
    queue.store_due()
    answer_set(planned=evening, player=anna, answer="no", actor=None)
    assert work() == []


@pytest.mark.parametrize(("days", "hour", "sent"), [(1, 8, 0), (1, 9, 1), (1, 23, 1), (2, 12, 0), (0, 12, 0)])
def test_only_on_the_day_before_from_nine_o_clock_on(home, anna, days, hour, sent):
    with time_machine.travel(timezone.localtime().replace(hour=hour, minute=30), tick=True):
        planned(home, days)
        assert len(work()) == sent


def test_a_server_that_stood_still_reminds_on_the_day_itself_until_it_begins(noon, home, anna):
    planned(home)
    with time_machine.travel(noon + timedelta(days=1), tick=True):
        (letter,) = work()
        assert letter.subject.startswith("Today at ")


def test_not_of_an_evening_that_is_cancelled_open_or_moved(noon, home, anna):
    evening = planned(home)
    PlannedEvening.objects.update(cancelled_at=timezone.now())
    assert work() == []
    PlannedEvening.objects.update(cancelled_at=None)
    queue.store_due()
    PlannedEvening.objects.filter(pk=evening.pk).update(held_on=evening.held_on + timedelta(days=3))
    assert work() == []
    with time_machine.travel(noon + timedelta(days=3), tick=True):
        assert len(work()) == 1, "of its new day"


def test_without_who_comes_it_only_reminds(noon, home, anna):
    Club.objects.filter(pk=home.club.pk).update(features=["messages"])
    planned(home, note="Münz mitbringen")
    (letter,) = work()
    assert "coming" not in letter.body
    assert "Münz mitbringen" in letter.body
