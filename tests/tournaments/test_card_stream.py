"""The event stream of a table card's holder: as long as the card opens its table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client

from league import news
from league.access import table_cards
from league.models import Round
from league.tournaments import rounds
from tests.cast import House, house
from tests.factories import MADE, enter
from tests.processes import Process
from tests.streams import ENDED, NONE, Phone, Stream, publishing, start_stream
from tests.tournaments.played_tournaments import drawn_round, made_tournament, with_entrants

from .test_table_cards import card, table, tournament_of, url

pytestmark = [pytest.mark.needs_redis, pytest.mark.django_db(transaction=True)]

QUIET = 0.7


@pytest.fixture
def home(transactional_db: None) -> House:
    return house("roessli")


@pytest.fixture
def current(home: House) -> Round:
    """The first round, with a table 1 and a table 2."""
    tournament = made_tournament(home.club, home.owner, rounds=3)
    with_entrants(tournament, home.owner, 8)
    first_round = drawn_round(tournament, home.owner)
    rounds.round_start(tournament=tournament, author=home.owner, number=1)
    card(first_round)
    return first_round


@pytest.fixture
def stream(current: Round, start_process: Callable[..., Process], settings: Any) -> Iterator[Stream]:
    running = start_stream(start_process)
    with publishing(settings):
        yield running
    running.close()


def cookie_of(current: Round) -> str:
    """The cookie of a phone that scanned the card of table 1."""
    client = Client()
    assert client.get(f"/t/{card(current).code}/").status_code == 200
    return f"{table_cards.COOKIE}={client.cookies[table_cards.COOKIE].value}"


def holder(stream: Stream, current: Round, cookie: str, number: int = 1) -> Phone:
    return stream.phone(url(current, number, "live/"), Cookie=cookie)


def test_the_card_opens_the_stream_of_its_table_alone(stream: Stream, current: Round) -> None:
    cookie = cookie_of(current)
    phone = holder(stream, current, cookie)
    assert phone.open
    assert not holder(stream, current, cookie, number=2).open
    enter(table(current), MADE)
    assert phone.next() == "news"


def finish(current: Round, home: House) -> None:
    enter(table(current), MADE)
    known = tournament_of(current)
    rounds.round_finish(tournament=known, author=home.owner, number=current.number, despite_open=True)


def after_news(phone: Phone) -> str:
    """Return what comes after all news."""
    kind = phone.next()
    while kind == "news":
        kind = phone.next(QUIET)
    return kind


def test_the_end_of_the_round_ends_the_stream(stream: Stream, current: Round, home: House) -> None:
    cookie = cookie_of(current)
    phone = holder(stream, current, cookie)
    finish(current, home)
    assert after_news(phone) == ENDED
    assert not holder(stream, current, cookie).open


def test_without_the_message_it_would_go_on(
    stream: Stream, current: Round, home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin of the test above."""
    monkeypatch.setattr(news, "end_streams", lambda *_topics: None)
    phone = holder(stream, current, cookie_of(current))
    finish(current, home)
    assert after_news(phone) == NONE
