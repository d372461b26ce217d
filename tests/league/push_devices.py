"""Fixtures and steps of the tests of messages by push."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone

from league.attendance.link import link_renew, token_of
from league.models import Player, PlayerMessage, User
from league.player_messages import push_devices
from league.player_messages.push_devices import Owner, Subscription
from tests.cast import House
from tests.factories import PlayerFactory
from tests.league.player_messages import account, turn_on, wants
from tests.league.push_service import Phone, PushService, push_service


@pytest.fixture
def push_on(settings: Any) -> None:
    turn_on(settings)
    settings.PUSH_PRIVATE = True


@pytest.fixture
def service() -> Iterator[PushService]:
    with push_service() as server:
        yield server


@pytest.fixture
def anna(home: House) -> Player:
    """Anna plays with the account of the member, and wants both by push."""
    player = account(PlayerFactory(club=home.club, nickname="Anna"), home.member)
    wants(player, home.member, way="push")
    return player


def on(phone: Phone, user: User | None = None, player: Player | None = None) -> Phone:
    """Switch the messages on in this browser."""
    push_devices.device_on(Owner(user, player), Subscription(**phone.fields), "Firefox, Android")
    return phone


def page(home: House) -> str:
    return f"/c/{home.club.slug}/messages/"


def linked(player: Player) -> str:
    return f"/c/{player.club.slug}/coming/{token_of(link_renew(player=player, actor=None))}/messages/"


def later() -> None:
    """Let the claims and the waits be over."""
    PlayerMessage.objects.filter(next_at__isnull=False).update(next_at=timezone.now())
