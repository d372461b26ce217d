"""The event stream: a real process on a real Redis tells phones that there is something new, and nobody else."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.db import transaction
from django.urls import reverse

from games.models import Table
from games.table import pencil
from league import news
from league.access.roles import role_set, role_take
from league.models import Club, Role
from league.operator.services import club_suspend
from league.standings.counting import count_season
from tests import servers
from tests.cast import Cast, cast
from tests.factories import MADE, create_table, enter
from tests.processes import Process, processes_in, wait_until
from tests.streams import ENDED, NONE, Stream, publishing, start_stream

pytestmark = [pytest.mark.needs_redis, pytest.mark.django_db(transaction=True)]

QUIET = 0.7
"""Seconds in which a message would have come: those that come need milliseconds."""
TOKEN = "read-the-metrics"
SETTINGS = {"STREAMS_PER_PERSON": "3", "METRICS_TOKEN": TOKEN}
OPEN = "\nchratzete_streams_open {}\n"


@pytest.fixture
def people(transactional_db: None) -> Cast:
    return cast()


@pytest.fixture
def table(people: Cast) -> Table:
    return create_table(club=people.home.club, season=people.home.season, author=people.home.recorder)


@pytest.fixture(scope="module")
def kept_stream(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Stream]:
    """One process for the tests of this file: a start takes seconds."""
    with processes_in(tmp_path_factory.mktemp("kept")) as start:
        with django_db_blocker.unblock():
            running = start_stream(start, **SETTINGS)
        yield running


@pytest.fixture
def stream(table: Table, kept_stream: Stream, settings: Any) -> Iterator[Stream]:
    """The process without a phone, and the news of this process for it."""
    with publishing(settings):
        yield kept_stream
    kept_stream.close()
    wait_until(lambda: OPEN.format(0) in metrics(kept_stream), 10, "all phones are gone")


def metrics(stream: Stream) -> str:
    return stream.get("/metrics", Authorization=f"Bearer {TOKEN}")


def live(table: Table, route: str = "evening-live") -> str:
    names = {"evening": table.evening_id} if route.startswith("evening") else {"table": table.pk}
    return reverse(route, kwargs={"club": table.evening.club.slug, **names})


def standings(people: Cast) -> str:
    return reverse("season-standings", kwargs={"club": "roessli", "season": people.home.season.slug})


def roll_back(table: Table) -> None:
    with transaction.atomic():
        enter(table, MADE)
        transaction.set_rollback(True)


def test_news_arrive_with_the_commit(stream: Stream, table: Table, people: Cast) -> None:
    evening, watching, season = (
        stream.phone(live(table)),
        stream.phone(live(table, "table-live"), people.home.owner),
        stream.phone(standings(people), people.home.member),
    )
    with transaction.atomic():
        enter(table, MADE)
        assert evening.next(QUIET) == NONE
    assert [phone.next() for phone in (evening, watching, season)] == ["news"] * 3
    count_season(people.home.season.pk)
    assert [phone.next() for phone in (evening, season)] == ["news"] * 2


def test_a_rollback_is_no_news(stream: Stream, table: Table) -> None:
    phone = stream.phone(live(table))
    roll_back(table)
    assert phone.next(QUIET) == NONE
    enter(table, MADE)
    assert phone.next() == "news"


def test_without_the_commit_a_rollback_would_be_news(
    stream: Stream, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin of the test above."""
    monkeypatch.setattr(transaction, "on_commit", lambda call, **_more: call())
    phone = stream.phone(live(table))
    roll_back(table)
    assert phone.next() == "news"


def test_another_club_and_another_table_hear_nothing(stream: Stream, table: Table, people: Cast) -> None:
    away = create_table(club=people.away.club, season=people.away.season, author=people.away.recorder)
    beside = create_table(club=people.home.club, season=people.home.season, author=people.home.recorder)
    canary = stream.phone(live(away), people.away.member)
    other = stream.phone(live(beside, "table-live"), people.home.recorder)
    phone = stream.phone(live(table))
    enter(table, MADE)
    assert phone.next() == "news"
    assert (canary.next(QUIET), other.next(QUIET)) == (NONE, NONE)
    enter(away, MADE)
    assert canary.next() == "news"


def test_a_stream_says_nothing_but_a_number(stream: Stream, table: Table) -> None:
    phone = stream.phone(live(table))
    enter(table, MADE)
    text = b""
    while b"event: news" not in text or not text.endswith(b"\n\n"):
        text += phone.socket.recv(4096)
    _beginning, _kind, content = text.decode().partition("event: news\n")
    assert re.fullmatch(r"data: \d+\n\n", content)
    assert "cookie" not in phone.head.decode().lower()


def test_the_pencil_is_news_of_its_table(stream: Stream, table: Table, people: Cast) -> None:
    phone = stream.phone(live(table, "table-live"), people.home.owner)
    pencil.take(table, people.home.recorder, str(uuid.uuid4()))
    assert phone.next() == "news"


# --- Rights ------------------------------------------------------------------------------------------------


def make_private(club: Club) -> None:
    club.visibility = Club.Visibility.PRIVATE
    club.save()


