"""The server's logs name nobody, whatever happens: sign-ins that fail, names that clash, links that are over."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator

import pytest
import structlog
from django.db import IntegrityError, transaction
from django.test import Client

from games.closing.receipts import token_for
from league.config import logs
from league.models import Player
from tests.cast import House, house
from tests.promises.canary import MARK, Canary, settle_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def home() -> House:
    return house("roessli")


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """All that the product would write to its log, as it would write it, with everything turned on."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    how = logs.configure("json", "DEBUG")["formatters"]["line"]
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(foreign_pre_chain=how["foreign_pre_chain"], processors=how["processors"])
    )
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield stream
    root.removeHandler(handler)
    root.setLevel(before)


def happenings(canary: Canary) -> str:
    """A day on which much goes wrong for one member; gives the token of their receipt."""
    client = Client(raise_request_exception=False)
    client.post("/login/", {"login": canary.user.email, "password": f"wrong {MARK}"})
    client.post("/password/", {"email": canary.user.email})
    token = token_for(canary.table.evening.closings.latest("number").pk, canary.player.pk)
    client.get(f"/r/{token}/")
    client.get(f"/r/{token}x/")
    client.get(f"/join/{MARK}token/")
    client.get(f"/api/v1/clubs/{canary.club.slug}", headers={"Authorization": f"Bearer chz_{MARK}"})
    client.get(f"/c/{canary.club.slug}/?q={MARK}")
    try:
        with transaction.atomic():
            Player.objects.create(club=canary.club, nickname=canary.player.nickname)
    except IntegrityError:
        logging.getLogger("django.request").exception("Internal Server Error")
    structlog.get_logger("league").warning("odd", player=canary.player.nickname, who=[canary.user.email])
    return token


def test_a_bad_day_leaves_no_name_in_the_log(home, written):
    canary = settle_in(home)
    token = happenings(canary)
    told = written.getvalue()
    assert "Not Found" in told
    assert "odd" in told
    assert MARK not in told.casefold()
    assert token not in told


def test_without_the_guard_there_are_some(home, written, monkeypatch):
    monkeypatch.setattr(logs, "PRIVATE_KEYS", frozenset())
    monkeypatch.setattr(logs, "IN_TEXTS", ())
    token = happenings(settle_in(home))
    assert MARK in written.getvalue().casefold()
    assert token in written.getvalue()
