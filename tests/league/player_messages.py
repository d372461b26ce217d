"""What the tests of messages to players do: agree, play, let an evening become final, be a worker."""

from __future__ import annotations

import uuid
from datetime import time, timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.core.mail.backends.locmem import EmailBackend
from django.utils import timezone, translation

from games.closing.services import evening_close, evening_reopen
from games.models import Table
from league.models import (
    Evening,
    MessageChoice,
    PlannedEvening,
    Player,
    Season,
    User,
)
from league.player_messages import queue
from league.player_messages.choices import choice_set
from league.standings.counting import count_season
from tests.cast import House
from tests.factories import FAILED, MADE, create_table, enter


def account(player: Player, user: User, *, confirmed: bool = True) -> Player:
    """Tie the player to the account, which has an address."""
    Player.objects.filter(pk=player.pk).update(user=user)
    EmailAddress.objects.create(user=user, email=user.email, verified=confirmed, primary=True)
    player.refresh_from_db()
    return player


def wants(player: Player, user: User | None, language: str = "en", **more: Any) -> MessageChoice:
    with translation.override(language):
        return choice_set(player=player, user=user, **{"results": True, "reminders": True} | more)


def played(home: House, *records: dict[str, Any], pot: str = "carry") -> Table:
    """An evening with these hands that was closed."""
    table = create_table(season=home.season, club=home.club, held_on=timezone.localdate())
    for record in records or (MADE, FAILED):
        enter(table, record)
    close(table, pot)
    return table


def close(table: Table, pot: str = "carry") -> None:
    evening = Evening.objects.get(pk=table.evening_id)
    evening_close(evening=evening, author=None, key=uuid.uuid4(), pot=pot)


def reopen(table: Table) -> None:
    evening = Evening.objects.get(pk=table.evening_id)
    evening_reopen(evening=evening, author=None, key=uuid.uuid4(), owner=True, reason="a wrong hand")


def final(*tables: Table) -> None:
    """Let the time for corrections be over."""
    for table in tables:
        Evening.objects.filter(pk=table.evening_id).update(final_at=timezone.now())


def work() -> list[EmailMultiAlternatives]:
    """Do what a worker does, and return the mails of it."""
    before = len(mail.outbox)
    for season in Season.objects.all():
        count_season(season.pk)
    queue.store_due()
    queue.send_due()
    return mail.outbox[before:]  # type: ignore[return-value]


def html_of(letter: EmailMultiAlternatives) -> str:
    return str(letter.alternatives[0][0])


def planned(home: House, days: int = 1, **more: Any) -> PlannedEvening:
    day = timezone.localdate() + timedelta(days=days)
    values = {"club": home.club, "season": home.season, "held_on": day, "begins_at": time(20)} | more
    return PlannedEvening.objects.create(**values)


def failing(monkeypatch: pytest.MonkeyPatch, *errors: Exception | None) -> list[Exception | None]:
    """Let the mail server fail with these, one for each mail; None takes the mail."""
    left = list(errors)
    real = EmailBackend.send_messages

    def send(self: EmailBackend, messages: Any) -> int:
        error = left.pop(0) if left else None
        if error is not None:
            raise error
        return real(self, messages)

    monkeypatch.setattr(EmailBackend, "send_messages", send)
    return left


def turn_on(settings: Any) -> None:
    """Let the server send mails."""
    settings.MAIL_ON, settings.BASE_URL = True, "https://club.example"
    settings.DEFAULT_FROM_EMAIL = "Chratzete <karten@club.example>"
