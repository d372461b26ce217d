"""The server's logs contain no names, also after failed sign-ins, equal names and expired links."""

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
from tests.promises.canary import MARK, Canary, create_canary

pytestmark = pytest.mark.django_db


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """The text of the product's log at its lowest level."""
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


def make_failures(canary: Canary) -> str:
    """Make many things go wrong for one member, and return the token of the member's receipt."""
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


def test_many_failures_leave_no_name_in_the_log(home, written):
    canary = create_canary(home)
    token = make_failures(canary)
    text = written.getvalue()
    assert "Not Found" in text
    assert "odd" in text
    assert MARK not in text.casefold()
    assert token not in text


def test_without_the_filter_the_log_has_names(home, written, monkeypatch):
    monkeypatch.setattr(logs, "PRIVATE_KEYS", frozenset())
    monkeypatch.setattr(logs, "PRIVATE_TEXTS", ())
    token = make_failures(create_canary(home))
    assert MARK in written.getvalue().casefold()
    assert token in written.getvalue()