def test_who_may_not_see_the_page_gets_no_stream(stream: Stream, table: Table, people: Cast) -> None:
    assert not stream.phone(live(table, "table-live")).open
    assert not stream.phone(live(table, "table-live"), people.home.member).open
    assert stream.phone(live(table), people.stranger).open
    make_private(people.home.club)
    assert not stream.phone(live(table)).open
    assert not stream.phone(live(table), people.stranger).open
    assert stream.phone(live(table), people.home.member).open


NO_PARTS = {
    "none": "",
    "the first page": "/",
    "a page that does not poll": "/c/roessli/",
    "a page of the reader": "/account/",
    "another host": "//other.example/c/roessli/s/2026/standings/",
    "too long": "/x" * 400,
    "no such evening": "/c/roessli/e/999999/live/",
}


@pytest.mark.parametrize("part", NO_PARTS.values(), ids=NO_PARTS)
def test_only_parts_that_poll_have_a_stream(stream: Stream, part: str) -> None:
    assert not stream.phone(part).open


def test_another_site_gets_no_stream(stream: Stream, table: Table) -> None:
    assert not stream.phone(live(table), **{"Sec-Fetch-Site": "cross-site"}).open
    assert stream.phone(live(table), **{"Sec-Fetch-Site": "same-origin"}).open


def sign_out(people: Cast) -> None:
    Session.objects.all().delete()


def remove(people: Cast) -> None:
    role_take(club=people.home.club, user=people.home.recorder, actor=people.home.owner)


def reduce(people: Cast) -> None:
    role_set(club=people.home.club, user=people.home.recorder, role=Role.MEMBER, actor=people.home.owner)


def hide(people: Cast) -> None:
    make_private(people.home.club)


def suspend(people: Cast) -> None:
    club_suspend(club=people.home.club, actor=None)


def switch_off(people: Cast) -> None:
    people.home.recorder.is_active = False
    people.home.recorder.save(update_fields=["is_active"])


LOST = [sign_out, remove, reduce, hide, suspend, switch_off]


@pytest.mark.parametrize("lose", LOST)
def test_lost_rights_end_a_stream(stream: Stream, table: Table, people: Cast, lose: Callable[[Cast], None]) -> None:
    phone = stream.phone(live(table, "table-live"), people.home.recorder)
    canary = stream.phone(standings(people).replace("roessli", "sternen"), people.away.member)
    assert (phone.open, canary.open) == (True, True)
    lose(people)
    assert phone.next() == ENDED
    if lose is not sign_out:
        assert canary.next(QUIET) == NONE


@pytest.mark.parametrize("lose", LOST)
def test_without_the_message_a_stream_would_go_on(
    stream: Stream, table: Table, people: Cast, lose: Callable[[Cast], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin of the test above."""
    monkeypatch.setattr(news, "end_streams", lambda *_topics: None)
    phone = stream.phone(live(table, "table-live"), people.home.recorder)
    assert phone.open
    lose(people)
    assert phone.next(QUIET) == NONE


def test_sign_out_in_the_browser_ends_a_stream(stream: Stream, table: Table, people: Cast) -> None:
    phone = stream.phone(live(table, "table-live"), people.home.recorder)
    other = stream.phone(live(table, "table-live"), people.home.recorder)
    phone.client.post(reverse("logout"))
    assert (phone.next(), other.next(QUIET)) == (ENDED, NONE)


# --- The process -------------------------------------------------------------------------------------------


def test_a_person_has_so_many_streams(stream: Stream, table: Table, people: Cast) -> None:
    phones = [stream.phone(live(table), people.home.member) for _ in range(4)]
    assert [phone.open for phone in phones] == [True, True, True, False]
    phones[0].close()
    wait_until(lambda: stream.phone(live(table), people.home.member).open, 5, "a place is free again")
    assert stream.phone(live(table), people.home.owner).open


def test_a_stopped_process_ends_its_streams(table: Table, start_process: Callable[..., Process]) -> None:
    own = start_stream(start_process)
    phone = own.phone(live(table))
    own.process.stop()
    assert phone.next() == ENDED
    assert "Traceback" not in own.process.output()


def test_without_redis_all_streams_end(table: Table, start_process: Callable[..., Process]) -> None:
    with servers.redis() as store:
        own = start_stream(start_process, REDIS_URL=store.url)
        phone = own.phone(live(table))
        store.kill()
        assert phone.next() == ENDED
        assert not own.phone(live(table)).open
        with servers.redis(store.port):
            wait_until(lambda: own.phone(live(table)).open, 20, "the process has its messages again")


def test_metrics_of_the_process(stream: Stream, table: Table) -> None:
    before = metrics(stream)
    phone = stream.phone(live(table))
    enter(table, MADE)
    assert phone.next() == "news"
    text, sent = metrics(stream), "chratzete_stream_news_sent_total "
    assert OPEN.format(1) in text
    assert int(text.rpartition(sent)[2].split()[0]) > int(before.rpartition(sent)[2].split()[0])
    with pytest.raises(OSError, match="401"):
        stream.get("/metrics")


def test_nothing_is_published_without_the_setting(
    people: Cast, table: Table, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(
        type(caches["default"]), "publish", lambda _cache, _channel, text: sent.append(json.loads(text))
    )
    enter(table, MADE)
    assert sent == []
    with publishing(settings):
        enter(table, MADE)
    assert [each["topics"] for each in sent] == [
        [f"table:{table.pk}", f"evening:{table.evening_id}"],
        [f"season:{people.home.season.pk}"],
    ]
