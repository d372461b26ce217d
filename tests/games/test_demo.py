"""The demo league: the same hands for the same day, stored by `hand_enter`, all or nothing."""

from __future__ import annotations

from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import AnonymousUser
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone, translation

from games.integrity import verify
from games.management import demo_league
from games.models import Hand, Revision
from league.access import access_to
from league.ledger.transfers import balance
from league.models import (
    Account,
    Closing,
    Club,
    Evening,
    KittyEntry,
    PlannedEvening,
    Player,
    Season,
    Standing,
    Tournament,
    User,
)
from league.payments.days import season_days
from league.payments.on_day import outstanding_on
from league.payments.services import outstanding_payments
from league.standings.plan import next_evenings
from league.treasury.statement_files import statements_of

pytestmark = pytest.mark.django_db


def load(hands: int = 120) -> str:
    out = StringIO()
    call_command("demo", hands=hands, stdout=out)
    return out.getvalue()


def deals() -> list[str]:
    return sorted(str(record["deal"]) for record in Revision.objects.values_list("record", flat=True))


@pytest.mark.rest
def test_the_demo_is_a_league_that_agrees_with_its_records_and_the_same_on_the_same_day():
    with transaction.atomic(), translation.override("en"):
        said = load()
        check_league(said)
        first = deals()
        transaction.set_rollback(True)
    assert len(set(first)) == 120
    load()
    assert deals() == first


def check_league(said: str) -> None:
    assert Hand.objects.count() == 120
    assert Evening.nights.count() == demo_league.EVENINGS
    # The evening of today stays open.
    assert Evening.objects.filter(state="open").exists()
    # German as the names of its people and places, also before the translations are compiled.
    tournament = Tournament.objects.get(name="Klausturnier")
    assert tournament.rounds.filter(state="finished").count() == 2
    assert "Mitgliederbeiträge" in KittyEntry.objects.values_list("posting__reason", flat=True)
    assert all("deal" in record for record in Revision.objects.values_list("record", flat=True)[:20])
    check_treasury(Club.objects.get(slug="roessli"))
    assert "doris@roessli.example" in said
    assert Standing.objects.filter(rank=1).count() >= Season.objects.count()
    assert list(verify.differences()) == []


def check_treasury(club: Club) -> None:
    """Bills that can be sent, entries of the kitty of which one was undone, and evenings to come in each club."""
    assert Closing.objects.filter(evening__club=club, pot=Closing.Pot.KITTY).count() == 2
    # So few hands may leave no pot, and no bill; its account and the addresses are there.
    assert statements_of(club, None, None).details is not None
    assert EmailAddress.objects.filter(user__memberships__club=club, verified=True).count() == 4
    entries = KittyEntry.objects.filter(club=club)
    assert entries.count() - entries.filter(posting__reversed_by__isnull=False).count() >= 5
    assert entries.filter(posting__reversed_by__isnull=False).exists()
    # People pay at the next evening: at the end of the closed season only the payments of its last one are outstanding.
    year = next(span for span in season_days(club, timezone.localdate()) if span.season.closed_at)
    last = year.season.evenings.latest("held_on")
    assert {payment.closing.evening_id for payment in outstanding_on(club, year.last)} <= {last.pk}
    # The box began evenings whose pots went to the kitty: below 0 it is what it still has to pay.
    box = Account.objects.get(club=club, kind=Account.Kind.BOX)
    unpaid = outstanding_payments(club)
    due = [
        (payment.amount_minor, payment.payee_id, payment.payer_id)
        for payment in unpaid
        if box.pk in (payment.payee_id, payment.payer_id)
    ]
    assert balance(box.pk) == sum(amount if payee == box.pk else -amount for amount, payee, _payer in due)
    for each in Club.objects.all():
        coming = next_evenings(access_to(AnonymousUser(), each))
        assert [evening.cancelled for evening in coming] == [False, False, False, True]
        assert PlannedEvening.objects.filter(club=each, cancelled_at__isnull=False).count() == 1


def test_a_demo_that_is_interrupted_leaves_nothing(monkeypatch):
    def stop(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("games.management.commands.demo.Command._show_progress", stop)
    with pytest.raises(KeyboardInterrupt):
        load()
    assert not any(model.objects.exists() for model in (Club, User, Player, Hand))


def test_the_demo_is_for_an_empty_database_only():
    User.objects.create_user("somebody@example.org", "kreuz-sieben")
    with pytest.raises(CommandError, match="not empty"):
        load()


def test_too_few_hands_are_refused():
    with pytest.raises(CommandError, match="evenings"):
        load(hands=3)
